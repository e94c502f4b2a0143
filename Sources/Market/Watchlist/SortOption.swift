import Foundation

/// The order of a watchlist. Raw values are used in URLs and in the database.
package enum SortOption: String, Codable, Sendable, CaseIterable {
    case name, price, change, mine, change1h, change7d, cap, volume, value

    /// The mission's texts, and similar ones for orders that it does not have.
    package var text: String {
        switch self {
        case .name: "Name (A-Z)"
        case .price: "Price (High-Low)"
        case .change: "24h Change (Best-Worst)"
        case .mine: "My order"
        case .change1h: "1h Change (Best-Worst)"
        case .change7d: "7d Change (Best-Worst)"
        case .cap: "Market Cap (High-Low)"
        case .volume: "Volume (High-Low)"
        case .value: "Holdings (High-Low)"
        }
    }

    /// Sorts entries. Unknown figures are last in either direction, and names decide between equal ones.
    package func sorted(_ entries: [WatchlistEntry], isReversed: Bool = false) -> [WatchlistEntry] {
        switch self {
        case .mine, .name:
            let ordered = entries.sorted(by: self == .mine ? Self.byPosition : Self.byName)
            return isReversed ? ordered.reversed() : ordered
        case .price: return Self.by(\.currentPrice, entries, isReversed)
        case .change: return Self.by(\.priceChange24h, entries, isReversed)
        case .change1h: return Self.by(\.change1h, entries, isReversed)
        case .change7d: return Self.by(\.change7d, entries, isReversed)
        case .cap: return Self.by(\.marketCap, entries, isReversed)
        case .volume: return Self.by(\.volume24h, entries, isReversed)
        case .value: return Self.by(\.totals?.value, entries, isReversed)
        }
    }

    private static func byPosition(_ one: WatchlistEntry, _ other: WatchlistEntry) -> Bool {
        (one.item.sortOrder, one.item.coinId) < (other.item.sortOrder, other.item.coinId)
    }

    private static func byName(_ one: WatchlistEntry, _ other: WatchlistEntry) -> Bool {
        let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
        return name == otherName ? one.item.coinId < other.item.coinId : name < otherName
    }

    private static func by(
        _ value: (WatchlistEntry) -> Decimal?, _ entries: [WatchlistEntry], _ isReversed: Bool
    ) -> [WatchlistEntry] {
        entries.sorted { one, other in
            switch (value(one), value(other)) {
            case (let left?, let right?) where left != right: isReversed ? left < right : left > right
            case (.some, nil): true
            case (nil, .some): false
            default: byName(one, other)
            }
        }
    }
}
