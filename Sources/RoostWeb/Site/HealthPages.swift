import Foundation
import HTTPServer
import RoostServices

/// `/healthz` for supervisors, `/metrics` for Prometheus; what the sources do is for users and tokens only.
struct HealthPages: Sendable {
    let site: Site

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/healthz", health),
            guarded.monitor("/metrics", metrics),
        ]
    }

    private struct Health: Encodable {
        struct Source: Encodable {
            let state: String
            let error: String?
            let updatedAt: String?
            let nextTryAt: String?
            let callsLeft: Int?
        }

        /// "ok", or "storageFull" while nothing can be saved.
        let status: String
        let version: String?
        let sources: [String: Source]?
    }

    private func health(_ request: Request) async throws -> Answer {
        let status = await site.services.storage.isFull ? "storageFull" : "ok"
        let visitor = site.visitor(of: request)
        guard visitor.isBearer || visitor.user?.role == .owner else {
            return .response(API.json(Health(status: status, version: nil, sources: nil)))
        }
        return .response(
            API.json(
                Health(
                    status: status, version: site.version,
                    sources: ["coingecko": source, "coinList": coinList])))
    }

    private var source: Health.Source {
        let prices = site.services.prices.snapshot
        let status = prices.status
        let state =
            if status.isLoading { "loading" } else if status.error != nil {
                "failed"
            } else if status.updatedAt == nil {
                "idle"
            } else { status.isUpToDate(at: prices.now) ? "fresh" : "stale" }
        return Health.Source(
            state: state, error: status.error?.message(source: PriceFeed.source),
            updatedAt: status.updatedAt.map(ModelTime.format),
            nextTryAt: status.nextTryAt.map(ModelTime.format),
            callsLeft: status.callsLeft)
    }

    private var coinList: Health.Source {
        let loading = site.services.catalog.loading
        let state =
            switch loading {
            case .idle: "idle"
            case .loading: "loading"
            case .loaded: "fresh"
            case .failed: "failed"
            }
        return Health.Source(
            state: state, error: loading.error?.message(source: PriceFeed.source),
            updatedAt: loading.data.map(ModelTime.format), nextTryAt: nil, callsLeft: nil)
    }

    /// Prometheus' text format, version 0.0.4.
    private func metrics(_ request: Request, _ user: User) async throws -> Answer {
        let prices = site.services.prices.snapshot
        var lines = ["# TYPE roost_requests_total counter"]
        lines += site.metrics.counts.map { "roost_requests_total{status=\"\($0.status)\"} \($0.count)" }
        lines += ["# TYPE roost_polls_waiting gauge", "roost_polls_waiting \(site.services.feed.waiting)"]
        lines += ["# TYPE roost_coins_known gauge", "roost_coins_known \(site.services.catalog.count)"]
        lines += [
            "# TYPE roost_source_up gauge",
            "roost_source_up{source=\"coingecko\"} \(prices.status.error == nil ? 1 : 0)",
        ]
        if let updatedAt = prices.status.updatedAt {
            let age = max(0, Int(prices.now.timeIntervalSince(updatedAt)))
            lines += [
                "# TYPE roost_source_age_seconds gauge",
                "roost_source_age_seconds{source=\"coingecko\"} \(age)",
            ]
        }
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
