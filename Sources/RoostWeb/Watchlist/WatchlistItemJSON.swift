import Foundation
import RoostServices

/// An item of `GET /api/v1/watchlist`; figures that are not known are null, decimals are strings.
struct WatchlistItemJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case coinId, name, symbol, currentPrice, priceChange24h, lastUpdated, fetchedAt, stale, listed
        case dateAdded, sortOrder
    }

    private let entry: WatchlistEntry

    init(_ entry: WatchlistEntry) {
        self.entry = entry
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(entry.item.coinId, forKey: .coinId)
        try values.encode(entry.name, forKey: .name)
        try values.encode(entry.symbol, forKey: .symbol)
        try values.encode(entry.currentPrice?.plainText, forKey: .currentPrice)
        try values.encode(entry.priceChange24h?.plainText, forKey: .priceChange24h)
        try values.encode(entry.quote?.coin.lastUpdated.map(ISO8601.milliseconds), forKey: .lastUpdated)
        try values.encode(entry.fetchedAt.map(ISO8601.milliseconds), forKey: .fetchedAt)
        try values.encode(entry.quote == nil || entry.isStale, forKey: .stale)
        try values.encode(entry.isListed, forKey: .listed)
        try values.encode(ISO8601.milliseconds(entry.item.dateAdded), forKey: .dateAdded)
        try values.encode(entry.item.sortOrder, forKey: .sortOrder)
    }
}

/// An item of `GET /api/v1/prices`.
struct PriceJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case coinId, name, symbol, currentPrice, priceChange24h, lastUpdated, fetchedAt, stale
    }

    private let id: String
    private let listed: CoinListItem?
    private let price: PriceTable.Entry?
    private let isStale: Bool

    init(id: String, coin: CoinListItem?, _ snapshot: PriceSnapshot) {
        self.id = id
        listed = coin
        price = snapshot.board[id]
        isStale = price.map(snapshot.isStale) ?? true
    }

    func encode(to encoder: any Encoder) throws {
        let coin = price?.quote.coin
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .coinId)
        try values.encode(coin?.name ?? listed?.name, forKey: .name)
        try values.encode(coin?.shownSymbol ?? listed?.shownSymbol, forKey: .symbol)
        try values.encode(coin?.currentPrice?.plainText, forKey: .currentPrice)
        try values.encode(coin?.priceChange24h?.plainText, forKey: .priceChange24h)
        try values.encode(coin?.lastUpdated.map(ISO8601.milliseconds), forKey: .lastUpdated)
        try values.encode(price.map { ISO8601.milliseconds($0.fetchedAt) }, forKey: .fetchedAt)
        try values.encode(isStale, forKey: .stale)
    }
}

/// An item of `GET /api/v1/coins`.
struct CoinJSON: Encodable {
    let id: String
    let symbol: String
    let name: String
    /// Left out where it is not known.
    let rank: Int?
}

/// What a search answers; `pending`: ask again in a moment, more may have come; `message`: what a reader should know.
struct CoinsJSON: Encodable {
    private enum CodingKeys: String, CodingKey { case items, next, pending, message }

    let items: [CoinJSON]
    let pending: Bool
    let message: String?

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(items, forKey: .items)
        try values.encodeNil(forKey: .next)
        try values.encode(pending, forKey: .pending)
        try values.encodeIfPresent(message, forKey: .message)
    }
}
