/// `/watchlist/rows`: freshness, order and rows.
///
/// The part of the page that is fetched again when prices or the list change.
package struct WatchlistRowsView: Sendable {
    /// How the list is sorted.
    package enum Sort: String, Sendable, CaseIterable {
        case mine, name, price, change

        /// What the button says; the whole text is its accessible name.
        package var short: String {
            switch self {
            case .mine: "My order"
            case .name: "Name"
            case .price: "Price"
            case .change: "Change"
            }
        }

        /// MODELS.md's text.
        package var full: String {
            switch self {
            case .mine: "My order"
            case .name: "Name (A-Z)"
            case .price: "Price (High-Low)"
            case .change: "24h Change (Best-Worst)"
            }
        }
    }

    package let freshness: FreshnessView
    package let sort: Sort
    package let rows: [WatchlistRow]
    let sorts: [SortChoice]

    /// - Parameter sort: the order that `rows` already have
    package init(freshness: FreshnessView, sort: Sort, rows: [WatchlistRow]) {
        self.freshness = freshness
        self.sort = sort
        self.rows = rows
        sorts = Sort.allCases.map { SortChoice(sort: $0, isChosen: $0 == sort) }
    }

    package static let sample = WatchlistRowsView(
        freshness: .sample, sort: .mine, rows: WatchlistRow.samples)

    var isMyOrder: Bool { sort == .mine }
    var hasRows: Bool { !rows.isEmpty }
    var rowCount: String { rows.count == 1 ? "1 coin" : "\(rows.count) coins" }
    var isOld: Bool { freshness.state == .stale }

    struct SortChoice {
        let sort: Sort
        let isChosen: Bool

        var sortValue: String { sort.rawValue }
        var sortShort: String { sort.short }
        var sortFull: String { sort.full }
    }
}
