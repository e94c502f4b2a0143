package import Foundation

/// A coin on somebody's watchlist.
package struct WatchlistItem: Codable, Equatable, Hashable, Sendable, Identifiable {
    package let coinId: String
    package let dateAdded: Date
    /// Place in "My order": 0 or more, new items go last.
    package let sortOrder: Int

    package var id: String { coinId }

    /// Throws `WatchlistError.invalidCoinId` for an id that no coin can have, or a negative place.
    package init(coinId: String, dateAdded: Date = Date(), sortOrder: Int = 0) throws {
        guard Self.isPossible(coinId), sortOrder >= 0 else { throw WatchlistError.invalidCoinId }
        self.coinId = coinId
        self.dateAdded = dateAdded
        self.sortOrder = sortOrder
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            coinId: values.decode(String.self, forKey: .coinId),
            dateAdded: values.decodeIfPresent(Date.self, forKey: .dateAdded) ?? Date(),
            sortOrder: values.decodeIfPresent(Int.self, forKey: .sortOrder) ?? 0)
    }

    /// CoinGecko's ids hold letters, digits, spaces and brackets; none holds control characters or is very long.
    package static func isPossible(_ coinId: String) -> Bool {
        !coinId.isBlank && coinId.utf8.count <= 200
            && !coinId.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
