import Foundation
import RoostSupport

@testable import Market
@testable import MarketWeb
@testable import RoostWeb

/// Realistic coins with huge and tiny prices and long names, which together use every property.
extension WatchlistRow {
    struct SampleCoin: Sendable {
        let id, name, symbol: String
        let price, change: Decimal?
        let week: [Double]
        let notes: [Note]
    }

    static let sampleCoins: [SampleCoin] = [
        coin("bitcoin", "Bitcoin", "btc", "94318.27", "2.41"),
        coin("ethereum", "Ethereum", "eth", "3412.8", "-1.12"),
        coin("solana", "Solana", "sol", "187.45", "5.08"),
        coin("chainlink", "Chainlink", "link", "17.0261", "0.34"),
        coin("dogecoin", "Dogecoin", "doge", "0.154823", "-3.77"),
        coin("pepe", "Pepe", "pepe", "0.0000081994", "12.6"),
        coin("monero", "Monero", "xmr", "214.9", "0"),
        coin("arweave", "Arweave", "ar", "14.3881", "-0.58"),
        coin(
            "universal-market-access-protocol", "Universal Market Access Protocol Governance Token",
            "umapgov",
            "0.000000000000000000012345", "-99.99", [.asOf(.sample - 3 * 86_400)]),
        coin("satoshi island", "Pepe [old] <b>coin</b>", "$pep&", nil, nil, [.noPrice]),
        coin("zimbabwe", "Trillions", "zzz", "123456789012345.67", "12345.678"),
        coin(
            "terra-luna", "Terra Luna Classic", "lunc", "0.00006012", nil,
            [.delisted, .asOf(.sample - 90_000)]),
        coin("polygon-ecosystem-token", "POL", "pol", "0.4211", "-0.004", [.renamed(from: "Polygon")]),
    ]

    static let samples = sampleCoins.enumerated().map { index, coin in
        coin.row(
            at: index, of: sampleCoins.count,
            columns: ColumnVisibility.visibilities(of: WatchlistRowsView.sampleColumns, sort: .mine),
            logo: { $0.coin.id == "bitcoin" ? "/pictures/0123abcd" : nil })
    }

    private static func coin(
        _ id: String, _ name: String, _ symbol: String, _ price: String?, _ change: String?,
        _ notes: [Note] = []
    ) -> SampleCoin {
        SampleCoin(
            id: id, name: name, symbol: symbol, price: price.flatMap { Decimal(string: $0) },
            change: change.flatMap { Decimal(string: $0) }, week: price == nil ? [] : walk(seed: id),
            notes: notes)
    }

    /// A random walk that is the same in every run: a linear congruential generator seeded with the id.
    private static func walk(seed: String) -> [Double] {
        var state = seed.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        var value = 100.0
        return (0..<168).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            value = max(1, value + Double(state >> 40) / Double(1 << 24) * 4 - 2)
            return value
        }
    }
}

extension WatchlistRow.SampleCoin {
    /// The row of an entry whose prices give it these notes.
    func row(
        at index: Int = 1, of count: Int = 3, columns: [ColumnVisibility] = [], isMyOrder: Bool = true,
        note: CoinNote = .none, logo: @escaping @Sendable (MarketQuote) -> String? = { _ in nil }
    ) -> WatchlistRow {
        do {
            let table = try table
            let prices = PriceSnapshot(
                table: table, status: PriceStatus(interval: 60), now: .sample, dates: Self.clock.dates)
            var storedName = name
            for case .renamed(let former) in notes { storedName = former }
            let stored = StoredItem(
                item: try WatchlistItem(coinId: id, dateAdded: .sample), symbol: symbol, name: storedName)
            return WatchlistRow(
                WatchlistEntry(stored: stored, prices: prices, note: note), at: index,
                in: .init(
                    prices: prices, count: count, columns: columns, isMyOrder: isMyOrder, logo: logo))
        } catch {
            preconditionFailure("The sample is no coin: \(error)")
        }
    }

    private static let clock = WallClock(now: { .sample })

    private var table: PriceTable {
        get throws {
            var table = PriceTable()
            guard !notes.contains(.loading) else { return table }
            var tradedAt = Date.sample - 10
            for case .asOf(let date) in notes { tradedAt = date }
            let coin = try Coin(
                id: id, symbol: symbol, name: name, currentPrice: price, priceChange24h: change,
                lastUpdated: tradedAt, now: .sample)
            var quote = MarketQuote(coin: coin, sparkline: week)
            quote.marketCap = price
            table.store([quote], requested: [id], refused: .init(), at: Self.clock.instant(of: .sample - 10))
            if notes.contains(.delisted) {
                table.store([], requested: [id], refused: .init(), at: Self.clock.instant(of: .sample - 10))
            }
            return table
        }
    }
}

extension WatchlistRow.Note {
    var isAge: Bool {
        if case .asOf = self { true } else { false }
    }
}
