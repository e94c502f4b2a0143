import Accounts
import Foundation
import Market
import RoostServices
import RoostSupport
import TextFormats

/// Coins and their prices.
struct WatchlistFeature: Feature {
    let places: [NavigationPlace]
    private let bells: WatchlistController.Bells

    /// - Parameters:
    ///   - count: what the navigation counts at the watchlist
    ///   - bells: what a row shows of its coin's alerts, by coin
    init(count: NavigationPlace.Count, bells: @escaping WatchlistController.Bells) {
        self.bells = bells
        places = [NavigationPlace("Watchlist", at: "/watchlist", icon: "watchlist", count: count)]
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return WatchlistController(site: site, bells: bells).routes(guarded)
            + WatchlistSettingsController(site: site).routes(guarded)
            + WatchlistAPI(site: site).routes(guarded) + WatchlistsAPI(site: site).routes(guarded)
            + HoldingsAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await WatchlistController(site: site, bells: bells).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] {
        [Topic.allPrices, Topic.watchlist(user.userId), Topic.coins, Topic.pictures]
    }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Topic.coins, Topic.currencies: [name]
        case _ where Topic.isPrices(name) || Topic.coin(ofChart: name) != nil: [name]
        case "watchlist", Topic.watchlist(user.userId): [Topic.watchlist(user.userId)]
        default: nil
        }
    }

    func want(_ name: String, for user: User, in services: Services) {
        if let currency = services.prices.currency(ofTopic: name) { services.prices.want(in: currency) }
        if let coin = Topic.coin(ofChart: name) { services.charts.keepWatching(coin) }
    }

    func sources(in services: Services) -> [String: SourceHealth] {
        ["coingecko": prices(in: services), "coinList": coinList(in: services)]
    }

    private func prices(in services: Services) -> SourceHealth {
        let prices = services.prices.snapshot
        let status = prices.status
        let state =
            if status.isLoading { "loading" } else if status.error != nil {
                "failed"
            } else if status.updatedAt == nil {
                "idle"
            } else { status.isUpToDate(at: prices.now) ? "fresh" : "stale" }
        return SourceHealth(
            state: state, error: status.error?.message(source: PriceRefresher.source) ?? status.usedUpReason,
            updatedAt: status.updatedAt.map(ISO8601.milliseconds),
            nextTryAt: status.nextTryAt.map(ISO8601.milliseconds),
            callsLeft: status.callsLeft)
    }

    private func coinList(in services: Services) -> SourceHealth {
        let loading = services.catalog.loading
        let state =
            switch loading {
            case .idle: "idle"
            case .loading: "loading"
            case .loaded: "fresh"
            case .failed: "failed"
            }
        return SourceHealth(
            state: state, error: loading.error?.message(source: PriceRefresher.source),
            updatedAt: loading.data.map(ISO8601.milliseconds), nextTryAt: nil, callsLeft: nil)
    }

    func metrics(in services: Services) -> [String] {
        let prices = services.prices.snapshot
        var lines = [
            "# TYPE roost_coins_known gauge", "roost_coins_known \(services.catalog.count)",
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
        return lines
    }
}
