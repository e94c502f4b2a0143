import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct SortOptionTests {
    private let now = TestClock.start
    private let clock = TestClock()

    private struct Row {
        let id: String
        let name: String
        var price: Decimal?
        var change: Decimal?
        var order = 0
        /// Used for the change of an hour and of a week, the market figures and the holdings.
        var value: Decimal?
    }

    private func ids(_ rows: [Row], by sort: SortOption, isReversed: Bool = false) throws -> [String] {
        var table = PriceTable()
        let quotes = try rows.map { row in
            var quote = MarketQuote(
                coin: try Coin(
                    id: row.id, symbol: "s", name: row.name, currentPrice: row.price,
                    priceChange24h: row.change, lastUpdated: now, now: now))
            quote.change1h = row.value
            quote.change7d = row.value
            quote.marketCap = row.value
            quote.volume24h = row.value
            return quote
        }
        table.store(quotes, requested: rows.map(\.id), refused: .init(), at: clock.steady)
        let prices = PriceSnapshot(
            table: table, status: PriceStatus(interval: 60), now: now, dates: clock.wallClock.dates)
        let entries = try rows.map { row in
            WatchlistEntry(
                stored: StoredItem(
                    item: try WatchlistItem(coinId: row.id, dateAdded: now, sortOrder: row.order),
                    symbol: "s", name: row.name),
                prices: prices, holdings: try holdings(row))
        }
        return WatchlistOrder(sort, isReversed: isReversed).sorted(entries).map(\.item.coinId)
    }

    /// Holdings whose amount gives `value` at the row's price.
    private func holdings(_ row: Row) throws -> [Holding] {
        guard let value = row.value, value > 0, row.price == 1 else { return [] }
        return [Holding(id: 1, details: try NewHolding(coinId: row.id, amount: value))]
    }

    @Test(arguments: [SortOption.change1h, .change7d, .cap, .volume, .value])
    func `a column sorts highest or lowest first, with unknown values always last`(
        sort: SortOption
    ) throws {
        let rows = [
            Row(id: "none", name: "A", price: 1), Row(id: "low", name: "B", price: 1, value: 2),
            Row(id: "twin-b", name: "Y", price: 1, value: 5), Row(id: "nil", name: "D"),
            Row(id: "high", name: "C", price: 1, value: 50),
            Row(id: "twin-a", name: "X", price: 1, value: 5),
        ]
        #expect(try ids(rows, by: sort) == ["high", "twin-a", "twin-b", "low", "none", "nil"])
        #expect(
            try ids(rows, by: sort, isReversed: true) == ["low", "twin-a", "twin-b", "high", "none", "nil"])
    }

    @Test func `names and positions can be reversed too`() throws {
        let rows = [
            Row(id: "a", name: "One", order: 1), Row(id: "b", name: "Two", order: 0),
            Row(id: "c", name: "Three", order: 2),
        ]
        #expect(try ids(rows, by: .name, isReversed: true) == ["b", "c", "a"])
        #expect(try ids(rows, by: .mine, isReversed: true) == ["c", "a", "b"])
    }

    @Test(arguments: SortOption.allCases)
    func `an address writes a reversed order with a minus`(sort: SortOption) throws {
        let order = WatchlistOrder(sort)
        #expect(order.rawValue == sort.rawValue && order.reversed.rawValue == "-" + sort.rawValue)
        for order in [order, order.reversed] {
            #expect(try WatchlistOrder.named(order.rawValue) == order)
        }
    }

    @Test(arguments: ["", "-", "--name", "best", "name-", "Name"])
    func `an unknown order is refused`(name: String) {
        #expect(throws: RoostError.self) { try WatchlistOrder.named(name) }
    }

    @Test func `the orders have the mission's names, and by name is the first`() {
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
    func `an option survives a round trip through JSON, and an unknown one is refused`(sort: SortOption)
        throws
    {
        let data = try JSONEncoder().encode([sort])
        #expect(try JSONDecoder().decode([SortOption].self, from: data) == [sort])
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([SortOption].self, from: Data(#"["best"]"#.utf8))
        }
    }

    @Test func `sorting by name ignores case, and equal names are sorted by id`() throws {
        let rows = [
            Row(id: "z", name: "zcash"), Row(id: "b", name: "Pepe"), Row(id: "e", name: "Ether"),
            Row(id: "a", name: "pepe"), Row(id: "l", name: "aave"),
        ]
        #expect(try ids(rows, by: .name) == ["l", "e", "a", "b", "z"])
    }

    @Test func `sorting by price puts the highest first and unknown prices last, equal ones by name`() throws
    {
        let rows = [
            Row(id: "none", name: "A"), Row(id: "low", name: "B", price: Decimal(string: "1.2e-8")),
            Row(id: "twin-b", name: "Y", price: 5), Row(id: "high", name: "C", price: 64_250),
            Row(id: "twin-a", name: "X", price: 5), Row(id: "zero", name: "0", price: 0),
        ]
        #expect(try ids(rows, by: .price) == ["high", "twin-a", "twin-b", "low", "zero", "none"])
    }

    @Test func `sorting by change puts the best first, losses after gains and unknown changes last`() throws {
        let rows = [
            Row(id: "loss", name: "A", change: -50), Row(id: "none", name: "B"),
            Row(id: "flat", name: "C", change: 0),
            Row(id: "gain", name: "D", change: 3), Row(id: "small-loss", name: "E", change: -1),
        ]
        #expect(try ids(rows, by: .change) == ["gain", "flat", "small-loss", "loss", "none"])
    }

    @Test func `my order is by position, and equal positions are sorted by id`() throws {
        let rows = [
            Row(id: "c", name: "1", order: 1), Row(id: "b", name: "2", order: 1),
            Row(id: "a", name: "3", order: 2),
            Row(id: "z", name: "4", order: 0),
        ]
        #expect(try ids(rows, by: .mine) == ["z", "b", "c", "a"])
    }

    @Test(arguments: SortOption.allCases)
    func `the result does not depend on the initial order`(sort: SortOption) throws {
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
