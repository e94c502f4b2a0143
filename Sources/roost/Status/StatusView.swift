import Foundation
import RoostSupport
import RoostWeb
import TextFormats

/// `/settings/status`.
struct StatusView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let now: StatusNowView
    let tabs: SettingsTabs

    init(layout: LayoutView, now: StatusNowView) {
        self.layout = layout
        self.now = now
        tabs = SettingsTabs(.status, in: layout, isOwner: true)
    }
}

/// `/settings/status/now`: the live part of the page.
struct StatusNowView: Sendable {
    let freshness: FreshnessView
    let findings: [FindingRow]
    let logEvents: [LogEventRow]
    let factGroups: [FactGroup]
    let sources: [SourceRow]

    init(_ report: StatusReport) {
        let now = report.now
        freshness = FreshnessView(
            state: .live, updatedAt: now, nextAt: now + ServerStatus.interval.inSeconds,
            staleAt: now + 60, source: "Roost", now: now)
        findings = report.findings.map(FindingRow.init)
        logEvents = report.errors.map { LogEventRow($0, now: now) }
        factGroups = [
            .server(report), .storage(report), .backups(report), .certificate(report), .queues(report),
        ]
        sources = report.sources.map { SourceRow($0, now: now) }
    }

    var hasFindings: Bool { !findings.isEmpty }
    var hasLogEvents: Bool { !logEvents.isEmpty }
    var hasSources: Bool { !sources.isEmpty }
    var summary: String {
        switch findings.count {
        case 0: "Everything works"
        case 1: "1 thing needs your attention"
        default: "\(findings.count) things need your attention"
        }
    }
}

struct FindingRow: Sendable {
    let finding: Finding

    init(_ finding: Finding) { self.finding = finding }

    var isProblem: Bool { finding.level == .problem }
    var levelText: String { isProblem ? "Problem" : "Warning" }
    var findingSubject: String { finding.subject }
    var findingText: TimedText { TimedText(finding.text) }
    var findingRemedy: TimedText? { finding.remedy.map(TimedText.init) }
}

/// A warning or an error of the log.
struct LogEventRow: Sendable {
    private let entry: RecentErrors.Entry
    private let now: Date

    init(_ entry: RecentErrors.Entry, now: Date) {
        self.entry = entry
        self.now = now
    }

    var isError: Bool { entry.isError }
    var eventLevel: String { entry.isError ? "Error" : "Warning" }
    var eventMessage: String { entry.message }
    var eventDetails: String? { entry.details.isEmpty ? nil : entry.details }
    var eventCount: String? { entry.count > 1 ? "\(NumberText.grouped(entry.count)) times" : nil }
    var eventTime: String { ISO8601.seconds(entry.lastAt) }
    var eventAgo: String { RelativeTime.ago(entry.lastAt, now: now) }
    var eventRemedy: String { LogRemedy.of(entry) }
}

struct SourceRow: Sendable {
    private let source: StatusReport.Source
    private let now: Date

    init(_ source: StatusReport.Source, now: Date) {
        self.source = source
        self.now = now
    }

    private var updatedAt: Date? { source.health.updatedAt.flatMap(ISO8601.parse) }
    private var nextAt: Date? { source.health.nextTryAt.flatMap(ISO8601.parse) }

    var sourceTitle: String { source.title }
    var isFailing: Bool { source.health.state == "failed" }
    var isCurrent: Bool { source.health.state == "fresh" }
    var sourceState: String {
        switch source.health.state {
        case "fresh": "Up to date"
        case "stale": "Older than usual"
        case "loading": "Loading"
        case "failed": "Failing"
        default: "Not asked yet"
        }
    }
    var sourceError: TimedText? { isFailing ? source.health.error.map(TimedText.init) : nil }
    var callsLeft: String? { source.health.callsLeft.map { "\(NumberText.grouped($0)) calls left" } }
    var nextTry: String? { nextAt.map(ISO8601.seconds) }
    var nextTryIn: String? { nextAt.map { RelativeTime.until($0, now: now) } }
    var successTime: String? { updatedAt.map(ISO8601.seconds) }
    var successAgo: String? { updatedAt.map { RelativeTime.ago($0, now: now) } }
}

