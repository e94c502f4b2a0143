package import Foundation

/// A watchlist item together with what is known of its coin now.
package struct WatchlistEntry: Sendable {
    package let item: WatchlistItem
    /// CoinGecko's present name, or the one of the day it was added.
    package let name: String
    /// The id where the coin has no symbol.
    package let symbol: String
    /// The name at the time of adding, when the coin bears another one now.
    package let formerName: String?
    package let quote: MarketQuote?
    package let fetchedAt: Date?
    /// Old by our clock: it could not be fetched lately.
    package let isOld: Bool
    /// Old by the coin's own clock: no newer price exists.
    package let isCoinOld: Bool
    /// False when CoinGecko answers without it: the coin is gone.
    package let isListed: Bool
    /// True until CoinGecko has said anything of the coin at all.
    package let isAwaited: Bool
    /// What the user has written to the coin.
    package let note: CoinNote
    /// What the user has of it; nil for nothing.
    package let totals: CoinTotals?

    package var currentPrice: Decimal? { quote?.coin.currentPrice }
    package var priceChange24h: Decimal? { quote?.coin.priceChange24h }
    package var isStale: Bool { isOld || isCoinOld }

    package var change1h: Decimal? { quote?.change1h }
    package var change7d: Decimal? { quote?.change7d }
    package var marketCap: Decimal? { quote?.marketCap }
    package var volume24h: Decimal? { quote?.volume24h }

    package init(
        stored: StoredItem, prices: PriceSnapshot, note: CoinNote = .none, holdings: [Holding] = []
    ) {
        let entry = prices.board[stored.item.coinId]
        let coin = entry?.quote.coin
        item = stored.item
        name = coin?.name ?? stored.name
        symbol = coin?.shownSymbol ?? (stored.symbol.isEmpty ? stored.item.coinId : stored.symbol)
        formerName = coin.flatMap { $0.name == stored.name ? nil : stored.name }
        quote = entry?.quote
        fetchedAt = entry?.fetchedAt
        isOld = entry.map(prices.isOld) ?? false
        isCoinOld = coin.map(prices.isCoinOld) ?? false
        isListed = entry?.isListed ?? !prices.board.unlisted.contains(stored.item.coinId)
        self.note = note
        totals = CoinTotals(
            holdings, price: coin?.currentPrice, change: coin?.priceChange24h, currency: prices.currency)
        isAwaited = entry == nil && isListed && !prices.board.unknown.contains(stored.item.coinId)
    }
}

/// An item with its words of the day it was added, as the database keeps it.
package struct StoredItem: Equatable, Sendable {
    package let item: WatchlistItem
    package let symbol: String
    package let name: String

    package init(item: WatchlistItem, symbol: String, name: String) {
        self.item = item
        self.symbol = symbol
        self.name = name
    }
}

/// What a user has written to a coin: the same on all of the user's lists.
package struct CoinNote: Equatable, Sendable {
    /// At most 2,000 characters, "" for none.
    package let note: String
    /// At most 64 characters in one line, "" for none.
    package let category: String

    /// Throws `RoostError.invalid` for the field that is too long.
    package init(note: String = "", category: String = "") throws {
        self.note = try OwnText.lines(note, field: "note", limit: 2_000)
        self.category = try OwnText.line(category, field: "category", limit: 64)
    }

    private init() { (note, category) = ("", "") }

    package static let none = CoinNote()

    package var isEmpty: Bool { self == .none }
}
