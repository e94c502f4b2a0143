/// How a user wants watchlists to look; the same for all of a user's lists.
package struct WatchlistChoices: Equatable, Sendable {
    package enum Density: String, CaseIterable, Codable, Sendable {
        case comfortable, compact
    }

    /// In the order in which they stand; each once.
    package var columns: [WatchlistColumn]
    package var density: Density
    package var redIsUp: Bool
    /// CoinGecko's code in lower case, such as "eur"; nil: the server's.
    package var currency: String?

    package init(
        columns: [WatchlistColumn] = standardColumns, density: Density = .comfortable, redIsUp: Bool = false,
        currency: String? = nil
    ) {
        self.columns = columns
        self.density = density
        self.redIsUp = redIsUp
        self.currency = currency
    }

    /// What those see who have chosen nothing: all that CoinGecko tells, and nothing of what they own.
    package static let standardColumns: [WatchlistColumn] = [
        .change1h, .change24h, .change7d, .marketCap, .volume, .sparkline,
    ]
}

/// A column that can be shown or left out; logo, name and price always stand there.
package enum WatchlistColumn: String, CaseIterable, Codable, Sendable {
    case change1h, change24h, change7d, marketCap, volume, sparkline, holdings, profit

    /// What stands above it and beside its box.
    package var text: String {
        switch self {
        case .change1h: "1 h"
        case .change24h: "24 h"
        case .change7d: "7 d"
        case .marketCap: "Market cap"
        case .volume: "Volume (24 h)"
        case .sparkline: "Last 7 days"
        case .holdings: "Holdings"
        case .profit: "Profit"
        }
    }

    /// The order that a click on its head chooses; nil for a column without an order.
    package var sort: SortOption? {
        switch self {
        case .change1h: .change1h
        case .change24h: .change
        case .change7d: .change7d
        case .marketCap: .cap
        case .volume: .volume
        case .holdings: .value
        case .sparkline, .profit: nil
        }
    }
}
