import Foundation
import Market
import RoostWeb
import TextFormats

struct DisplayCell: Sendable {
    let coinId: String
    let name: String
    let symbol: String
    let price: PriceText?
    let change: ChangeText
    let sparkline: Sparkline?
    let note: String?
    let noteAge: String?
    private let since: Date?
    let isWaiting: Bool
    let isOld: Bool
    /// For example "$1.382 T".
    let marketCap: String?
    /// Classes of `wall.css`, set by the page: for each screen shape the number of coins in this row.
    var layoutClasses = ""
    /// Set by the page; see `WallPrices`.
    var pad: String?

    /// - Parameters:
    ///   - note: "no longer listed" or "as of"; nil notes a missing price automatically
    ///   - since: the time that ends the note, shown as "3 days ago"
    ///   - isWaiting: whether the first price is still loading, which is not an error
    init(
        coinId: String, name: String, symbol: String, price: Decimal?, currency: String = "usd",
        change: Decimal?,
        week: [Double] = [], marketCap: Decimal? = nil, note: String? = nil, since: Date? = nil,
        isWaiting: Bool = false, isOld: Bool = false, now: Date = .now
    ) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.price = price.flatMap { PriceText($0, currency: currency) }
        self.change = ChangeText(change)
        self.sparkline = Sparkline(week)
        self.marketCap = marketCap.map { AmountText.short($0, currency: currency) }
        self.note = note ?? (self.price != nil ? nil : isWaiting ? "loading" : "no price")
        self.since = since
        noteAge = since.map { RelativeTime.ago($0, now: now) }
        self.isWaiting = isWaiting
        self.isOld = isOld
    }

    var symbolWidth: String {
        switch symbol.count {
        case ...4: "short"
        case ...6: "medium"
        case ...10: "long"
        default: "longest"
        }
    }
    /// True for changes of a hundred percent or more.
    var isChangeLong: Bool { change.text.count > 10 }
    var points: String? { sparkline?.points }
    var weekDirection: ChangeText.Direction { sparkline?.direction ?? .unknown }
    var cellSince: String? { since.map(ISO8601.seconds) }
}

extension DisplayCell {
    init(_ entry: WatchlistEntry, in list: WatchlistService.List, currency: String) {
        self.init(
            coinId: entry.item.coinId, name: entry.name, symbol: entry.symbol, price: entry.currentPrice,
            currency: currency, change: entry.priceChange24h, week: entry.quote?.sparkline ?? [],
            marketCap: entry.quote?.marketCap, note: Self.note(entry), since: Self.since(entry),
            isWaiting: entry.isAwaited && list.prices.status.error == nil,
            isOld: entry.isStale || !entry.isListed, now: list.prices.now)
    }

    private static func note(_ entry: WatchlistEntry) -> String? {
        if !entry.isListed { return "no longer listed on CoinGecko" }
        guard let coin = entry.quote?.coin else { return nil }
        if coin.currentPrice == nil { return "no price" }
        return since(entry).map { _ in "as of" }
    }

    /// The time of an old price; nil if it is recent.
    private static func since(_ entry: WatchlistEntry) -> Date? {
        guard entry.isListed, entry.isCoinOld, let coin = entry.quote?.coin, coin.currentPrice != nil else {
            return nil
        }
        return coin.lastUpdated
    }
}
