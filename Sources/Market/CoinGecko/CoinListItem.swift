import TextFormats

/// One of the 17,000 coins that CoinGecko knows: what a search finds.
package struct CoinListItem: Codable, Equatable, Hashable, Sendable, Identifiable {
    package let id: String
    /// In lower case, "" where the coin has none.
    package let symbol: String
    package let name: String
    /// What a reader sees in the symbol's place: the id if it has no symbol.
    package var shownSymbol: String { symbol.isEmpty ? id : symbol }

    /// Throws `ValidationError` in words when id or name is empty, or a text is longer than any coin's; a few listed coins
    /// have no symbol.
    package init(id: String, symbol: String, name: String) throws {
        try ValidationError.check(["id": id, "name": name])
        try ValidationError.check(["symbol": symbol], mayBeEmpty: true)
        self.id = id
        self.symbol = symbol.isBlank ? "" : symbol.lowercased()
        self.name = name
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(String.self, forKey: .id),
            symbol: values.decodeIfPresent(String.self, forKey: .symbol) ?? "",
            name: values.decode(String.self, forKey: .name))
    }
}

/// A coin of the list with its place by market value (1 is the largest), nil where it is not known.
package struct RankedCoin: Equatable, Sendable {
    package let coin: CoinListItem
    package let rank: Int?

    package init(coin: CoinListItem, rank: Int?) {
        self.coin = coin
        self.rank = rank
    }
}
