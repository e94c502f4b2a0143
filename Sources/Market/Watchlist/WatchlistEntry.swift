package import Foundation
package import RoostSupport

/// A watchlist item with the current data of its coin.
package struct WatchlistEntry: Sendable {
    package let item: WatchlistItem
    /// CoinGecko's current name, or the stored one.
    package let name: String
    package let symbol: String
    /// The name when the coin was added, if it has another one now.
    package let formerName: String?
    package let quote: MarketQuote?
    package let fetchedAt: Date?
    /// True if the price was fetched too long ago.
    package let isOld: Bool
    /// True if CoinGecko has had no newer price for an hour.
    package let isCoinOld: Bool
    /// False if CoinGecko no longer lists the coin.
    package let isListed: Bool
    /// True until CoinGecko has answered about the coin.
    package let isAwaited: Bool
    package let note: CoinNote
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
        let coinId = stored.item.coinId
        let coin: Coin?
        if let entry = prices.table[coinId] {
            coin = entry.quote.coin
            quote = entry.quote
            fetchedAt = prices.fetchedAt(entry)
            isOld = prices.isOld(entry)
            isCoinOld = prices.isCoinOld(entry.quote.coin)
            isListed = entry.isListed
            isAwaited = false
        } else {
            (coin, quote, fetchedAt) = (nil, nil, nil)
            (isOld, isCoinOld) = (false, false)
            isListed = !prices.table.unlisted.contains(coinId)
            isAwaited = isListed && !prices.table.unknown.contains(coinId)
        }
        item = stored.item
        name = coin?.name ?? stored.name
        symbol = coin?.shownSymbol ?? (stored.symbol.isEmpty ? coinId : stored.symbol)
        formerName = name == stored.name ? nil : stored.name
        self.note = note
        totals = CoinTotals(
            holdings, price: coin?.currentPrice, change: coin?.priceChange24h, currency: prices.currency)
    }
}

/// A user's note and category for a coin; the same on all their lists.
package struct CoinNote: Equatable, Sendable {
    /// In code points.
    package static let (maximumNote, maximumCategory) = (2_000, 64)

    /// "" for none.
    package private(set) var note: String
    /// One line, "" for none.
    package private(set) var category: String

    /// Throws `RoostError.invalid` with the field if it is too long.
    package init(note: String = "", category: String = "") throws {
        self.note = try OwnText.lines(note, field: "note", limit: Self.maximumNote)
        self.category = try OwnText.line(category, field: "category", limit: Self.maximumCategory)
    }

    package static let none = CoinNote()

    package var isEmpty: Bool { self == .none }
}

extension CoinNote: ColumnRecord {
    package init() { (note, category) = ("", "") }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("note", &note)
        try columns.column("category", &category)
    }
}
