/// How a watchlist is ordered; the raw value is its name in addresses and in the database.
package enum SortOption: String, Codable, Sendable, CaseIterable {
    case name, price, change, mine

    /// The mission's words.
    package var text: String {
        switch self {
        case .name: "Name (A-Z)"
        case .price: "Price (High-Low)"
        case .change: "24h Change (Best-Worst)"
        case .mine: "My order"
        }
    }

    /// What goes first, with unknown figures last and the name deciding between equals.
    package func sorted(_ entries: [WatchlistEntry]) -> [WatchlistEntry] {
        switch self {
        case .mine:
            entries.sorted { ($0.item.sortOrder, $0.item.coinId) < ($1.item.sortOrder, $1.item.coinId) }
        case .name: entries.sorted(by: Self.byName)
        case .price: entries.sorted { Self.by(\.currentPrice, $0, $1) }
        case .change: entries.sorted { Self.by(\.priceChange24h, $0, $1) }
        }
    }

    private static func byName(_ one: WatchlistEntry, _ other: WatchlistEntry) -> Bool {
        let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
        return name == otherName ? one.item.coinId < other.item.coinId : name < otherName
    }

    private static func by<NumberText: Comparable>(
        _ figure: (WatchlistEntry) -> NumberText?, _ one: WatchlistEntry, _ other: WatchlistEntry
    ) -> Bool {
        switch (figure(one), figure(other)) {
        case (let left?, let right?) where left != right: left > right
        case (.some, nil): true
        case (nil, .some): false
        default: byName(one, other)
        }
    }
}
