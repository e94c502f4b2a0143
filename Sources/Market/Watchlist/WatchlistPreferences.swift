import RoostSupport

/// How a user's watchlists look; the same for all their lists.
package struct WatchlistPreferences: Preferences, Equatable {
    package static let name = "watchlist"

    package enum Density: String, CaseIterable, Codable, Sendable {
        case comfortable, compact
    }

    /// In display order, each once.
    package var columns: [WatchlistColumn] = [
        .change1h, .change24h, .change7d, .marketCap, .volume, .sparkline,
    ]
    package var density = Density.comfortable
    package var redIsUp = false
    /// CoinGecko's code; nil for the currency of this Roost.
    package var currency: String?

    package init() {}

    /// Drops repeated columns.
    var withColumnsOnce: WatchlistPreferences {
        var (preferences, seen) = (self, Set<WatchlistColumn>())
        preferences.columns = columns.filter { seen.insert($0).inserted }
        return preferences
    }
}

/// An optional column; logo, name and price are always shown.
package enum WatchlistColumn: String, CaseIterable, Codable, Sendable {
    case change1h, change24h, change7d, marketCap, volume, sparkline, holdings, profit

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

    /// The order that a click on its heading selects, or nil.
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
