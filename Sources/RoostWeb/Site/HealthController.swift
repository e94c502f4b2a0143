import Foundation
import HTTPServer
import RoostSupport

package struct SourceHealth: Encodable, Equatable, Sendable {
    package struct Budget: Encodable, Equatable, Sendable {
        package let limit, remaining: Int
        package let resetAt: String

        package init(limit: Int, remaining: Int, resetAt: String) {
            self.limit = limit
            self.remaining = remaining
            self.resetAt = resetAt
        }
    }

    /// For people: "CoinGecko prices". Not in the JSON, whose key is the source's id.
    package let title: String?
    package let state: String
    package let error: String?
    /// What the operator can do about the error, in one sentence; nil if Roost tries again on its own. Not in the JSON.
    package let remedy: String?
    package let updatedAt: String?
    package let nextTryAt: String?
    package let callsLeft: Int?
    /// By resource, if the upstream has several limits.
    package let budgets: [String: Budget]?
    /// Counts by kind since the start.
    package let failures: [String: Int]?

    private enum CodingKeys: String, CodingKey {
        case state, error, updatedAt, nextTryAt, callsLeft, budgets, failures
    }

    package init(
        title: String? = nil, state: String, error: String? = nil, remedy: String? = nil,
        updatedAt: String? = nil, nextTryAt: String? = nil,
        callsLeft: Int? = nil, budgets: [String: Budget]? = nil, failures: [String: Int]? = nil
    ) {
        self.title = title
        self.state = state
        self.error = error
        self.remedy = remedy
        self.updatedAt = updatedAt
        self.nextTryAt = nextTryAt
        self.callsLeft = callsLeft
        self.budgets = budgets
        self.failures = failures
    }
}

/// Work that waits for its turn.
package struct QueueHealth: Codable, Equatable, Sendable {
    /// "Pages to fetch".
    package let name: String
    package let waiting: Int
    /// Nil if Roost does not count them.
    package let running: Int?

    package init(_ name: String, waiting: Int, running: Int? = nil) {
        self.name = name
        self.waiting = waiting
        self.running = running
    }
}

/// `/healthz` for supervisors, `/metrics` for Prometheus. Only owners and their tokens see the state of the sources.
struct HealthController: Sendable {
    package let site: WebContext

    package func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/healthz", health),
            guarded.monitor("/metrics", metrics),
        ]
    }

    private struct Health: Encodable {
        /// "ok", "storageFull" while nothing can be saved, "dataFolderMissing" after a move of the data folder, or
        /// "damaged" if the database file is damaged.
        package let status: String
        package let version: String?
        package let backup: BackupHealth?
        package let sources: [String: SourceHealth]?
    }

    private struct BackupHealth: Encodable {
        /// "off", "none", "ok" or "failed".
        let state: String
        let error: String?
        let lastSuccessAt: JSONTime?
        let ageSeconds: Int?
        let nextAt: JSONTime?
        let count: Int
        let bytes: Int

        init(_ status: DatabaseBackups.Status, now: Date) {
            state = status.state.rawValue
            error = status.failure
            lastSuccessAt = status.lastSuccess.map(JSONTime.init)
            ageSeconds = status.lastSuccess.map { max(0, Int(now.timeIntervalSince($0))) }
            nextAt = status.next.map(JSONTime.init)
            count = status.count
            bytes = status.bytes
        }
    }

    private func health(_ request: Request) async throws -> HandlerResult {
        let (state, status) = await site.health.state
        let visitor = site.visitors.visitor(of: request)
        guard visitor.mayMonitor else {
            return .response(
                API.json(Health(status: state, version: nil, backup: nil, sources: nil), status: status))
        }
        let health = Health(
            status: state, version: site.assets.version,
            backup: BackupHealth(site.health.backup, now: site.clock.now()), sources: site.features.sources)
        return .response(API.json(health, status: status))
    }

    /// Prometheus' text format, version 0.0.4.
    private func metrics(_ request: Request) async throws -> HandlerResult {
        let (stored, isReadable) = await storedMetrics
        let families =
            site.health.requests.families
            + [
                .gauge("roost_build_info", "Always 1, with the program's version.")
                    .with(1, ["version": site.programVersion]),
                .gauge("roost_polls_waiting", "Open long polls that wait for a change.", site.feed.waiting),
                .gauge(
                    "roost_database_up", "1 while the database can be read and is not damaged or missing.",
                    isReadable && site.health.isDatabaseSound ? 1 : 0),
            ] + site.health.program.families + backupMetrics + site.features.metrics + stored
        return .response(
            Response(
                headers: [
                    ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                    ("Cache-Control", "no-store"),
                ],
                body: .bytes(Array(families.map(\.text).joined().utf8))))
    }

    /// Empty if the database cannot be read: the other metrics matter most then.
    private var storedMetrics: (families: [MetricFamily], isReadable: Bool) {
        get async {
            do {
                return (try await site.database.read { try site.features.metrics($0) }, true)
            } catch {
                site.health.report(error)
                return ([], false)
            }
        }
    }
}

extension HealthController {
    /// Without samples while backups are switched off.
    private var backupMetrics: [MetricFamily] {
        let backup = site.health.backup
        var up = MetricFamily.gauge(
            "roost_backup_up", "1 while the last nightly backup succeeded and is recent.")
        var count = MetricFamily.gauge("roost_backups", "Backups in the backup folder.")
        var bytes = MetricFamily.gauge("roost_backups_bytes", "Size of all backups in the backup folder.")
        var age = MetricFamily.gauge("roost_backup_age_seconds", "Age of the newest nightly backup.")
        if backup.state != .off {
            up = up.with(backup.state == .ok ? 1 : 0)
            count = count.with(backup.count)
            bytes = bytes.with(backup.bytes)
            if let last = backup.lastSuccess {
                age = age.with(max(0, Int(site.clock.now().timeIntervalSince(last))))
            }
        }
        return [up, count, bytes, age]
    }
}
