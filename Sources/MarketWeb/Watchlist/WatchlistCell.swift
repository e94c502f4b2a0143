import Foundation
import Market
import RoostWeb

struct WatchlistCell: Sendable {
    let column: WatchlistColumn
    let change: ChangeText?
    /// A shortened amount; `title` has all its digits.
    let amount: String?
    let title: String?
    let direction: ChangeText.Direction?
    let visibility: ColumnVisibility
    var isLine: Bool { column == .sparkline }
    var amountDirection: ChangeText.Direction { direction ?? .unknown }
    var hasDirection: Bool { direction != nil }
}

extension WatchlistCell {
    init(
        _ column: WatchlistColumn, of entry: WatchlistEntry, currency: String, visibility: ColumnVisibility
    ) {
        self.column = column
        self.visibility = visibility
        var (change, amount, title): (ChangeText?, String?, String?) = (nil, nil, nil)
        var direction: ChangeText.Direction?
        func money(_ value: Decimal?) {
            amount = AmountText.short(value, currency: currency)
            title = value.map { AmountText.exact($0) }
        }
        switch column {
        case .change1h: change = ChangeText(entry.change1h, over: .hour)
        case .change24h: change = ChangeText(entry.priceChange24h)
        case .change7d: change = ChangeText(entry.change7d, over: .week)
        case .marketCap: money(entry.marketCap)
        case .volume: money(entry.volume24h)
        case .sparkline: break
        case .holdings:
            amount = entry.totals.map { totals in
                totals.value.map { AmountText.money($0, currency: currency) } ?? "no price"
            }
            title = entry.totals.map { "\(AmountText.exact($0.amount)) \(entry.symbol.uppercased())" }
        case .profit:
            amount = entry.totals.flatMap { totals in
                totals.profit.map { AmountText.signedMoney($0.amount, currency: currency) }
                    ?? totals.incomparableReason
            }
            title = entry.totals?.profit.flatMap { AmountText.percent($0.percent) }
            direction = entry.totals?.profit.map { ChangeText.Direction($0.amount) }
        }
        (self.change, self.amount, self.title, self.direction) = (change, amount, title, direction)
    }
}

/// Where a column is shown, and how wide all of a list's columns are.
struct ColumnVisibility: Sendable, Equatable {
    let column: WatchlistColumn
    /// Phones show one column in addition to the price.
    let isOnPhones: Bool
    /// Classes of `watchlist.css`, each after a space; empty for most columns.
    let classes: String

    private init(_ column: WatchlistColumn, isOnPhones: Bool) {
        (self.column, self.isOnPhones) = (column, isOnPhones)
        classes = (isOnPhones ? " on-phones" : "") + (column == .sparkline ? " line" : "")
    }

    /// The width of the name and price columns, in CSS pixels.
    private static let baseWidth = 360
    /// The granularity of the widths in `watchlist.css`.
    private static let step = 40

    /// Phones show the first of these.
    private static let priority: [WatchlistColumn] = [
        .change24h, .change7d, .holdings, .marketCap, .profit, .change1h, .volume,
    ]

    private static func width(of column: WatchlistColumn) -> Int {
        switch column {
        case .change1h, .change24h, .change7d: 88
        case .marketCap, .volume: 80
        case .sparkline: 124
        case .holdings, .profit: 120
        }
    }

    /// Keeps the order of the columns. Phones show the column of the sort order, or else the most important one.
    static func visibilities(of columns: [WatchlistColumn], sort: SortOption) -> [ColumnVisibility] {
        let phone =
            columns.first { $0.sort == sort && $0 != .sparkline } ?? priority.first(where: columns.contains)
        return columns.map { ColumnVisibility($0, isOnPhones: $0 == phone) }
    }

    /// The class of a table with these columns, such as "fits-840": a narrower list scrolls the table sideways.
    static func fit(_ columns: [WatchlistColumn]) -> String {
        let width = columns.reduce(baseWidth) { $0 + Self.width(of: $1) }
        return "fits-\((width + step - 1) / step * step)"
    }
}

extension ChangeText.Direction {
    init(_ amount: Decimal) {
        self = amount > 0 ? .up : amount < 0 ? .down : .flat
    }
}

struct ColumnHead: Sendable {
    let text: String
    /// The order that a click selects; nil if the column isn't sortable.
    let sort: WatchlistOrder?
    /// "ascending" or "descending"; nil unless the list is sorted by this column.
    let ariaSort: String?
    let classes: String

    init(_ text: String, sort option: SortOption?, chosen: WatchlistOrder, classes: String) {
        self.text = text
        self.classes = classes
        let isChosen = option == chosen.option
        sort = option.map { isChosen ? chosen.reversed : WatchlistOrder($0) }
        // Names sort from A by default, everything else from the highest value.
        let ascends = (option == .name) != chosen.isReversed
        ariaSort = isChosen && option != nil ? (ascends ? "ascending" : "descending") : nil
    }
    var sortValue: String? { sort?.rawValue }
    var sortLabel: String { sort?.text ?? "" }
}

extension WatchlistOrder {
    var text: String {
        guard isReversed else { return option.text }
        return switch option {
        case .mine: "My order, reversed"
        case .name: "Name (Z-A)"
        default:
            option.text.replacingBytes(of: "High-Low", with: "Low-High")
                .replacingBytes(of: "Best-Worst", with: "Worst-Best")
        }
    }
}
