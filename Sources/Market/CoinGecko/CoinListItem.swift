package import RoostSupport
import TextFormats

package struct CoinListItem: Codable, Equatable, Hashable, Sendable, Identifiable {
    package fileprivate(set) var id: String
    /// In lower case, or "" if the coin has none.
    package fileprivate(set) var symbol: String
    package fileprivate(set) var name: String
    package var shownSymbol: String { symbol.isEmpty ? id : symbol }

    /// Throws `ValidationError` if id or name is empty, or a text is longer than any coin's. A few listed coins have no
    /// symbol.
    package init(id: String, symbol: String, name: String) throws {
        try ValidationError.check(["id": id, "name": name])
        try ValidationError.check(["symbol": symbol], mayBeEmpty: true)
        self.id = id
        self.symbol = symbol.isBlank ? "" : symbol.lowercased()
        self.name = name
    }

    fileprivate init() { (id, symbol, name) = ("", "", "") }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(String.self, forKey: .id),
            symbol: values.decodeIfPresent(String.self, forKey: .symbol) ?? "",
            name: values.decode(String.self, forKey: .name))
    }
}

/// A listed coin with its market value rank (1 is the largest), or nil if unknown.
package struct RankedCoin: Equatable, Sendable {
    package private(set) var coin: CoinListItem
    package private(set) var rank: Int?
}

extension RankedCoin: ColumnRecord {
    package init() { self.init(coin: CoinListItem(), rank: nil) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &coin.id)
        try columns.column("symbol", &coin.symbol)
        try columns.column("name", &coin.name)
        try columns.column("rank", &rank)
        // The search calculates a logarithm.
        rank = rank.flatMap { $0 > 0 ? $0 : nil }
    }
}
