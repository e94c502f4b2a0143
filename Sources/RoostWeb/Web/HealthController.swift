import Foundation
import HTTPServer
import Synchronization

/// The state of an upstream in `/healthz`.
struct SourceHealth: Encodable, Equatable, Sendable {
    struct Budget: Encodable, Equatable, Sendable {
        let limit, remaining: Int
        let resetAt: String
    }

    let state: String
    let error: String?
    let updatedAt: String?
    let nextTryAt: String?
    let callsLeft: Int?
    /// By resource, where the upstream has several limits.
    var budgets: [String: Budget]?
    /// By kind, since the start; where they are counted.
    var failures: [String: Int]?
}

/// `/healthz` for supervisors, `/metrics` for Prometheus; the state of the sources is for users and tokens only.
struct HealthController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/healthz", health),
            guarded.monitor("/metrics", metrics),
        ]
    }

    private struct Health: Encodable {
        /// "ok", "storageFull" while nothing can be saved, or "damaged" while the database file is.
        let status: String
        let version: String?
        let sources: [String: SourceHealth]?
    }

    private func health(_ request: Request) async throws -> HandlerResult {
        let (state, status) = await state
        let visitor = site.visitor(of: request)
        guard visitor.mayMonitor else {
            return .response(API.json(Health(status: state, version: nil, sources: nil), status: status))
        }
        let sources = site.features.reduce(into: [String: SourceHealth]()) { sources, feature in
            sources.merge(feature.sources(in: site.services)) { first, _ in first }
        }
        return .response(
            API.json(Health(status: state, version: site.version, sources: sources), status: status))
    }

    /// The state with its HTTP status: supervisors look at that alone.
    private var state: (String, Int) {
        get async {
            if site.services.health.isDamaged { return ("damaged", 503) }
            return await site.services.storage.isFull ? ("storageFull", 503) : ("ok", 200)
        }
    }

    /// Prometheus' text format, version 0.0.4.
    private func metrics(_ request: Request) async throws -> HandlerResult {
        var lines = ["# TYPE roost_requests_total counter"]
        lines += site.metrics.counts.map { "roost_requests_total{status=\"\($0.status)\"} \($0.count)" }
        lines += ["# TYPE roost_polls_waiting gauge", "roost_polls_waiting \(site.services.feed.waiting)"]
        lines += site.features.flatMap { $0.metrics(in: site.services) }
        let text = lines.joined(separator: "\n") + "\n"
        return .response(
            Response(
                headers: [
                    ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                    ("Cache-Control", "no-store"),
                ],
                body: .bytes(Array(text.utf8))))
    }
}

/// What `/metrics` counts of the requests.
final class Metrics: Sendable {
    private let byStatus = Mutex<[Int: Int]>([:])

    func count(status: Int) { byStatus.withLock { $0[status, default: 0] += 1 } }

    var counts: [(status: Int, count: Int)] {
        byStatus.withLock { $0.map { ($0.key, $0.value) } }.sorted { $0.0 < $1.0 }
    }
}
