/// `/`: a live tile for each feature that exists.
package struct HomeView: PageView, Sendable {
    package let layout: LayoutView
    package let pulls: PullsTileView
    package let watchlist: WatchlistTileView
    package let displays: DisplaysTileView
    package let bookmarks: BookmarksTileView?

    /// - Parameter bookmarks: nil for somebody who has none
    package init(
        layout: LayoutView, pulls: PullsTileView, bookmarks: BookmarksTileView?,
        watchlist: WatchlistTileView, displays: DisplaysTileView
    ) {
        self.layout = layout
        self.pulls = pulls
        self.watchlist = watchlist
        self.displays = displays
        self.bookmarks = bookmarks
    }

    package static let sample = HomeView(
        layout: .sample, pulls: .sample, bookmarks: .sample, watchlist: .sample, displays: .sample)
}
