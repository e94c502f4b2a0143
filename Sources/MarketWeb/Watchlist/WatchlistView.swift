import RoostWeb

struct WatchlistView: PageView, Sendable {
    static let scripts = ["watchlist", "alert-notifications"]

    let layout: LayoutView
    let list: WatchlistRowsView
    let search: CoinSearchView
    /// A problem with the configured refresh interval, as a sentence.
    var warning: String?
    /// The topic of prices in the shown currency.
    var priceTopic = "prices"
}
