/// `/`: a live tile for each feature that exists.
package struct HomeView: PageView {
    package static let template = "home/page"

    package let layout: LayoutView
    package let pulls: PullsTileView
    package let watchlist: WatchlistTileView
    package let displays: DisplaysTileView
    private let pullsPart, watchlistPart, displaysPart: Part

    package init(
        layout: LayoutView, pulls: PullsTileView, watchlist: WatchlistTileView, displays: DisplaysTileView
    ) {
        self.layout = layout
        self.pulls = pulls
        self.watchlist = watchlist
        self.displays = displays
        pullsPart = Part(pulls)
        watchlistPart = Part(watchlist)
        displaysPart = Part(displays)
    }

    package static let sample = HomeView(
        layout: .sample, pulls: .sample, watchlist: .sample, displays: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "pulls": pullsPart
        case "watchlist": watchlistPart
        case "displays": displaysPart
        default: layout.field(name)
        }
    }
}
