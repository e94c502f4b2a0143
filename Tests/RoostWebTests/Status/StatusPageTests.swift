import Foundation
import Logging
import Testing
import TextFormats

@testable import Accounts
@testable import HTTPServer
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

extension StatusReport {
    /// One warning, one failing source, and one error of the log.
    static let sample: StatusReport = {
        let errors = RecentErrors()
        for second in 0..<3 {
            errors.note(
                "The backup failed. The earlier ones are kept.", details: "error=<no room>", isError: true,
                at: .sample - 60 + Double(second))
        }
        return StatusReport(
            version: "0.2.0", address: "https://roost.example.org", startedAt: .sample - 12 * 86_400,
            now: .sample,
            disk: DiskCheck(
                folder: "/var/lib/roost", free: 312 << 20, total: 40 << 30, databaseBytes: 48 << 20),
            database: DatabaseFileCheck(
                path: "/var/lib/roost/roost.sqlite", state: .sound, bytes: 44 << 20, logBytes: 4 << 20),
            backups: BackupCheck(
                status: DatabaseBackups.Status(
                    state: .failed, folder: "/var/lib/roost/backups", lastSuccess: .sample - 3 * 86_400,
                    failure: "The disk is full.", next: .sample + 3_600, count: 9, bytes: 400 << 20)),
            certificate: CertificateCheck(
                file: "/etc/roost/roost.pem",
                state: .readable(CertificateExpiry(date: .sample + 60 * 86_400)), now: .sample),
            sources: [
                Source(
                    id: "coingecko",
                    health: SourceHealth(
                        title: "CoinGecko: prices", state: "fresh",
                        updatedAt: ISO8601.milliseconds(.sample - 12),
                        nextTryAt: ISO8601.milliseconds(.sample + 48), callsLeft: 9_120)),
                Source(
                    id: "github.com/3",
                    health: SourceHealth(
                        title: "github.com: account 3", state: "failed",
                        error: "GitHub did not answer in time.", remedy: "Try again in a few moments.",
                        updatedAt: ISO8601.milliseconds(.sample - 7_200))),
            ],
            queues: [
                QueueHealth("Pages to fetch", waiting: 4),
                QueueHealth("Long computations", waiting: 0, running: 1),
            ],
            openPages: 3, errors: errors.latest, accessLog: "/var/log/roost/access.log",
            accessLogBytes: 2 << 20)
    }()
}

extension StatusNowView {
    static let sample = StatusNowView(.sample)
}

extension StatusView {
    static let sample = StatusView(layout: .settingsSample, now: .sample)
}

@Suite struct StatusPageTests {
    // MARK: View

    @Test func `what is wrong comes first, the worst at the top, each with its remedy`() {
        let findings = StatusReport.sample.findings
        #expect(findings.map(\.level) == [.problem, .warning, .warning])
        #expect(findings.map(\.subject) == ["Backups", "Disk", "github.com: account 3"])
        #expect(findings.allSatisfy { $0.remedy?.hasSuffix(".") == true || $0.remedy?.isEmpty == false })
        let text = rendered(StatusView.sample)
        #expect(text.contains("3 things need your attention"))
        let order = ["findings-title", "events-title", "sources-title", "server-title"]
        let places = order.compactMap { text.range(of: "id=\"\($0)\"")?.lowerBound }
        #expect(places.count == order.count && places == places.sorted())
    }

    @Test func `an event of the log is escaped, counted and has a remedy`() {
        let text = rendered(StatusNowView.sample)
        #expect(text.contains("error=&lt;no room&gt;"))
        #expect(text.contains("3 times, last <time data-age"))
        #expect(text.contains("choose another folder with --backup-folder"))
    }

    @Test func `without findings the page says that everything works`() {
        let old = StatusReport.sample
        let report = StatusReport(
            version: old.version, address: old.address, startedAt: old.startedAt, now: old.now,
            disk: DiskCheck(folder: "/d", free: 9 << 30, total: 10 << 30, databaseBytes: 0),
            database: old.database,
            backups: BackupCheck(
                status: DatabaseBackups.Status(
                    state: .ok, folder: "/d", lastSuccess: old.now, failure: nil, next: nil, count: 1,
                    bytes: 1)),
            certificate: CertificateCheck(file: "", state: .none, now: old.now), sources: [], queues: [],
            openPages: 0, errors: [], accessLog: nil, accessLogBytes: nil)
        #expect(report.level == .ok && report.findings.isEmpty)
        let text = rendered(StatusNowView(report))
        #expect(text.contains("Everything works"))
        #expect(!text.contains("class=\"level\""))
        #expect(!text.contains("id=\"events-title\"") && !text.contains("id=\"sources-title\""))
    }

    @Test(arguments: [
        (45.0, "45 s"), (720, "12 min"), (12_000, "3 h 20 min"), (90_000, "1 day 1 h"),
        (1_047_600, "12 days 3 h"),
        (-5, "0 s"),
    ])
    func `the uptime has two units at most`(seconds: Double, text: String) {
        #expect(UptimeText.of(seconds) == text)
    }

    // MARK: Server

