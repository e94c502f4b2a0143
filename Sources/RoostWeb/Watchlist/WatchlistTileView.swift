/// `/watchlist/tile`: the watchlist in brief, on the home page.
package struct WatchlistTileView: Sendable {
    /// More rows than this are not shown.
    package static let limit = 5

    package let rows: [WatchlistRow]
    package let count: Int
    package let freshness: FreshnessView
    let redIsUp: Bool
    private let priceTopic: String

    /// - Parameters:
    ///   - rows: the first coins in the person's order; at most `limit` are shown
    ///   - count: how many there are in all
    ///   - priceTopic: of the currency that the prices are in
    package init(
        rows: [WatchlistRow], count: Int, freshness: FreshnessView, redIsUp: Bool = false,
        priceTopic: String = "prices"
    ) {
        self.rows = Array(rows.prefix(Self.limit))
        self.count = count
        self.freshness = freshness
        self.redIsUp = redIsUp
        self.priceTopic = priceTopic
    }

    package static let sample = WatchlistTileView(
        rows: WatchlistRow.samples, count: WatchlistRow.samples.count, freshness: .sample)

    /// Its place on the home page.
    package var tile: HomeTile {
        HomeTile(
            "Watchlist", at: "/watchlist/tile", topics: [priceTopic, "watchlist", "pictures"], self,
            step: FirstStep(
                "Add coins", "See their prices here and on wall screens.", at: "/watchlist",
                topic: "watchlist", isDone: count > 0))
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { count }
    var more: Int? { count > rows.count ? count - rows.count : nil }
}
