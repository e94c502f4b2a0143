package import Foundation
package import RoostSupport
import TextFormats

package struct WatchlistItem: Codable, Equatable, Hashable, Sendable, Identifiable {
    /// Of a coin's id, in bytes.
    package static let maximumCoinId = 200

    package fileprivate(set) var coinId: String
    package fileprivate(set) var dateAdded: Date
    /// The position in "My order", from 0. New items go last.
    package fileprivate(set) var sortOrder: Int

    package var id: String { coinId }

    /// Throws `WatchlistError.invalidCoinId` for an impossible id or a negative position.
    package init(coinId: String, dateAdded: Date = Date(), sortOrder: Int = 0) throws {
        guard Self.isPossible(coinId), sortOrder >= 0 else { throw WatchlistError.invalidCoinId }
        self.coinId = coinId
        self.dateAdded = dateAdded
        self.sortOrder = sortOrder
    }

    fileprivate init() { (coinId, dateAdded, sortOrder) = ("", .distantPast, 0) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            coinId: values.decode(String.self, forKey: .coinId),
            dateAdded: values.decodeIfPresent(Date.self, forKey: .dateAdded) ?? Date(),
            sortOrder: values.decodeIfPresent(Int.self, forKey: .sortOrder) ?? 0)
    }

    /// Whether the text can be a CoinGecko id. Those may contain spaces and brackets, but no control characters, and
    /// are short.
    package static func isPossible(_ coinId: String) -> Bool {
        !coinId.isBlank && coinId.utf8.count <= maximumCoinId
            && !coinId.unicodeScalars.contains(where: \.isControl)
    }
}

/// A stored item, with its coin's name and symbol when it was added.
package struct StoredItem: Equatable, Sendable {
    package private(set) var item: WatchlistItem
    package private(set) var symbol: String
    package private(set) var name: String
}

extension StoredItem: ColumnRecord {
    package init() { self.init(item: WatchlistItem(), symbol: "", name: "") }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("coin_id", &item.coinId)
        try columns.column("symbol", &symbol)
        try columns.column("name", &name)
        try columns.column("date_added", &item.dateAdded)
        try columns.column("sort_order", &item.sortOrder)
    }
}
