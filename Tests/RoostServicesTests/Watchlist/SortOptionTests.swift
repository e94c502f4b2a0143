import Foundation
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct SortOptionTests {
    private let now = TestClock.start

    private struct Row {
        let id: String
        let name: String
        var price: Decimal?
        var change: Decimal?
        var order = 0
        /// Of the hour, the week and the market alike; of holdings too.
        var figure: Decimal?
    }

    private func ids(_ rows: [Row], by sort: SortOption, isReversed: Bool = false) throws -> [String] {
        var board = PriceTable()
        let quotes = try rows.map { row in
            var quote = MarketQuote(
                coin: try Coin(
                    id: row.id, symbol: "s", name: row.name, currentPrice: row.price,
                    priceChange24h: row.change, lastUpdated: now, now: now))
            quote.change1h = row.figure
            quote.change7d = row.figure
            quote.marketCap = row.figure
            quote.volume24h = row.figure
            return quote
        }
        board.take(quotes, asked: rows.map(\.id), refused: .init(), at: now)
        let prices = PriceSnapshot(board: board, status: PriceStatus(interval: 60), now: now)
        let entries = try rows.map { row in
            WatchlistEntry(
                stored: StoredItem(
                    item: try WatchlistItem(coinId: row.id, dateAdded: now, sortOrder: row.order),
                    symbol: "s", name: row.name),
                prices: prices, holdings: try holdings(row))
        }
        return WatchlistOrder(sort, isReversed: isReversed).sorted(entries).map(\.item.coinId)
    }

    /// So many of a coin that its price makes `figure` of them.
    private func holdings(_ row: Row) throws -> [Holding] {
        guard let figure = row.figure, figure > 0, row.price == 1 else { return [] }
        return [Holding(id: 1, details: try NewHolding(coinId: row.id, amount: figure))]
    }

    @Test(arguments: [SortOption.change1h, .change7d, .cap, .volume, .value])
    func `a column's highest goes first, or last, and unknown ones stand last in either direction`(
        sort: SortOption
    ) throws {
        let rows = [
            Row(id: "none", name: "A", price: 1), Row(id: "low", name: "B", price: 1, figure: 2),
            Row(id: "twin-b", name: "Y", price: 1, figure: 5), Row(id: "nil", name: "D"),
            Row(id: "high", name: "C", price: 1, figure: 50),
            Row(id: "twin-a", name: "X", price: 1, figure: 5),
        ]
        #expect(try ids(rows, by: sort) == ["high", "twin-a", "twin-b", "low", "none", "nil"])
        #expect(
            try ids(rows, by: sort, isReversed: true) == ["low", "twin-a", "twin-b", "high", "none", "nil"])
    }

    @Test func `names and places are reversed too`() throws {
        let rows = [
            Row(id: "a", name: "One", order: 1), Row(id: "b", name: "Two", order: 0),
            Row(id: "c", name: "Three", order: 2),
        ]
        #expect(try ids(rows, by: .name, isReversed: true) == ["b", "c", "a"])
        #expect(try ids(rows, by: .mine, isReversed: true) == ["c", "a", "b"])
    }

    @Test(arguments: SortOption.allCases)
    func `an order is named in addresses with a minus where it is reversed`(sort: SortOption) throws {
        let order = WatchlistOrder(sort)
        #expect(order.rawValue == sort.rawValue && order.reversed.rawValue == "-" + sort.rawValue)
        for order in [order, order.reversed] {
            #expect(try WatchlistOrder.named(order.rawValue) == order)
        }
    }

    @Test(arguments: ["", "-", "--name", "best", "name-", "Name"])
    func `an order of another name is refused`(name: String) {
        #expect(throws: RoostError.self) { try WatchlistOrder.named(name) }
    }

    @Test func `the mission's words name the orders, and by name is the first`() {
        #expect(
            SortOption.allCases.prefix(4).map(\.text) == [
                "Name (A-Z)", "Price (High-Low)", "24h Change (Best-Worst)", "My order",
            ])
        #expect(
            SortOption.allCases.map(\.rawValue) == [
                "name", "price", "change", "mine", "change1h", "change7d", "cap", "volume", "value",
            ])
    }

    @Test(arguments: SortOption.allCases)
    func `an option goes through JSON and back, and a stranger is refused`(sort: SortOption) throws {
        let data = try JSONEncoder().encode([sort])
        #expect(try JSONDecoder().decode([SortOption].self, from: data) == [sort])
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([SortOption].self, from: Data(#"["best"]"#.utf8))
        }
    }

    @Test func `by name is without regard to case, and equal names go by id`() throws {
        let rows = [
            Row(id: "z", name: "zcash"), Row(id: "b", name: "Pepe"), Row(id: "e", name: "Ether"),
            Row(id: "a", name: "pepe"), Row(id: "l", name: "aave"),
        ]
        #expect(try ids(rows, by: .name) == ["l", "e", "a", "b", "z"])
    }

    @Test func `by price is the highest first, unknown ones last, and equals by name`() throws {
        let rows = [
            Row(id: "none", name: "A"), Row(id: "low", name: "B", price: Decimal(string: "1.2e-8")),
            Row(id: "twin-b", name: "Y", price: 5), Row(id: "high", name: "C", price: 64_250),
            Row(id: "twin-a", name: "X", price: 5), Row(id: "zero", name: "0", price: 0),
        ]
        #expect(try ids(rows, by: .price) == ["high", "twin-a", "twin-b", "low", "zero", "none"])
    }

    @Test func `by change is the best first, losses after gains and unknown ones last`() throws {
        let rows = [
            Row(id: "loss", name: "A", change: -50), Row(id: "none", name: "B"),
            Row(id: "flat", name: "C", change: 0),
            Row(id: "gain", name: "D", change: 3), Row(id: "small-loss", name: "E", change: -1),
        ]
        #expect(try ids(rows, by: .change) == ["gain", "flat", "small-loss", "loss", "none"])
    }

    @Test func `my order is by place, and equal places go by id`() throws {
        let rows = [
            Row(id: "c", name: "1", order: 1), Row(id: "b", name: "2", order: 1),
            Row(id: "a", name: "3", order: 2),
            Row(id: "z", name: "4", order: 0),
        ]
        #expect(try ids(rows, by: .mine) == ["z", "b", "c", "a"])
    }

    @Test(arguments: SortOption.allCases)
    func `an order does not depend on where it started`(sort: SortOption) throws {
        let rows = (0..<40).map { number in
            Row(
                id: "coin-\(number)", name: "Name \(number % 5)",
                price: number % 4 == 0 ? nil : Decimal(number % 7),
                change: number % 3 == 0 ? nil : Decimal(number % 6 - 3), order: number % 8)
        }
        let expected = try ids(rows, by: sort)
        for _ in 0..<5 { #expect(try ids(rows.shuffled(), by: sort) == expected) }
    }
}