    @Test func `owners see the page, its live part and the settings' tab`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", StatusController.path)
            #expect(page.status == 200)
            #expect(page.text.contains("data-live=\"/settings/status/now\" data-topics=\"status\""))
            #expect(page.text.contains("<a href=\"/settings/status\" aria-current=\"page\">Status</a>"))
            #expect(page.text.contains("CoinGecko: prices"))
            #expect(page.text.contains("Nightly backups are switched off."))
            let part = try await testServer.send("GET", StatusController.path + "/now")
            #expect(part.status == 200 && part.headers["ETag"] != nil)
            #expect(!part.text.contains("<!doctype"))
            let found = try await testServer.send("GET", "/search?q=status")
            #expect(found.text.contains("href=\"/settings/status\""))
        }
    }

    @Test func `members see neither the page nor its tab, and cannot watch its topic`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            for path in [StatusController.path, StatusController.path + "/now", "/api/v1/status"] {
                let answer = try await testServer.send("GET", path, as: grace)
                #expect(answer.status == 403, "\(path)")
                #expect(!answer.text.contains(testServer.folder), "\(path)")
            }
            let settings = try await testServer.send("GET", "/settings", as: grace)
            #expect(!settings.text.contains(StatusController.path))
            let found = try await testServer.send("GET", "/search?q=status", as: grace)
            #expect(!found.text.contains(StatusController.path))
            let feature = StatusFeature(
                testServer.services,
                status: ServerStatus(
                    testServer.services, WebServer.Options(),
                    log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
            #expect(feature.topics(named: "status", for: grace.user) == nil)
            #expect(feature.topics(named: "status", for: testServer.owner) == ["status"])
        }
    }

    @Test func `the API gives owners and their tokens the same, but no metrics token`() async throws {
        try await TestServer.with { testServer in
            let services = testServer.services
            for guest in [testServer.ada, try await Guest.bearer(testServer.owner, .read, services)] {
                let answer = try await testServer.send("GET", "/api/v1/status", as: guest)
                #expect(answer.status == 200)
                #expect(answer.object["version"] as? String == Roost.version)
                #expect(answer.object["level"] as? String == "warning")
                let findings = answer.object["findings"] as? [[String: Any]] ?? []
                #expect(findings.contains { $0["subject"] as? String == "Backups" && $0["remedy"] != nil })
                let disk = answer.object["disk"] as? [String: Any] ?? [:]
                #expect(disk["folder"] as? String == testServer.folder)
                let sources = answer.object["sources"] as? [[String: Any]] ?? []
                #expect(sources.contains { $0["id"] as? String == "coingecko" && $0["title"] != nil })
                let queues = answer.object["queues"] as? [[String: Any]] ?? []
                #expect(queues.contains { $0["name"] as? String == "Pages to fetch" })
            }
            let monitor = try await Guest.bearer(testServer.owner, .metrics, services)
            #expect(try await testServer.send("GET", "/api/v1/status", as: monitor).status == 403)
            #expect(try await testServer.send("GET", "/api/v1/status", as: .anonymous).status == 401)
        }
    }

    @Test func `waiting pages of all users are counted`() async throws {
        try await TestServer.with { testServer in
            let reading = testServer.services.reading
            let before = try await testServer.services.database.read { try reading.articles.queueCounts($0) }
            #expect(before.pages == 0 && before.gists == 0 && before.imports == 0)
        }
    }

    @Test func `the probe answers only those who know the lock's secret`() async throws {
        try await TestServer.with { testServer in
            let guessed = [(ProbeReport.secretHeader, "guess")]
            for headers in [[], guessed] {
                let answer = try await testServer.send("GET", ProbeReport.path, headers: headers)
                #expect(answer.status == 404)
            }
            let known = [
                (ProbeReport.secretHeader, TestServer.probeSecret), ("X-Forwarded-For", "203.0.113.9"),
            ]
            let answer = try await testServer.send("GET", ProbeReport.path, headers: known, as: .anonymous)
            #expect(answer.status == 200)
            let report = try JSONDecoder().decode(ProbeReport.self, from: Data(answer.body))
            #expect(report.isForwarded && !report.isTrusted && !report.isSecure)
            #expect(report.peer == "127.0.0.1" && report.client == "127.0.0.1")
            #expect(report.host == testServer.server.address)
        }
    }

    // MARK: Log

    @Test func `the log's errors are remembered without secrets, whatever level is written`() throws {
        let errors = RecentErrors()
        let secrets = SecretRedactor()
        secrets.note("ghp_theOperatorsToken")
        var log = Logger(label: "test") { _ in
            RecentErrorLog(
                LineLog(
                    LogStyle(level: .critical, format: .text), output: LineOutput(descriptor: -1),
                    secrets: secrets),
                errors: errors)
        }
        log.logLevel = .critical
        log.info("Not remembered")
        log.warning("A warning", metadata: ["why": "GitHub said ghp_theOperatorsToken\n"])
        log.error("An error")
        #expect(errors.latest.map(\.message) == ["An error", "A warning"])
        #expect(errors.latest.last?.details == "why=GitHub said … ")
    }

    @Test func `every remedy is a sentence, also for an unknown event`() {
        let errors = RecentErrors()
        errors.note("Something new", details: "", isError: true, at: .sample)
        errors.note("Prices could not be fetched", details: "why=keyRefused", isError: false, at: .sample)
        let remedies = errors.latest.map(LogRemedy.of)
        #expect(remedies[0].contains("--coingecko-api-key"))
        #expect(remedies[1].contains("roost doctor"))
        #expect(remedies.allSatisfy { $0.hasSuffix(".") })
    }
}
