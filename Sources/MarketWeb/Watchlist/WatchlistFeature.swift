import Accounts
import Foundation
package import Market
import RoostSupport
import RoostWeb
import TextFormats

package struct WatchlistFeature: Feature {
    let tokenArea: TokenArea? = .watchlist
    let navigationEntries: [NavigationEntry]
    let settingsTabs = [SettingsTab("Watchlist", at: "/watchlist/settings", in: .feature)]
    private let services: MarketServices

    package init(_ services: MarketServices) {
        self.services = services
        navigationEntries = [
            NavigationEntry(
                "Watchlist", at: "/watchlist", icon: "watchlist", key: "w",
                count: .init(
                    address: "/alerts/count", topic: AlertsFeature.topic,
                    waiting: { [alerts = services.alerts] in try alerts.newCount($0, of: $1.userId) },
                    lastWaiting: { _ in nil }))
        ]
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return WatchlistController(site: site, services: services).routes(guarded)
            + WatchlistSettingsController(site: site, services: services).routes(guarded)
            + WatchlistAPI(site: site, services: services).routes(guarded)
            + WatchlistsAPI(site: site, services: services).routes(guarded)
            + HoldingsAPI(site: site, services: services).routes(guarded)
    }

    let searchCommands = [
        SearchCommand("Add coin", or: "watchlist cryptocurrency", at: "/watchlist", isOffered: true),
        SearchCommand("New watchlist", or: "columns currency", at: "/watchlist/settings"),
    ]

    func searchSources(in site: WebContext) -> [SearchSource] {
        [
            SearchSource(SearchKind("coins", "Coins", icon: "watchlist")) {
                [catalog = services.catalog] _, query, _ in
                guard !query.isEmpty else { return [] }
                return catalog.listed(like: query.text, limit: query.limit).map {
                    SearchResult(
                        $0.name, detail: $0.shownSymbol.uppercased(),
                        at: "/coins/\(PercentEncoding.encode($0.id))",
                        isGuess: !query.matches([$0.name, $0.symbol, $0.id]))
                }
            },
            SearchSource(SearchKind("watchlists", "Watchlists", icon: "watchlist")) {
                [watchlist = services.watchlist] reads, query, user in
                try watchlist.lists(reads, of: user.userId).lazy
                    .filter { query.isEmpty || query.matches([$0.name]) }
                    .prefix(query.limit).map { SearchResult($0.name, at: "/watchlist?list=\($0.id)") }
            },
        ]
    }

    var tileKind: TileKind? { WatchlistTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try WatchlistController(site: site, services: services).tileView(reads, user, scope).tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let entries = try services.watchlist.list(reads, of: user.userId).entries
        return CoinMove.all(of: entries).prefix(TodayLine.limit).map(\.line)
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

    func requestRefresh(of name: String, for user: User) {
        if let currency = services.prices.currency(ofTopic: name) { services.prices.watch(in: currency) }
        if let coin = Topic.coin(ofChart: name) { services.charts.keepWatching(coin) }
    }

    var sources: [String: SourceHealth] {
        ["coingecko": priceHealth, "coinList": coinListHealth]
    }

    private var priceHealth: SourceHealth {
        let prices = services.prices.snapshot
        let status = prices.status
        let state =
            if status.isLoading { "loading" } else if status.error != nil {
                "failed"
            } else if status.updatedAt == nil {
                "idle"
            } else { status.isUpToDate(at: prices.now) ? "fresh" : "stale" }
        return SourceHealth(
            title: "CoinGecko: prices", state: state,
            error: status.error?.message(source: PriceRefresher.source) ?? status.usedUpReason,
            remedy: status.error?.recoverySuggestion,
            updatedAt: status.updatedAt.map(ISO8601.seconds),
            nextTryAt: status.nextTryAt.map(ISO8601.seconds),
            callsLeft: status.callsLeft)
    }

    private var coinListHealth: SourceHealth {
        let loading = services.catalog.loading
        let state =
            switch loading {
            case .idle: "idle"
            case .loading: "loading"
            case .loaded: "fresh"
            case .failed: "failed"
            }
        return SourceHealth(
            title: "CoinGecko: list of coins", state: state,
            error: loading.error?.message(source: PriceRefresher.source),
            remedy: loading.error?.recoverySuggestion,
            updatedAt: loading.data.map(ISO8601.seconds), nextTryAt: nil, callsLeft: nil)
    }

    /// A source that never answered is down.
    var metrics: [MetricFamily] {
        let prices = services.prices.snapshot
        let status = prices.status
        let list = services.catalog.loading
        let isUp = status.error == nil && status.updatedAt != nil
        var age = MetricFamily.gauge("roost_source_age_seconds", "Age of the source's last good answer.")
        for (source, updatedAt) in [("coingecko", status.updatedAt), ("coin_list", list.data)] {
            guard let updatedAt else { continue }
            age = age.with(max(0, Int(prices.now.timeIntervalSince(updatedAt))), ["source": source])
        }
        var calls = MetricFamily.gauge(
            "roost_coingecko_calls_remaining", "Calls left in the month, on a plan that counts them.")
        if let left = status.callsLeft { calls = calls.with(left) }
        return [
            .gauge("roost_coins_known", "Coins in the coin list.", services.catalog.count),
            .gauge("roost_source_up", "1 if the source's last answer was good.")
                .with(isUp ? 1 : 0, ["source": "coingecko"])
                .with(list.error == nil && list.data != nil ? 1 : 0, ["source": "coin_list"]),
            age, calls,
        ]
    }
}
