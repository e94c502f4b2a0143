/// `/watchlist`: the list, and the box that adds to it.
struct WatchlistView: PageView, Sendable {
    let layout: LayoutView
    let list: WatchlistRowsView
    let search: CoinSearchView
    let warning: String?
    /// What the page calls the prices' topic.
    let priceTopic: String

    /// - Parameters:
    ///   - warning: what speaks against the operator's own interval, a sentence
    ///   - priceTopic: of the currency that the prices are in
    init(
        layout: LayoutView, list: WatchlistRowsView, search: CoinSearchView, warning: String? = nil,
        priceTopic: String = "prices"
    ) {
        self.layout = layout
        self.list = list
        self.search = search
        self.warning = warning
        self.priceTopic = priceTopic
    }
    var rowsQuery: String { list.query.text }
}
