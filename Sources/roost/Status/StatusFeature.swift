import Accounts
import Foundation
import HTTPServer
import RoostServices
import RoostSupport
import RoostWeb
import TextFormats

/// The server's state for owners: `/settings/status` and `/api/v1/status`.
struct StatusFeature: Feature {
    let settingsTabs: [SettingsTab] = [.status]
    private let services: Services
    private let status: ServerStatus

    init(_ services: Services, status: ServerStatus) {
        self.services = services
        self.status = status
    }

    let searchCommands = [
        SearchCommand(
            "Check the server", or: "status health disk backup certificate errors version uptime",
            at: StatusController.path, isForOwners: true)
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        StatusController(site: guarded.site, services: services, status: status).routes(guarded)
            + ProbeController(site: guarded.site, secret: status.probeSecret).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        name == Topic.serverStatus && user.role == .owner ? [Topic.serverStatus] : nil
    }

    func requestRefresh(of name: String, for user: User) {
        if name == Topic.serverStatus, user.role == .owner { status.watch() }
    }
}

extension SettingsTab {
    static let status = SettingsTab("Status", at: StatusController.path, in: .owner)
}

struct StatusController: Sendable {
    static let path = "/settings/status"

    let site: WebContext
    let services: Services
    let status: ServerStatus

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.owner(.get, Self.path, page),
            guarded.owner(.get, Self.path + "/now", now),
            guarded.monitor(
                "/api/v1/status", allowsMetricsTokens: false,
                api: .answers(StatusJSON.self, "The state of the server, for owners."), json),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        status.watch()
        let state = await site.health.state.name
        return .response(
            try await site.html { reads in
                StatusView(
                    layout: try site.layout(
                        reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner),
                    now: StatusNowView(try report(reads, state)))
            })
    }

    private func now(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let version = site.tag(of: [Topic.serverStatus], for: person.user)
        let state = await site.health.state.name
        let report = try await currentReport(state)
        return .response(site.fragment(StatusNowView(report), version: version, scope: .owner, for: request))
    }

    private func json(_ request: Request) async throws -> HandlerResult {
        let state = await site.health.state.name
        let report = try await currentReport(state)
        return .response(API.json(StatusJSON(report)))
    }

    private func currentReport(_ state: String) async throws -> StatusReport {
        try await site.database.read { reads in try report(reads, state) }
    }

    /// - Parameter state: of the storage, as in `/healthz`
    private func report(_ reads: Reads, _ state: String) throws -> StatusReport {
        let database = DatabaseFileCheck(
            folder: status.dataFolder,
            state: state == "damaged" ? .damaged : state == "dataFolderMissing" ? .missing : .sound)
        let heavyWork = QueueHealth(
            "Long computations", waiting: services.heavyWork.waiting, running: services.heavyWork.running)
        return StatusReport(
            version: Roost.version, address: site.links.link(to: "").address,
            startedAt: status.startedAt, now: site.clock.now(),
            disk: DiskCheck(
                folder: status.dataFolder, isFull: state == "storageFull",
                databaseBytes: database.bytes + database.logBytes),
            database: database, backups: BackupCheck(status: site.health.backup),
            certificate: status.certificate,
            sources: site.features.sources.map { StatusReport.Source(id: $0.key, health: $0.value) }
                .sorted { ($0.title, $0.id) < ($1.title, $1.id) },
            queues: try site.features.queues(reads) + [heavyWork], openPages: site.feed.waiting,
            errors: status.errors.latest, accessLog: status.accessLog,
            accessLogBytes: status.accessLog.flatMap(FileFacts.init)?.bytes)
    }
}

/// `/api/v1/status`.
private struct StatusJSON: Codable {
    struct FindingJSON: Codable {
        let level: Finding.Level
        let subject, text: String
        let remedy: String?
    }

    struct Disk: Codable {
        let folder: String
        let freeBytes, totalBytes: Int?
    }

    struct Database: Codable {
        let path: String
        let bytes, logBytes: Int
    }

    struct Backup: Codable {
        let state: String
        let folder, error: String?
        let lastSuccessAt, nextAt: JSONTime?
        let count, bytes: Int
    }

    struct Certificate: Codable {
        let file: String
        let expiresAt: JSONTime?
        let daysLeft: Int?
    }

    struct AccessLog: Codable {
        let file: String
        let bytes: Int?
    }

    struct Source: Codable {
        let id, title, state: String
        let error, remedy, updatedAt, nextTryAt: String?
    }

    struct LogEvent: Codable {
        let level, message: String
        let details: String?
        let count: Int
        let firstAt, lastAt: JSONTime
        let remedy: String
    }

    let level: Finding.Level
    let version: String
    let checkedAt, startedAt: JSONTime
    let uptimeSeconds: Int
    let findings: [FindingJSON]
    let disk: Disk
    let database: Database
    let backup: Backup
    let certificate: Certificate?
    let accessLog: AccessLog?
    let openPages: Int
    let sources: [Source]
    let queues: [QueueHealth]
    let errors: [LogEvent]

    init(_ report: StatusReport) {
        level = report.level
        version = report.version
        (checkedAt, startedAt) = (JSONTime(report.now), JSONTime(report.startedAt))
        uptimeSeconds = max(0, Int(report.now.timeIntervalSince(report.startedAt)))
        findings = report.findings.map {
            FindingJSON(level: $0.level, subject: $0.subject, text: $0.text, remedy: $0.remedy)
        }
        disk = Disk(folder: report.disk.folder, freeBytes: report.disk.free, totalBytes: report.disk.total)
        database = Database(
            path: report.database.path, bytes: report.database.bytes, logBytes: report.database.logBytes)
        let status = report.backups.status
        backup = Backup(
            state: status.state.rawValue, folder: status.folder, error: status.failure,
            lastSuccessAt: status.lastSuccess.map(JSONTime.init), nextAt: status.next.map(JSONTime.init),
            count: status.count, bytes: status.bytes)
        let expiry = report.certificate.expiry
        certificate =
            report.certificate.state == .none
            ? nil
            : Certificate(
                file: report.certificate.file, expiresAt: expiry.map { JSONTime($0.date) },
                daysLeft: expiry?.daysLeft(at: report.now))
        accessLog = report.accessLog.map { AccessLog(file: $0, bytes: report.accessLogBytes) }
        openPages = report.openPages
        sources = report.sources.map { source in
            Source(
                id: source.id, title: source.title, state: source.health.state, error: source.health.error,
                remedy: source.finding?.remedy, updatedAt: source.health.updatedAt,
                nextTryAt: source.health.nextTryAt)
        }
        queues = report.queues
        errors = report.errors.map { entry in
            LogEvent(
                level: entry.isError ? "error" : "warning", message: entry.message,
                details: entry.details.isEmpty ? nil : entry.details, count: entry.count,
                firstAt: JSONTime(entry.firstAt), lastAt: JSONTime(entry.lastAt),
                remedy: LogRemedy.of(entry))
        }
    }
}
