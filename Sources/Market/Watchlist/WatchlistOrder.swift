import RoostSupport

/// The raw value, used in URLs and in the database, is the option's name with a leading "-" if reversed.
package struct WatchlistOrder: Hashable, Sendable, RawRepresentable, ColumnValue {
    package let option: SortOption
    /// Reversed means lowest first for figures, Z to A for names, and the last position first.
    package let isReversed: Bool

    package init(_ option: SortOption, isReversed: Bool = false) {
        self.option = option
        self.isReversed = isReversed
    }

    package init?(rawValue: String) {
        let isReversed = rawValue.utf8.first == UInt8(ascii: "-")
        guard let option = SortOption(rawValue: isReversed ? String(rawValue.dropFirst()) : rawValue) else {
            return nil
        }
        self.init(option, isReversed: isReversed)
    }

    package var rawValue: String { (isReversed ? "-" : "") + option.rawValue }

    package var reversed: WatchlistOrder { WatchlistOrder(option, isReversed: !isReversed) }

    package static let mine = WatchlistOrder(.mine)
    package static let name = WatchlistOrder(.name)
    package static let price = WatchlistOrder(.price)
    package static let change = WatchlistOrder(.change)

    package func sorted(_ entries: [WatchlistEntry]) -> [WatchlistEntry] {
        option.sorted(entries, isReversed: isReversed)
    }

    /// The order from a form or URL. Throws `RoostError.invalid(field: "sort")`.
    package static func named(_ text: String) throws -> WatchlistOrder {
        guard let order = WatchlistOrder(rawValue: text) else {
            let names = SortOption.allCases.map(\.rawValue).joined(separator: ", ")
            throw RoostError.invalid(
                field: "sort", why: "“sort” must be one of \(names); a “-” in front reverses it.")
        }
        return order
    }
}
