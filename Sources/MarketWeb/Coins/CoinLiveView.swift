import Foundation
import Market
import RoostWeb

/// `/coins/COIN/live`: the live part of a coin's page.
struct CoinLiveView: Priced, CoinPictured, Sendable {
    struct Coin: Sendable {
        let id: String
        let name: String
        let symbol: String
        var logo: String?
    }

    let coin: Coin
    let price: PriceText?
    let change1h, change24h, change7d: ChangeText
    let notes: [WatchlistRow.NoteText]
    let freshness: FreshnessView
    let chart: CoinChartView
    let statistics: [CoinStatistic]
    let holding: HoldingSummary?
    let isOld: Bool
    let redIsUp: Bool
    let tone: Int

    /// - Parameter quote: nil until prices have loaded
    init(
        _ coin: Coin, quote: MarketQuote?, notes: [WatchlistRow.Note], isOld: Bool,
        freshness: FreshnessView, chart: CoinChartView, totals: CoinTotals?, currency: String,
        redIsUp: Bool = false, now: Date
    ) {
        self.coin = coin
        price = quote?.coin.currentPrice.flatMap { PriceText($0, currency: currency) }
        change1h = ChangeText(quote?.change1h, over: .hour)
        change24h = ChangeText(quote?.coin.priceChange24h)
        change7d = ChangeText(quote?.change7d, over: .week)
        self.notes = notes.map { WatchlistRow.NoteText($0, now: now) }
        self.freshness = freshness
        self.chart = chart
        statistics = quote.map { CoinStatistic.all(of: $0, currency: currency) } ?? []
        holding = totals.map { HoldingSummary($0, symbol: coin.symbol, currency: currency) }
        self.isOld = isOld
        self.redIsUp = redIsUp
        tone = Tone.of(coin.id)
    }

    var coinSymbol: String { coin.symbol.uppercased() }
    var logo: String? { coin.logo }
    var mark: String { Initials(coin.name, limit: 1).text }
    var hasNotes: Bool { !notes.isEmpty }
    var hasStatistics: Bool { !statistics.isEmpty }
}

struct HoldingSummary: Sendable {
    let amount: String
    let value: String?
    let profit: String?
    let direction: ChangeText.Direction
    let noProfitReason: String?

    init(_ totals: CoinTotals, symbol: String, currency: String) {
        amount = "\(AmountText.exact(totals.amount)) \(symbol.uppercased())"
        value = totals.value.map { AmountText.money($0, currency: currency) }
        profit = totals.profit.map { TotalsText.text($0, currency) }
        direction = totals.profit.map { ChangeText.Direction($0.amount) } ?? .unknown
        noProfitReason = totals.profit == nil ? totals.incomparableReason.map { "no profit: \($0)" } : nil
    }
    var heldValue: String { value ?? "–" }
}
