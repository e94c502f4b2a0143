import RoostSupport

/// What a watchlist is ordered by, and in which direction.
///
/// In addresses and in the database it is the option's name, with a "-" before it where it is reversed.
package struct WatchlistOrder: Hashable, Sendable, RawRepresentable {
    package let option: SortOption
    /// The lowest first where the option begins with the highest; Z before A for names, and the last place first.
    package let isReversed: Bool

    package init(_ option: SortOption, isReversed: Bool = false) {
        self.option = option
        self.isReversed = isReversed
    }

    /// Nil for a name that is no option's.
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

    /// The entries in this order; unknown figures stand last in either direction.
    package func sorted(_ entries: [WatchlistEntry]) -> [WatchlistEntry] {
        option.sorted(entries, isReversed: isReversed)
    }

    /// What a form or an address names. Throws `RoostError.invalid(field: "sort")`.
    package static func named(_ text: String) throws -> WatchlistOrder {
        guard let order = WatchlistOrder(rawValue: text) else {
            let names = SortOption.allCases.map(\.rawValue).joined(separator: ", ")
            throw RoostError.invalid(
                field: "sort", why: "The order is one of \(names), with a “-” before it for the reverse.")
        }
        return order
    }
}
