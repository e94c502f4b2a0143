/// `/watchlist/tile`: the watchlist in brief, on the home page.
struct WatchlistTileView: Sendable {
    /// More rows than this are not shown.
    static let limit = 5

    let rows: [WatchlistRow]
    let count: Int
    let freshness: FreshnessView
    let redIsUp: Bool
    private let priceTopic: String

    /// - Parameters:
    ///   - rows: the first coins in the person's order; at most `limit` are shown
    ///   - count: how many there are in all
    ///   - priceTopic: of the currency that the prices are in
    init(
        rows: [WatchlistRow], count: Int, freshness: FreshnessView, redIsUp: Bool = false,
        priceTopic: String = "prices"
    ) {
        self.rows = Array(rows.prefix(Self.limit))
        self.count = count
        self.freshness = freshness
        self.redIsUp = redIsUp
        self.priceTopic = priceTopic
    }

    /// Its place on the home page.
    var tile: HomeTile {
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
