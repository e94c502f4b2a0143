import Foundation

@testable import Market
@testable import MarketWeb
@testable import TextFormats

extension CoinListView {
    static let sample = CoinListView(
        CoinCatalog.ListStatus(
            error: .networkUnavailable, isTrying: false, nextTryAt: .sample + 12, now: .sample))
}

extension CoinSearchView {
    static let sample = CoinSearchView()
}

extension CoinResult {
    static let samples = [
        CoinResult(coinId: "bitcoin", name: "Bitcoin", symbol: "btc", rank: 1, isListed: true),
        CoinResult(coinId: "bitcoin-cash", name: "Bitcoin Cash", symbol: "bch", rank: 17),
        CoinResult(
            coinId: "bitcoin-avalanche-bridged-btc-b", name: "Avalanche Bridged BTC", symbol: "btc.b",
            rank: 182),
        CoinResult(coinId: "batcat", name: "Bitcoin", symbol: "btc"),
        CoinResult(coinId: "<b>[fake] coin", name: "Bitcoin <script>alert(1)</script>", symbol: "btc&"),
    ]
}

extension WatchlistFilesView {
    static let sample = WatchlistFilesView(
        layout: .sample, lists: [Watchlist(id: 1, userId: 1, name: "My coins <b>")],
        report: .init(
            added: 12, updated: 1, unchanged: 3,
            failures: [.init(row: 4, why: "CoinGecko has no coin “<b>doge</b>”.")]))
}

extension WatchlistRow {
    static var sample: WatchlistRow { samples[0] }
}

extension WatchlistRowsView {
    static let sample = WatchlistRowsView(
        freshness: .sample, sort: .mine, rows: WatchlistRow.samples,
        preferences: WatchlistPreferences.with { $0.columns = sampleColumns },
        lists: [
            Watchlist(id: 1, userId: 1, name: "My coins"),
            Watchlist(id: 2, userId: 1, name: "Long term <b>", position: 1),
        ],
        current: 1, categories: [("DeFi & “others”", 2), ("Layer 1", 4)],
        totals: sampleTotals)

    private static var sampleTotals: ListTotals? {
        let bought = try? NewHolding(coinId: "bitcoin", amount: 2, price: 51_200, currency: "usd")
        return bought.flatMap {
            CoinTotals([Holding(id: 1, details: $0)], price: 69_863, change: -1, currency: "usd")
        }.flatMap { ListTotals([$0]) }
    }

    static let sampleColumns: [WatchlistColumn] = [.change24h, .marketCap, .sparkline]
}

extension WatchlistSettingsView {
    static let sample = WatchlistSettingsView(
        layout: .sample, preferences: WatchlistPreferences.with { $0.currency = "eur" },
        lists: [
            Watchlist(id: 1, userId: 1, name: "My coins"),
            Watchlist(id: 2, userId: 1, name: "Long term <b>", position: 1, showsTotals: true),
        ], currencies: [Currency(code: "usd"), Currency(code: "eur"), Currency(code: "btc")],
        standard: "usd", errors: ["new": "Enter a name for the list."])
}

extension WatchlistTileView {
    static let sample = WatchlistTileView(
        rows: WatchlistRow.samples, count: WatchlistRow.samples.count, freshness: .sample)
}

extension WatchlistView {
    static let sample = WatchlistView(
        layout: .sample, list: .sample, search: .sample,
        warning: "The price interval is set to 5 s, but CoinGecko repeats the same answer for 60 s.")
}
