/// `/watchlist`: the list, and the box that adds to it.
package struct WatchlistView: PageView, Sendable {
    package let layout: LayoutView
    package let list: WatchlistRowsView
    package let search: CoinSearchView
    package let warning: String?
    /// What the page calls the prices' topic.
    package let priceTopic: String

    /// - Parameters:
    ///   - warning: what speaks against the operator's own interval, a sentence
    ///   - priceTopic: of the currency that the prices are in
    package init(
        layout: LayoutView, list: WatchlistRowsView, search: CoinSearchView, warning: String? = nil,
        priceTopic: String = "prices"
    ) {
        self.layout = layout
        self.list = list
        self.search = search
        self.warning = warning
        self.priceTopic = priceTopic
    }

    package static let sample = WatchlistView(
        layout: .sample, list: .sample, search: .sample,
        warning: "Prices are asked for every 5 s by setting, but CoinGecko repeats the same answer for 60 s.")

    var priceWarning: String? { warning }
    var rowsQuery: String { list.query.text }
}
