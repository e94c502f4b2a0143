import Foundation
import Market
import RoostWeb
import TextFormats

/// The response of `GET /api/v1/watchlist`. `totals` is omitted without holdings.
struct WatchlistJSON: Encodable {
    private enum CodingKeys: String, CodingKey { case totals }

    private let list: WatchlistService.List
    private let page: Page<WatchlistItemJSON>

    /// - Parameter page: of the list's entries
    init(_ list: WatchlistService.List, _ page: (items: [WatchlistEntry], next: ListPosition?)) throws {
        self.list = list
        self.page = try Page(
            page.items.map { WatchlistItemJSON($0, currency: list.currency) }, next: page.next)
    }

    func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(list.totals.map { TotalsJSON($0, list.currency) }, forKey: .totals)
    }

    private struct TotalsJSON: Encodable {
        let value, cost, profit, profitPercent, changeToday, changeTodayPercent: API.Nullable<String>
        let currency: String
        let remarks: [String]

        init(_ totals: ListTotals, _ currency: String) {
            value = API.Nullable(totals.value?.plainText)
            cost = API.Nullable(totals.cost?.plainText)
            profit = API.Nullable(totals.profit?.amount.plainText)
            profitPercent = API.Nullable(totals.profit?.percent?.plainText)
            changeToday = API.Nullable(totals.changeToday?.amount.plainText)
            changeTodayPercent = API.Nullable(totals.changeToday?.percent?.plainText)
            self.currency = currency
            remarks = totals.exclusions
        }
    }
}

/// An item of `GET /api/v1/watchlist`. Unknown values are null; decimals are strings.
struct WatchlistItemJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case coinId, name, symbol, currency, currentPrice, priceChange1h, priceChange24h, priceChange7d
        case rank, marketCap, volume24h, high24h, low24h, lastUpdated, fetchedAt, stale, listed
        case dateAdded, sortOrder, note, category, holding
    }

    private let entry: WatchlistEntry
    private let currency: String

    init(_ entry: WatchlistEntry, currency: String) {
        self.entry = entry
        self.currency = currency
    }

    func encode(to encoder: any Encoder) throws {
        let quote = entry.quote
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(entry.item.coinId, forKey: .coinId)
        try values.encode(entry.name, forKey: .name)
        try values.encode(entry.symbol, forKey: .symbol)
        try values.encode(currency, forKey: .currency)
        try values.encode(entry.currentPrice?.plainText, forKey: .currentPrice)
        try values.encode(entry.change1h?.plainText, forKey: .priceChange1h)
        try values.encode(entry.priceChange24h?.plainText, forKey: .priceChange24h)
        try values.encode(entry.change7d?.plainText, forKey: .priceChange7d)
        try values.encode(quote?.rank, forKey: .rank)
        try values.encode(entry.marketCap?.plainText, forKey: .marketCap)
        try values.encode(entry.volume24h?.plainText, forKey: .volume24h)
        try values.encode(quote?.high24h?.plainText, forKey: .high24h)
        try values.encode(quote?.low24h?.plainText, forKey: .low24h)
        try values.encode(quote?.coin.lastUpdated.map(ISO8601.seconds), forKey: .lastUpdated)
        try values.encode(entry.fetchedAt.map(ISO8601.seconds), forKey: .fetchedAt)
        try values.encode(quote == nil || entry.isStale, forKey: .stale)
        try values.encode(entry.isListed, forKey: .listed)
        try values.encode(ISO8601.seconds(entry.item.dateAdded), forKey: .dateAdded)
        try values.encode(entry.item.sortOrder, forKey: .sortOrder)
        try values.encode(entry.note.note, forKey: .note)
        try values.encode(entry.note.category, forKey: .category)
        try values.encode(entry.totals.map(CoinTotalsJSON.init), forKey: .holding)
    }

    private struct CoinTotalsJSON: Encodable {
        let amount: String
        let value, cost, profit, profitPercent, notComparable: API.Nullable<String>
        let changeToday, changeTodayPercent: API.Nullable<String>

        init(_ totals: CoinTotals) {
            amount = totals.amount.plainText
            value = API.Nullable(totals.value?.plainText)
            cost = API.Nullable(totals.cost?.plainText)
            profit = API.Nullable(totals.profit?.amount.plainText)
            profitPercent = API.Nullable(totals.profit?.percent?.plainText)
            notComparable = API.Nullable(totals.incomparableReason)
            changeToday = API.Nullable(totals.changeToday?.amount.plainText)
            changeTodayPercent = API.Nullable(totals.changeToday?.percent?.plainText)
        }
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
    private let fetchedAt: Date?
    private let isStale: Bool

    init(id: String, coin: CoinListItem?, _ snapshot: PriceSnapshot) {
        self.id = id
        listed = coin
        price = snapshot.table[id]
        fetchedAt = price.map(snapshot.fetchedAt)
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
        try values.encode(coin?.lastUpdated.map(ISO8601.seconds), forKey: .lastUpdated)
        try values.encode(fetchedAt.map(ISO8601.seconds), forKey: .fetchedAt)
        try values.encode(isStale, forKey: .stale)
    }
}

/// An item of `GET /api/v1/coins`.
struct CoinJSON: Encodable {
    let id: String
    let symbol: String
    let name: String
    let rank: Int?
}

/// A search result. `pending` asks the client to repeat the request soon; `message` is for the reader.
struct CoinsJSON: Encodable {
    private enum CodingKeys: String, CodingKey { case pending, message }

    let items: [CoinJSON]
    let pending: Bool
    let message: String?

    func encode(to encoder: any Encoder) throws {
        try Page(items).encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(pending, forKey: .pending)
        try values.encodeIfPresent(message, forKey: .message)
    }
}
