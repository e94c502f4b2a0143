package import Foundation
import RoostServices

/// One coin on the wall.
package struct DisplayCell: Sendable {
    package let coinId: String
    package let name: String
    package let symbol: String
    package let price: PriceText?
    package let change: ChangeText
    package let sparkline: Sparkline?
    package let note: String?
    package let isOld: Bool

    /// - Parameters:
    ///   - note: "no longer listed", "as of 3 days ago"; a missing price needs none
    ///   - others: see `WatchlistRow`
    package init(
        coinId: String, name: String, symbol: String, price: Decimal?, currency: String = "usd",
        change: Decimal?,
        week: [Double] = [], note: String? = nil, isOld: Bool = false
    ) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.price = price.flatMap { PriceText($0, currency: currency) }
        self.change = ChangeText(change)
        self.sparkline = Sparkline(week)
        self.note = note ?? (self.price == nil ? "no price" : nil)
        self.isOld = isOld
    }

    package static let samples = WatchlistRow.sampleCoins.map {
        DisplayCell(
            coinId: $0.id, name: $0.name, symbol: $0.symbol, price: $0.price, change: $0.change,
            week: $0.week,
            note: $0.id == "terra-luna" ? "no longer listed" : nil, isOld: $0.notes.contains(where: \.isAge))
    }

    var width: Int { price.map { max(5, min($0.width, 16)) } ?? 8 }
    var symbolWidth: String { symbol.count > 6 ? "long" : "short" }
    var points: String? { sparkline?.points }
    var cellNote: String? { note }
    var isCellOld: Bool { isOld }
}

extension DisplayCell {
    init(_ entry: WatchlistEntry, in list: WatchlistService.List, currency: String) {
        self.init(
            coinId: entry.item.coinId, name: entry.name, symbol: entry.symbol, price: entry.currentPrice,
            currency: currency, change: entry.priceChange24h, week: entry.quote?.sparkline ?? [],
            note: Self.note(entry, now: list.prices.now), isOld: entry.isStale || !entry.isListed)
    }

    private static func note(_ entry: WatchlistEntry, now: Date) -> String? {
        if !entry.isListed { return "no longer listed on CoinGecko" }
        guard let coin = entry.quote?.coin else { return nil }
        if coin.currentPrice == nil { return "no price" }
        guard entry.isCoinOld, let lastUpdated = coin.lastUpdated else { return nil }
        return "as of \(RelativeTime.ago(lastUpdated, now: now))"
    }
}
