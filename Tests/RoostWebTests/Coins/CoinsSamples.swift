import Foundation

@testable import Market
@testable import MarketWeb
@testable import RoostSupport
@testable import TextFormats

extension CoinChartView {
    static let sample = CoinChartView(
        CoinChart(
            coinId: "bitcoin", range: .week, currency: "usd",
            points: (0..<169).map {
                CoinChart.Point(
                    time: .sample - Double(168 - $0) * 3_600,
                    exactPrice: Decimal(60_000 + ($0 * 7_919) % 4_001))
            }, fetchedAt: .sample - 300, nextTryAt: .sample + 1_500, now: .sample),
        path: "bitcoin", zone: .gmt)
}

extension CoinLiveView {
    static let sample = CoinLiveView(
        Coin(id: "bitcoin", name: "Bitcoin <b>", symbol: "btc"), quote: nil, notes: [.noPrice],
        isOld: false, freshness: .sample, chart: .sample, totals: nil, currency: "usd", now: .sample)
}

extension CoinView {
    static let sample: CoinView = {
        var own = Own(note: (try? CoinNote(note: "Ask Grace <b>", category: "Layer 1")) ?? .none)
        own.categories = ["DeFi", "Layer 1"]
        own.holdings = [
            try? NewHolding(
                coinId: "bitcoin", amount: 2, price: 51_200, currency: "usd", note: "First <b>")
        ].compactMap(\.self).map { Holding(id: 1, details: $0) }
        own.wallets = [try? NewWallet(coinId: "bitcoin", address: "bc1q<b>", label: "Cold")]
            .compactMap(\.self).map { Wallet(id: 1, details: $0) }
        own.lists = [(Watchlist(id: 1, userId: 1, name: "My coins"), true)]
        return CoinView(layout: .sample, live: .sample, own: own, range: .week, currency: "usd")
    }()
}
