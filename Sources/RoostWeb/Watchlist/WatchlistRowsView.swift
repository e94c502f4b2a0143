import Foundation
import Market

/// `/watchlist/rows`: freshness, the user's lists, what they are worth, and the rows.
///
/// The part of the page that is fetched again when prices or the list change.
struct WatchlistRowsView: Sendable {
    let freshness: FreshnessView
    let sort: WatchlistOrder
    let rows: [WatchlistRow]
    let query: WatchlistQuery
    let density: WatchlistChoices.Density
    let heads: [ColumnHead]
    let tabs: [ListTab]
    let chips: [CategoryChip]
    let groups: [RowGroup]
    let totals: TotalsText?
    let sorts: [SortChoice]
    let redIsUp: Bool
    let currency: String

    /// - Parameters:
    ///   - sort: the order that `rows` already have
    ///   - query: which of the coins these are
    ///   - lists: all of the user's, in their order; none with fewer than two is shown as tabs
    ///   - current: the list that is shown
    ///   - categories: those of the whole list, with the numbers of their coins
    ///   - totals: what the user has of the list's coins
    init(
        freshness: FreshnessView, sort: WatchlistOrder, rows: [WatchlistRow],
        query: WatchlistQuery = .init(), choices: WatchlistChoices = .init(), lists: [Watchlist] = [],
        current: WatchlistID? = nil, categories: [(name: String, count: Int)] = [],
        totals: ListTotals? = nil, currency: String = "usd"
    ) {
        self.freshness = freshness
        self.sort = sort
        self.rows = rows
        self.query = query
        density = choices.density
        redIsUp = choices.redIsUp
        self.currency = currency.uppercased()
        heads =
            [
                ColumnHead("Coin", sort: .name, chosen: sort, classes: "coin"),
                ColumnHead("Price", sort: .price, chosen: sort, classes: "figure"),
            ]
            + ColumnPlace.places(of: choices.columns, sort: sort.option).map {
                ColumnHead(
                    $0.column.head, sort: $0.column.sort, chosen: sort, classes: "figure \($0.classes)")
            }
        tabs = lists.count < 2 ? [] : lists.map { ListTab(list: $0, isCurrent: $0.id == current) }
        chips = CategoryChip.all(categories, in: query)
        groups = RowGroup.groups(rows, isGrouped: query.isGrouped)
        self.totals = totals.flatMap { TotalsText($0, currency: currency) }
        sorts = [WatchlistOrder.mine, .name, .price, .change].map {
            SortChoice(sort: $0, isChosen: $0 == sort)
        }
    }

    /// Coins are dragged only where all of them stand in the user's own order.
    var isMyOrder: Bool { sort == .mine && query.category == nil && !query.isGrouped }
    var hasRows: Bool { !rows.isEmpty }
    var rowCount: String { rows.count == 1 ? "1 coin" : "\(rows.count) coins" }
    var isOld: Bool { freshness.state == .stale }
    var isCompact: Bool { density == .compact }
    var hasTabs: Bool { !tabs.isEmpty }
    var hasChips: Bool { !chips.isEmpty }
    var isOfCategory: Bool { query.category != nil }
    var listField: String? { query.list.map(String.init) }
    var back: String { query.address }
    /// The head of the list that names a group spans all columns, that of the actions included.
    var columnCount: Int { heads.count + 1 }

    struct SortChoice {
        let sort: WatchlistOrder
        let isChosen: Bool

        var sortValue: String { sort.rawValue }
        var sortShort: String {
            switch sort.option {
            case .mine: "My order"
            case .name: "Name"
            case .price: "Price"
            default: "Change"
            }
        }
    }
}

/// One of the user's lists, as a tab above the rows.
struct ListTab {
    let list: Watchlist
    let isCurrent: Bool

    var listName: String { list.name }
    var listAddress: String { WatchlistQuery(list: list.id).address }
}

/// A link that shows only the coins of a category, all, or all under their categories' names.
struct CategoryChip {
    let text: String
    let count: Int?
    let address: String
    let isChosen: Bool

    /// None without categories.
    static func all(_ categories: [(name: String, count: Int)], in query: WatchlistQuery) -> [CategoryChip] {
        guard !categories.isEmpty || query.category != nil else { return [] }
        func chip(_ text: String, _ count: Int? = nil, category: String? = nil, isGrouped: Bool = false)
            -> CategoryChip
        {
            let wanted = WatchlistQuery(list: query.list, category: category, isGrouped: isGrouped)
            return CategoryChip(text: text, count: count, address: wanted.address, isChosen: wanted == query)
        }
        return [chip("All"), chip("By category", isGrouped: true)]
            + categories.map { chip($0.name, $0.count, category: $0.name) }
    }

    var chipText: String { text }
    var chipCount: Int? { count }
    var chipAddress: String { address }
}

/// The rows under one heading; a list that is not grouped is one without.
struct RowGroup {
    let name: String?
    let rows: [WatchlistRow]

    /// Categories by their names, with what has none last.
    static func groups(_ rows: [WatchlistRow], isGrouped: Bool) -> [RowGroup] {
        guard isGrouped else { return [RowGroup(name: nil, rows: rows)] }
        let named = Dictionary(grouping: rows, by: \.category)
        let names = named.keys.compactMap(\.self).sorted { $0.lowercased() < $1.lowercased() }
        return (names.map(Optional.some) + [nil]).compactMap { name in
            named[name].map { RowGroup(name: name ?? "Without a category", rows: $0) }
        }
    }

    var groupName: String? { name }
}

extension WatchlistColumn {
    /// What stands above the column, where there is little room.
    var head: String { self == .volume ? "Volume" : text }
}
