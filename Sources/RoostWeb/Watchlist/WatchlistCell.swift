import Foundation
import Market

/// One figure of a row, in a column that the reader chose.
struct WatchlistCell: Sendable {
    let column: WatchlistColumn
    let change: ChangeText?
    /// An amount, and all that is known of it.
    let amount: String?
    let title: String?
    let direction: ChangeText.Direction?
    let place: ColumnPlace
    var isLine: Bool { column == .sparkline }
    var amountDirection: ChangeText.Direction { direction ?? .unknown }
    var isGain: Bool { direction != nil }
}

extension WatchlistCell {
    init(_ column: WatchlistColumn, of entry: WatchlistEntry, currency: String, place: ColumnPlace) {
        self.column = column
        self.place = place
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
                totals.profit.map { AmountText.gain($0.amount, currency: currency) } ?? totals.notComparable
            }
            title = entry.totals?.profit.flatMap { AmountText.percent($0.percent) }
            direction = entry.totals?.profit.map { ChangeText.Direction($0.amount) }
        }
        (self.change, self.amount, self.title, self.direction) = (change, amount, title, direction)
    }
}

/// Where a column is shown: a list that is narrower than all its columns leaves out the least telling ones.
struct ColumnPlace: Sendable, Equatable {
    let column: WatchlistColumn
    /// The width of a list, in CSS pixels, from which the column is shown; a multiple of `step`.
    let width: Int
    /// The one column besides the price that a phone shows.
    let isOnPhones: Bool
    let classes: String

    private init(_ column: WatchlistColumn, width: Int, isOnPhones: Bool) {
        (self.column, self.width, self.isOnPhones) = (column, width, isOnPhones)
        classes = "from-\(width)\(isOnPhones ? " on-phones" : "")\(column == .sparkline ? " line" : "")"
    }

    /// Widths are told apart by so much.
    static let step = 40
    /// No column waits for a wider list than this.
    static let maximumWidth = 1_200
    /// Name and price.
    private static let baseWidth = 320

    /// What goes last where there is little room.
    private static let priority: [WatchlistColumn] = [
        .change24h, .sparkline, .change7d, .holdings, .marketCap, .profit, .change1h, .volume,
    ]

    private static func width(of column: WatchlistColumn) -> Int {
        switch column {
        case .change1h, .change24h, .change7d: 96
        case .marketCap, .volume: 80
        case .sparkline: 136
        case .holdings, .profit: 128
        }
    }

    /// The places of these columns, in their order.
    ///
    /// - Parameter sort: what the list is sorted by is shown first where there is little room
    static func places(of columns: [WatchlistColumn], sort: SortOption) -> [ColumnPlace] {
        let sorted = columns.first { $0.sort == sort }
        let byNeed = (sorted.map { [$0] } ?? []) + priority.filter { $0 != sorted && columns.contains($0) }
        var width = baseWidth
        var widths: [WatchlistColumn: Int] = [:]
        for column in byNeed {
            width += Self.width(of: column)
            widths[column] = min((width + step - 1) / step * step, maximumWidth)
        }
        let phone = byNeed.first { $0 != .sparkline }
        return columns.map {
            ColumnPlace($0, width: widths[$0] ?? maximumWidth, isOnPhones: $0 == phone)
        }
    }
}

extension ChangeText.Direction {
    init(_ amount: Decimal) {
        self = amount > 0 ? .up : amount < 0 ? .down : .flat
    }
}

/// The head of a column.
struct ColumnHead: Sendable {
    let text: String
    /// What a click orders the list by; nil where nothing is ordered by it.
    let sort: WatchlistOrder?
    /// "ascending" or "descending", where the list is ordered by it.
    let ariaSort: String?
    let classes: String

    /// - Parameter chosen: how the list is ordered; another click on that column turns it round
    init(_ text: String, sort option: SortOption?, chosen: WatchlistOrder, classes: String) {
        self.text = text
        self.classes = classes
        let isChosen = option == chosen.option
        sort = option.map { isChosen ? chosen.reversed : WatchlistOrder($0) }
        // Names begin with A, all else with the highest.
        let ascends = (option == .name) != chosen.isReversed
        ariaSort = isChosen && option != nil ? (ascends ? "ascending" : "descending") : nil
    }
    var sortValue: String? { sort?.rawValue }
    var sortWords: String { sort?.words ?? "" }
}

extension WatchlistOrder {
    /// "Price (High-Low)", and "Price (Low-High)" where it is reversed.
    var words: String {
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
