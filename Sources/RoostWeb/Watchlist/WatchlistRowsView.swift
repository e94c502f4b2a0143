/// `/watchlist/rows`: freshness, order and rows.
///
/// The part of the page that is fetched again when prices or the list change.
package struct WatchlistRowsView: TemplateView {
    package static let template = "watchlist/rows"

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
    package let formToken: String?
    private let sorts, rowParts: [Part]
    private let rendered: String?
    private let count: Int
    private let freshnessPart: Part

    /// - Parameters:
    ///   - sort: the order that `rows` already have
    ///   - rendered: the same rows as text, by the template of a row, where they were rendered before
    ///   - formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(
        freshness: FreshnessView, sort: Sort, rows: [WatchlistRow], rendered: [String] = [],
        formToken: String? = nil
    ) {
        self.freshness = freshness
        self.sort = sort
        self.rows = rows
        self.formToken = formToken
        sorts = Sort.allCases.map { Part(SortChoice(sort: $0, isChosen: $0 == sort)) }
        rowParts = rows.map(Part.init)
        count = max(rows.count, rendered.count)
        self.rendered = rendered.isEmpty ? nil : rendered.joined()
        freshnessPart = Part(freshness)
    }

    package static let sample = WatchlistRowsView(
        freshness: .sample, sort: .mine, rows: WatchlistRow.samples)

    package func field(_ name: String) -> Any? {
        switch name {
        case "freshness": freshnessPart
        case "sorts": sorts
        case "isMyOrder": sort == .mine
        case "rows": rowParts
        case "rendered": rendered
        case "hasRows": count > 0
        case "rowCount": count == 1 ? "1 coin" : "\(count) coins"
        case "isOld": freshness.state == .stale
        case "formToken": formToken
        default: nil
        }
    }

    private struct SortChoice: ViewFields {
        let sort: Sort
        let isChosen: Bool

        func field(_ name: String) -> Any? {
            switch name {
            case "sortValue": sort.rawValue
            case "sortShort": sort.short
            case "sortFull": sort.full
            case "isChosen": isChosen
            default: nil
            }
        }
    }
}
