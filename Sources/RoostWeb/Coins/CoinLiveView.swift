import Foundation
import Market

/// `/coins/COIN/live`: a coin's price, chart and figures: the part of its page that is fetched again.
struct CoinLiveView: Priced, CoinPictured, Sendable {
    /// Everything but the price and the chart.
    struct Coin: Sendable {
        let id: String
        let name: String
        let symbol: String
        let logo: String?

        init(id: String, name: String, symbol: String, logo: String? = nil) {
            (self.id, self.name, self.symbol, self.logo) = (id, name, symbol, logo)
        }
    }

    let coin: Coin
    let price: PriceText?
    let change1h, change24h, change7d: ChangeText
    let notes: [WatchlistRow.NoteText]
    let freshness: FreshnessView
    let chart: CoinChartView
    let figures: [CoinFigure]
    let holding: HoldingSummary?
    let isOld: Bool
    let redIsUp: Bool
    let tone: Int

    /// - Parameters:
    ///   - entry: the coin's prices; nil while they are on their way
    ///   - notes: what is to be said of the coin besides its price
    ///   - totals: what the user has of it
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
        figures = quote.map { CoinFigure.all(of: $0, currency: currency) } ?? []
        holding = totals.map { HoldingSummary($0, symbol: coin.symbol, currency: currency) }
        self.isOld = isOld
        self.redIsUp = redIsUp
        tone = Tone.of(coin.id)
    }

    var coinName: String { coin.name }
    var coinSymbol: String { coin.symbol.uppercased() }
    var logo: String? { coin.logo }
    var mark: String { Initials(coin.name, limit: 1).text }
    var hasNotes: Bool { !notes.isEmpty }
    var hasFigures: Bool { !figures.isEmpty }
}

/// What a user has of a coin, in words.
struct HoldingSummary: Sendable {
    let amount: String
    let value: String?
    let profit: String?
    let direction: ChangeText.Direction
    let obstacle: String?

    init(_ totals: CoinTotals, symbol: String, currency: String) {
        amount = "\(AmountText.exact(totals.amount)) \(symbol.uppercased())"
        value = totals.value.map { AmountText.money($0, currency: currency) }
        profit = totals.profit.map { TotalsText.text($0, currency) }
        direction = totals.profit.map { ChangeText.Direction($0.amount) } ?? .unknown
        obstacle = totals.profit == nil ? totals.notComparable.map { "no profit: \($0)" } : nil
    }
    var heldValue: String { value ?? "–" }
}
