/// `/watchlist/tile`: the watchlist in brief, on the home page.
package struct WatchlistTileView: Sendable {
    /// More rows than this are not shown.
    package static let limit = 5

    package let rows: [WatchlistRow]
    package let count: Int
    package let freshness: FreshnessView

    /// - Parameters:
    ///   - rows: the first coins in the person's order; at most `limit` are shown
    ///   - count: how many there are in all
    package init(rows: [WatchlistRow], count: Int, freshness: FreshnessView) {
        self.rows = Array(rows.prefix(Self.limit))
        self.count = count
        self.freshness = freshness
    }

    package static let sample = WatchlistTileView(
        rows: WatchlistRow.samples, count: WatchlistRow.samples.count, freshness: .sample)

    /// Its place on the home page.
    package var tile: HomeTile {
        HomeTile("Watchlist", at: "/watchlist/tile", topics: ["prices", "watchlist"], self)
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { count }
    var more: Int? { count > rows.count ? count - rows.count : nil }
}
