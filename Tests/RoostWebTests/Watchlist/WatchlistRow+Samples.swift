import Foundation

@testable import RoostWeb

/// Lifelike coins for the samples: huge and tiny prices, long names, and all that can be said of a coin.
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
        WatchlistRow(
            coinId: coin.id, name: coin.name, symbol: coin.symbol, price: coin.price, change: coin.change,
            week: coin.week, notes: coin.notes, isOld: coin.notes.contains(where: \.isAge),
            isFirst: index == 0,
            isLast: index == sampleCoins.count - 1,
            logo: index == 0 ? "/pictures/0123abcd" : nil, cells: sampleCells(coin), now: .sample)
    }

    private static func sampleCells(_ coin: SampleCoin) -> [WatchlistCell] {
        ColumnPlace.places(of: WatchlistRowsView.sampleColumns, sort: .mine).map { place in
            var cell = (change: ChangeText?.none, amount: String?.none)
            switch place.column {
            case .change24h: cell.change = ChangeText(coin.change)
            case .sparkline: break
            default: cell.amount = AmountText.short(coin.price, currency: "usd")
            }
            return WatchlistCell(
                column: place.column, change: cell.change, amount: cell.amount, title: nil, direction: nil,
                place: place)
        }
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

    /// A walk that is the same in every run: a linear congruential generator seeded with the id.
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

extension WatchlistRow.Note {
    var isAge: Bool {
        if case .asOf = self { true } else { false }
    }
}
