/// `/`: a live tile for each feature that exists.
package struct HomeView: PageView {
    package static let template = "home/page"

    package let layout: LayoutView
    package let pulls: PullsTileView
    package let watchlist: WatchlistTileView
    package let displays: DisplaysTileView
    private let pullsPart, watchlistPart, displaysPart: Part
    private let bookmarks: Part?

    /// - Parameter bookmarks: nil for somebody who has none
    package init(
        layout: LayoutView, pulls: PullsTileView, bookmarks: BookmarksTileView?,
        watchlist: WatchlistTileView, displays: DisplaysTileView
    ) {
        self.layout = layout
        self.pulls = pulls
        self.watchlist = watchlist
        self.displays = displays
        pullsPart = Part(pulls)
        self.bookmarks = bookmarks.map(Part.init)
        watchlistPart = Part(watchlist)
        displaysPart = Part(displays)
    }

    package static let sample = HomeView(
        layout: .sample, pulls: .sample, bookmarks: .sample, watchlist: .sample, displays: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "pulls": pullsPart
        case "bookmarks": bookmarks
        case "watchlist": watchlistPart
        case "displays": displaysPart
        default: layout.field(name)
        }
    }
}
