import Foundation
import RoostServices
import Testing

@Suite struct SortOptionTests {
    private let now = TestClock.start

    private struct Row {
        let id: String
        let name: String
        var price: Decimal?
        var change: Decimal?
        var order = 0
    }

    private func ids(_ rows: [Row], by sort: SortOption) throws -> [String] {
        var board = PriceTable()
        let quotes = try rows.map { row in
            MarketQuote(
                coin: try Coin(
                    id: row.id, symbol: "s", name: row.name, currentPrice: row.price,
                    priceChange24h: row.change, lastUpdated: now, now: now))
        }
        board.take(quotes, asked: rows.map(\.id), refused: .init(), at: now)
        let prices = PriceSnapshot(board: board, status: PriceStatus(interval: 60), now: now)
        let entries = try rows.map { row in
            WatchlistEntry(
                stored: StoredItem(
                    item: try WatchlistItem(coinId: row.id, dateAdded: now, sortOrder: row.order),
                    symbol: "s", name: row.name),
                prices: prices)
        }
        return sort.sorted(entries).map(\.item.coinId)
    }

    @Test func `the mission's words name the orders, and by name is the first`() {
        #expect(
            SortOption.allCases.map(\.text) == [
                "Name (A-Z)", "Price (High-Low)", "24h Change (Best-Worst)", "My order",
            ])
        #expect(SortOption.allCases.map(\.rawValue) == ["name", "price", "change", "mine"])
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
