package import Logging
package import RoostSupport

/// The market's services: coins with their prices, watchlists, alerts and displays, with their background work.
package final class MarketServices: ServiceGroup {
    package let catalog: CoinCatalog
    package let prices: PriceRefresher
    package let charts: CoinChartService
    package let currencies: SupportedCurrencies
    package let logos: CoinLogos
    package let watchlist: WatchlistService
    package let watchlistFiles: WatchlistFiles
    package let alerts: AlertService
    package let displays: DisplayService
    package let displayPairings: DisplayPairingService
    /// The server's own currency, by its code.
    package let currency: String
    package let services: [any Service]
    /// Their files in an export of all data. Alerts can post to conversations, and displays show lists.
    package var transferParts: [TransferPart] {
        watchlist.transferParts + [alerts.transferPart, displays.transferPart]
    }

    /// - Parameters:
    ///   - plan: says how many calls a month CoinGecko allows
    ///   - interval: seconds between two requests for prices; nil for the plan's own
    ///   - warnsOfInterval: whether an interval that the plan cannot give is logged
    package init(
        api: CoinGeckoAPI, plan: CoinGeckoPlan, interval: Int?, warnsOfInterval: Bool, currency: String,
        delivery: any AlertDelivery, database: Database, pictures: PictureCache, sealer: Sealer,
        feed: ChangeFeed, heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        self.currency = currency
        let calls = CallCounter(
            plan: plan, database: database, clock: clock, log: log)
        catalog = CoinCatalog(
            api: api, database: database, calls: calls, feed: feed, clock: clock,
            log: log)
        currencies = SupportedCurrencies(api: api, calls: calls, feed: feed, clock: clock, log: log)
        prices = PriceRefresher(
            api: api,
            schedule: PriceSchedule(plan: plan, override: interval, warns: warnsOfInterval),
            calls: calls, feed: feed, clock: clock, log: log, currencies: currencies,
            watched: {
                try await database.read { reads in
                    try reads.coinsOfUsers(standardCurrency: currency)
                        .merging(try reads.coinsWithAlerts()) { $0.union($1) }
                }
            })
        charts = CoinChartService(api: api, calls: calls, feed: feed, clock: clock, log: log)
        logos = CoinLogos(
            prices: prices, pictures: pictures, source: CoinPictureSource(home: api.home))
        watchlist = WatchlistService(
            database: database, catalog: catalog, prices: prices, currencies: currencies, feed: feed,
            clock: clock)
        watchlistFiles = WatchlistFiles(watchlist: watchlist, heavyWork: heavyWork)
        displays = DisplayService(
            database: database, sealer: sealer, feed: feed, clock: clock, log: log)
        displayPairings = DisplayPairingService(
            database: database, displays: displays, clock: clock)
        alerts = AlertService(
            database: database, catalog: catalog, prices: prices, currencies: currencies, delivery: delivery,
            watchlist: watchlist, clock: clock, log: log)
        services = [calls, catalog, prices, charts, currencies, watchlist, alerts, displays]
    }
}
