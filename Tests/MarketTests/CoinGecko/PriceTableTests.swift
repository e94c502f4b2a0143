import Foundation
import TestSupport
import Testing

@testable import Market

@Suite struct PriceTableTests {
    private let now = TestClock.start
    private let clock = TestClock()

    private func quote(_ id: String, price: Decimal? = 5) throws -> MarketQuote {
        MarketQuote(
            coin: try Coin(
                id: id, symbol: "s", name: "n", currentPrice: price, priceChange24h: 1, lastUpdated: now,
                now: now))
    }

    private func table(_ ids: String..., price: Decimal? = 5) throws -> PriceTable {
        var table = PriceTable()
        table.store(
            try ids.map { try quote($0, price: price) }, requested: ids, refused: .init(), at: clock.steady)
        return table
    }

    @Test func `an answer's coins are stored with their fetch time`() throws {
        let table = try table("a", "b")
        #expect(table["a"]?.fetchedAt == clock.steady)
        #expect(table["a"]?.isListed == true && table["a"]?.isInvalid == false)
        #expect(table["c"] == nil && table.unlisted.isEmpty)
    }

    @Test func `a coin missing from the answer keeps its price and is no longer listed`() throws {
        var table = try table("a", "b", price: 7)
        table.store(
            [try quote("a", price: 8)], requested: ["a", "b"], refused: .init(),
            at: clock.steady + .seconds(60))
        #expect(table["b"]?.isListed == false)
        #expect(table["b"]?.quote.coin.currentPrice == 7)
        #expect(table["b"]?.fetchedAt == clock.steady)
        #expect(table["a"]?.quote.coin.currentPrice == 8)
    }

    @Test func `a coin that was never in an answer is unlisted until it appears`() throws {
        var table = PriceTable()
        table.store([], requested: ["x"], refused: .init(), at: clock.steady)
        #expect(table.unlisted == ["x"])
        table.store([try quote("x")], requested: ["x"], refused: .init(), at: clock.steady)
        #expect(table.unlisted.isEmpty && table["x"]?.isListed == true)
    }

    @Test func `a coin that comes back is listed again`() throws {
        var table = try table("a")
        table.store([], requested: ["a"], refused: .init(), at: clock.steady + .seconds(60))
        table.store([try quote("a")], requested: ["a"], refused: .init(), at: clock.steady + .seconds(120))
        #expect(table["a"]?.isListed == true)
        #expect(table["a"]?.fetchedAt == clock.steady + .seconds(120))
    }

    @Test func `a coin whose items were always refused is unknown until one is accepted`() throws {
        var table = try table("a")
        table.store(
            [], requested: ["a", "b"], refused: .init(ids: ["a", "b"]), at: clock.steady + .seconds(60))
        #expect(table.unknown == ["b"])
        #expect(table["a"]?.fetchedAt == clock.steady && table.unlisted.isEmpty)
        table.store([try quote("b")], requested: ["b"], refused: .init(), at: clock.steady + .seconds(120))
        #expect(table.unknown.isEmpty)
    }

    @Test func `if all refused items have ids, other missing coins are delisted`() throws {
        var table = try table("a", "b", "c")
        table.store(
            [try quote("a")], requested: ["a", "b", "c"], refused: .init(ids: ["b"]),
            at: clock.steady + .seconds(60))
        #expect(table["b"]?.isListed == true)
        #expect(table["c"]?.isListed == false)
    }

    @Test func `if a refused item has no id, a missing coin only ages`() throws {
        var table = try table("a", "b")
        table.store(
            [try quote("a")], requested: ["a", "b", "c"], refused: .init(hasItemsWithoutID: true),
            at: clock.steady + .seconds(60))
        #expect(table["b"]?.isListed == true)
        #expect(table["b"]?.fetchedAt == clock.steady)
        #expect(table.unlisted.isEmpty)
    }

    @Test func `unwatched coins are forgotten`() throws {
        var table = try table("a", "b")
        table.store([], requested: ["x", "y"], refused: .init(), at: clock.steady)
        table.keep(only: ["a", "y"])
        #expect(Set(table.entries.keys) == ["a"])
        #expect(table.unlisted == ["y"])
    }

    @Test func `an invalidated price is kept, marked, and valid again after the next answer`() throws {
        var table = try table("a", "b")
        table.invalidate("a")
        table.invalidate("stranger")
        #expect(table["a"]?.isInvalid == true && table["b"]?.isInvalid == false)
        #expect(table["a"]?.quote.coin.currentPrice == 5)
        table.store([try quote("a")], requested: ["a"], refused: .init(), at: clock.steady)
        #expect(table["a"]?.isInvalid == false)
    }

    @Test func `all prices can be invalidated at once`() throws {
        var table = try table("a", "b", "c")
        table.invalidateAll()
        #expect(table.entries.values.filter(\.isInvalid).count == 3)
        #expect(table.entries.count == 3)
    }
}
