/// `/`: a live tile for each feature that exists.
package struct HomeView: PageView {
    package static let template = "home/page"

    package let layout: LayoutView
    package let watchlist: WatchlistTileView
    package let displays: DisplaysTileView
    private let watchlistPart, displaysPart: Part

    package init(layout: LayoutView, watchlist: WatchlistTileView, displays: DisplaysTileView) {
        self.layout = layout
        self.watchlist = watchlist
        self.displays = displays
        watchlistPart = Part(watchlist)
        displaysPart = Part(displays)
    }

    package static let sample = HomeView(layout: .sample, watchlist: .sample, displays: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "watchlist": watchlistPart
        case "displays": displaysPart
        default: layout.field(name)
        }
    }
}
