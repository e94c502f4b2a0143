import Foundation
import Market
import RoostWeb

struct WatchlistView: PageView, Sendable {
    static let scripts = ["watchlist", "alert-notifications"]

    let layout: LayoutView
    let list: WatchlistRowsView
    let search: CoinSearchView
    /// A problem with the configured refresh interval, as a sentence.
    var warning: String?
    /// The topic of prices in the shown currency.
    var priceTopic = "prices"
}

/// `/watchlist/rows`: the live part of the page.
struct WatchlistRowsView: Sendable {
    let freshness: FreshnessView
    let sort: WatchlistOrder
    let rows: [WatchlistRow]
    let query: WatchlistQuery
    let density: WatchlistPreferences.Density
    let heads: [ColumnHead]
    /// See `ColumnVisibility.fit`.
    let fit: String
    let tabs: [ListTab]
    let chips: [CategoryChip]
    let groups: [RowGroup]
    let totals: TotalsText?
    let sorts: [SortChoice]
    let redIsUp: Bool
    let currency: String

    /// - Parameters:
    ///   - sort: the order that `rows` already have
    ///   - lists: all of the user's lists; shown as tabs if there are at least two
    ///   - categories: of the whole list, with their numbers of coins
    init(
        freshness: FreshnessView, sort: WatchlistOrder, rows: [WatchlistRow],
        query: WatchlistQuery = .init(), preferences: WatchlistPreferences = .init(), lists: [Watchlist] = [],
        current: WatchlistID? = nil, categories: [(name: String, count: Int)] = [],
        totals: ListTotals? = nil, currency: String = "usd"
    ) {
        self.freshness = freshness
        self.sort = sort
        self.rows = rows
        self.query = query
        density = preferences.density
        redIsUp = preferences.redIsUp
        self.currency = currency.uppercased()
        heads =
            [
                ColumnHead("Coin", sort: .name, chosen: sort, classes: "coin"),
                ColumnHead("Price", sort: .price, chosen: sort, classes: "figure"),
            ]
            + ColumnVisibility.visibilities(of: preferences.columns, sort: sort.option).map {
                ColumnHead(
                    $0.column.head, sort: $0.column.sort, chosen: sort, classes: "figure\($0.classes)")
            }
        fit = ColumnVisibility.fit(preferences.columns)
        tabs = lists.count < 2 ? [] : lists.map { ListTab(list: $0, isCurrent: $0.id == current) }
        chips = CategoryChip.all(categories, in: query)
        groups = RowGroup.groups(rows, isGrouped: query.isGrouped)
        self.totals = totals.flatMap { TotalsText($0, currency: currency) }
        sorts = [WatchlistOrder.mine, .name, .price, .change].map {
            SortChoice(sort: $0, isChosen: $0 == sort)
        }
    }

    /// Coins can be dragged only if all are shown in the user's own order.
    var isMyOrder: Bool { sort == .mine && query.category == nil && !query.isGrouped }
    var hasRows: Bool { !rows.isEmpty }
    var rowCount: String { rows.count == 1 ? "1 coin" : "\(rows.count) coins" }
    var isOld: Bool { freshness.state == .stale }
    var isCompact: Bool { density == .compact }
    var hasTabs: Bool { !tabs.isEmpty }
    var hasChips: Bool { !chips.isEmpty }
    var isOfCategory: Bool { query.category != nil }
    var listField: String? { query.list.map(String.init) }
    /// The column span of a group heading, including the actions column.
    var columnCount: Int { heads.count + 1 }

    struct SortChoice {
        let sort: WatchlistOrder
        let isChosen: Bool

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

struct ListTab {
    let list: Watchlist
    let isCurrent: Bool

    var listAddress: String { WatchlistQuery(list: list.id).address }
}

struct CategoryChip {
    let text: String
    let count: Int?
    let address: String
    let isChosen: Bool

    static func all(_ categories: [(name: String, count: Int)], in query: WatchlistQuery) -> [CategoryChip] {
        guard !categories.isEmpty || query.category != nil else { return [] }
        func chip(_ text: String, _ count: Int? = nil, category: String? = nil, isGrouped: Bool = false)
            -> CategoryChip
        {
            let target = WatchlistQuery(list: query.list, category: category, isGrouped: isGrouped)
            return CategoryChip(text: text, count: count, address: target.address, isChosen: target == query)
        }
        return [chip("All"), chip("By category", isGrouped: true)]
            + categories.map { chip($0.name, $0.count, category: $0.name) }
    }
}

/// The rows under a heading. An ungrouped list has a single group without one.
struct RowGroup {
    let name: String?
    let rows: [WatchlistRow]

    /// Sorts groups by name, with uncategorised coins last.
    static func groups(_ rows: [WatchlistRow], isGrouped: Bool) -> [RowGroup] {
        guard isGrouped else { return [RowGroup(name: nil, rows: rows)] }
        let named = Dictionary(grouping: rows, by: \.category)
        let names = named.keys.compactMap(\.self).sorted { $0.lowercased() < $1.lowercased() }
        return (names.map(Optional.some) + [nil]).compactMap { name in
            named[name].map { RowGroup(name: name ?? "No category", rows: $0) }
        }
    }
}

extension WatchlistColumn {
    var head: String { self == .volume ? "Volume" : text }
}
