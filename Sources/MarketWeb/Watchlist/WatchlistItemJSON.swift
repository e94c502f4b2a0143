import Foundation
import Market
import RoostSupport
import RoostWeb
import TextFormats

/// The response of `GET /api/v1/watchlist`. `totals` is omitted without holdings.
struct WatchlistJSON: JSONExamples {
    static var examples: [WatchlistJSON] { [WatchlistJSON(page: Page([]), totals: nil)] }

    private enum CodingKeys: String, CodingKey { case totals }

    private let page: Page<WatchlistItemJSON>
    private let totals: TotalsJSON?

    private init(page: Page<WatchlistItemJSON>, totals: TotalsJSON?) {
        (self.page, self.totals) = (page, totals)
    }

    /// - Parameter page: of the list's entries
    init(_ list: WatchlistService.List, _ page: (items: [WatchlistEntry], next: ListPosition?)) throws {
        let items = page.items.map { WatchlistItemJSON($0, currency: list.currency) }
        self.init(
            page: try Page(items, next: page.next), totals: list.totals.map { TotalsJSON($0, list.currency) })
    }

    func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(totals, forKey: .totals)
    }

    private struct TotalsJSON: Codable {
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
struct WatchlistItemJSON: Codable {
    private let coinId, name, symbol, currency: String
    private let currentPrice, priceChange1h, priceChange24h, priceChange7d: API.Nullable<String>
    private let rank: API.Nullable<Int>
    private let marketCap, volume24h, high24h, low24h: API.Nullable<String>
    private let lastUpdated, fetchedAt: API.Nullable<JSONTime>
    private let stale, listed: Bool
    private let dateAdded: JSONTime
    private let sortOrder: Int
    private let note, category: String
    private let holding: API.Nullable<CoinTotalsJSON>

    init(_ entry: WatchlistEntry, currency: String) {
        let quote = entry.quote
        (coinId, name, symbol) = (entry.item.coinId, entry.name, entry.symbol)
        self.currency = currency
        currentPrice = API.Nullable(entry.currentPrice?.plainText)
        priceChange1h = API.Nullable(entry.change1h?.plainText)
        priceChange24h = API.Nullable(entry.priceChange24h?.plainText)
        priceChange7d = API.Nullable(entry.change7d?.plainText)
        rank = API.Nullable(quote?.rank)
        marketCap = API.Nullable(entry.marketCap?.plainText)
        volume24h = API.Nullable(entry.volume24h?.plainText)
        high24h = API.Nullable(quote?.high24h?.plainText)
        low24h = API.Nullable(quote?.low24h?.plainText)
        lastUpdated = API.Nullable(quote?.coin.lastUpdated.map(JSONTime.init))
        fetchedAt = API.Nullable(entry.fetchedAt.map(JSONTime.init))
        stale = quote == nil || entry.isStale
        listed = entry.isListed
        dateAdded = JSONTime(entry.item.dateAdded)
        sortOrder = entry.item.sortOrder
        (note, category) = (entry.note.note, entry.note.category)
        holding = API.Nullable(entry.totals.map(CoinTotalsJSON.init))
    }

    private struct CoinTotalsJSON: Codable {
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
struct PriceJSON: Codable {
    private let coinId: String
    private let name, symbol, currentPrice, priceChange24h: API.Nullable<String>
    private let lastUpdated, fetchedAt: API.Nullable<JSONTime>
    private let stale: Bool

    init(id: String, coin listed: CoinListItem?, _ snapshot: PriceSnapshot) {
        let price = snapshot.table[id]
        let coin = price?.quote.coin
        coinId = id
        name = API.Nullable(coin?.name ?? listed?.name)
        symbol = API.Nullable(coin?.shownSymbol ?? listed?.shownSymbol)
        currentPrice = API.Nullable(coin?.currentPrice?.plainText)
        priceChange24h = API.Nullable(coin?.priceChange24h?.plainText)
        lastUpdated = API.Nullable(coin?.lastUpdated.map(JSONTime.init))
        fetchedAt = API.Nullable(price.map { JSONTime(snapshot.fetchedAt($0)) })
        stale = price.map(snapshot.isStale) ?? true
    }
}

/// An item of `GET /api/v1/coins`.
struct CoinJSON: Codable {
    let id: String
    let symbol: String
    let name: String
    let rank: Int?
}

/// A search result. `pending` asks the client to repeat the request soon; `message` is for the reader.
struct CoinsJSON: JSONExamples {
    static var examples: [CoinsJSON] { [CoinsJSON(items: [], pending: false, message: nil)] }

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
