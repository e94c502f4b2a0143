/// `/watchlist`: the list, and the box that adds to it.
package struct WatchlistView: PageView {
    package static let template = "watchlist/page"

    package let layout: LayoutView
    package let list: WatchlistRowsView
    package let search: CoinSearchView

    package init(layout: LayoutView, list: WatchlistRowsView, search: CoinSearchView) {
        self.layout = layout
        self.list = list
        self.search = search
    }

    package static let sample = WatchlistView(layout: .sample, list: .sample, search: .sample)

    package func field(_ name: String) -> Any? {
        list.field(name) ?? search.field(name) ?? layout.field(name)
    }
}