/// A name and its value.
struct StatusFact: Sendable {
    let factName: String
    let factText: String
    /// Shown as day and time after the text.
    var moment: Date?

    init(_ name: String, _ text: String, moment: Date? = nil) {
        factName = name
        factText = text
        self.moment = moment
    }

    var momentTime: String? { moment.map(ISO8601.seconds) }
    var momentText: String? { moment.map { "\(RelativeTime.day($0)), \(RelativeTime.clock($0))" } }
}

struct FactGroup: Sendable {
    let groupID: String
    let groupTitle: String
    let facts: [StatusFact]

    static func server(_ report: StatusReport) -> FactGroup {
        FactGroup(
            groupID: "server", groupTitle: "Server",
            facts: [
                StatusFact("Version", report.version),
                StatusFact("Uptime", UptimeText.of(report.now.timeIntervalSince(report.startedAt))),
                StatusFact("Started", "", moment: report.startedAt),
                StatusFact("Address", report.address),
                StatusFact("Open pages", NumberText.grouped(report.openPages)),
            ])
    }

    static func storage(_ report: StatusReport) -> FactGroup {
        let disk = report.disk
        let free = disk.free.map(ByteCountText.of) ?? "unknown"
        var facts = [
            StatusFact("Data folder", disk.folder),
            StatusFact("Free on its disk", free + (disk.total.map { " of \(ByteCountText.of($0))" } ?? "")),
            StatusFact("Database", ByteCountText.of(report.database.bytes)),
            StatusFact("Write-ahead log", ByteCountText.of(report.database.logBytes)),
        ]
        if let path = report.accessLog {
            let size = report.accessLogBytes.map(ByteCountText.of) ?? "missing"
            facts.append(StatusFact("Access log", "\(size), \(path)"))
        }
        return FactGroup(groupID: "storage", groupTitle: "Storage", facts: facts)
    }

    static func backups(_ report: StatusReport) -> FactGroup {
        let status = report.backups.status
        var facts: [StatusFact] = []
        if let folder = status.folder {
            facts += [
                StatusFact("Newest", status.lastSuccess == nil ? "none yet" : "", moment: status.lastSuccess),
                StatusFact("Next", status.next == nil ? "unknown" : "", moment: status.next),
                StatusFact("Kept", "\(NumberText.grouped(status.count)), \(ByteCountText.of(status.bytes))"),
                StatusFact("Folder", folder),
            ]
        } else {
            facts.append(StatusFact("Nightly backups", "off"))
        }
        return FactGroup(groupID: "backups", groupTitle: "Backups", facts: facts)
    }

    static func certificate(_ report: StatusReport) -> FactGroup {
        let check = report.certificate
        var facts: [StatusFact] = []
        switch check.state {
        case .none: facts.append(StatusFact("HTTPS", "not by Roost itself"))
        case .unusable: facts.append(StatusFact("HTTPS", "the file cannot be read"))
        case .readable(let expiry):
            let days = expiry.daysLeft(at: report.now)
            facts += [
                StatusFact("Days left", days < 0 ? "0" : NumberText.grouped(days)),
                StatusFact("Expires", "", moment: expiry.date),
            ]
        }
        if !check.file.isEmpty { facts.append(StatusFact("File", check.file)) }
        return FactGroup(groupID: "certificate", groupTitle: "Certificate", facts: facts)
    }

    static func queues(_ report: StatusReport) -> FactGroup {
        FactGroup(
            groupID: "queues", groupTitle: "Queues",
            facts: report.queues.map { queue in
                let running = queue.running.map { ", \(NumberText.grouped($0)) running" } ?? ""
                return StatusFact(queue.name, "\(NumberText.grouped(queue.waiting)) waiting\(running)")
            })
    }
}

/// How long the server has been running: "45 s", "12 min", "3 h 20 min", "12 days 3 h".
enum UptimeText {
    static func of(_ interval: TimeInterval) -> String {
        let seconds = Int(max(0, min(interval, 1e10)))
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        if minutes == 0 { return "\(seconds) s" }
        if hours == 0 { return "\(minutes) min" }
        if days == 0 { return "\(hours) h \(minutes % 60) min" }
        return "\(days == 1 ? "1 day" : "\(NumberText.grouped(days)) days") \(hours % 24) h"
    }
}
