/// `/watchlist/tile`: the watchlist in brief, on the home page.
package struct WatchlistTileView: TemplateView {
    package static let template = "watchlist/tile"
    /// More rows than this are not shown.
    package static let limit = 5

    package let rows: [WatchlistRow]
    package let count: Int
    package let freshness: FreshnessView
    private let rowParts: [Part]
    private let freshnessPart: Part

    /// - Parameters:
    ///   - rows: the first coins in the person's order; at most `limit` are shown
    ///   - count: how many there are in all
    package init(rows: [WatchlistRow], count: Int, freshness: FreshnessView) {
        self.rows = Array(rows.prefix(Self.limit))
        self.count = count
        self.freshness = freshness
        rowParts = self.rows.map(Part.init)
        freshnessPart = Part(freshness)
    }

    package static let sample = WatchlistTileView(
        rows: WatchlistRow.samples, count: WatchlistRow.samples.count, freshness: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "rows": rowParts
        case "hasRows": !rows.isEmpty
        case "total": count
        case "more": count > rows.count ? count - rows.count : nil
        case "freshness": freshnessPart
        default: nil
        }
    }
}
