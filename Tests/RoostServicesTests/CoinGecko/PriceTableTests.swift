import Foundation
import Testing

@testable import Market

@Suite struct PriceTableTests {
    private let now = TestClock.start

    private func quote(_ id: String, price: Decimal? = 5) throws -> MarketQuote {
        MarketQuote(
            coin: try Coin(
                id: id, symbol: "s", name: "n", currentPrice: price, priceChange24h: 1, lastUpdated: now,
                now: now))
    }

    private func board(_ ids: String..., price: Decimal? = 5) throws -> PriceTable {
        var board = PriceTable()
        board.take(try ids.map { try quote($0, price: price) }, asked: ids, refused: .init(), at: now)
        return board
    }

    @Test func `an answer's coins are there with the time of their fetching`() throws {
        let board = try board("a", "b")
        #expect(board["a"]?.fetchedAt == now)
        #expect(board["a"]?.isListed == true && board["a"]?.isInvalid == false)
        #expect(board["c"] == nil && board.unlisted.isEmpty)
    }

    @Test func `a coin that the answer leaves out keeps its price and is no longer listed`() throws {
        var board = try board("a", "b", price: 7)
        board.take([try quote("a", price: 8)], asked: ["a", "b"], refused: .init(), at: now + 60)
        #expect(board["b"]?.isListed == false)
        #expect(board["b"]?.quote.coin.currentPrice == 7)
        #expect(board["b"]?.fetchedAt == now)
        #expect(board["a"]?.quote.coin.currentPrice == 8)
    }

    @Test func `a coin that never was in an answer is unlisted until it is`() throws {
        var board = PriceTable()
        board.take([], asked: ["x"], refused: .init(), at: now)
        #expect(board.unlisted == ["x"])
        board.take([try quote("x")], asked: ["x"], refused: .init(), at: now)
        #expect(board.unlisted.isEmpty && board["x"]?.isListed == true)
    }

    @Test func `a coin that comes back is listed again`() throws {
        var board = try board("a")
        board.take([], asked: ["a"], refused: .init(), at: now + 60)
        board.take([try quote("a")], asked: ["a"], refused: .init(), at: now + 120)
        #expect(board["a"]?.isListed == true)
        #expect(board["a"]?.fetchedAt == now + 120)
    }

    @Test func `a coin whose items were always refused is unknown until one is taken`() throws {
        var board = try board("a")
        board.take([], asked: ["a", "b"], refused: .init(ids: ["a", "b"]), at: now + 60)
        #expect(board.unknown == ["b"])
        #expect(board["a"]?.fetchedAt == now && board.unlisted.isEmpty)
        board.take([try quote("b")], asked: ["b"], refused: .init(), at: now + 120)
        #expect(board.unknown.isEmpty)
    }

    @Test func `beside a refused item that is known by its id, other absent coins are delisted`() throws {
        var board = try board("a", "b", "c")
        board.take([try quote("a")], asked: ["a", "b", "c"], refused: .init(ids: ["b"]), at: now + 60)
        #expect(board["b"]?.isListed == true)
        #expect(board["c"]?.isListed == false)
    }

    @Test func `beside a refused item an absent coin only grows old`() throws {
        var board = try board("a", "b")
        board.take([try quote("a")], asked: ["a", "b", "c"], refused: .init(hasNameless: true), at: now + 60)
        #expect(board["b"]?.isListed == true)
        #expect(board["b"]?.fetchedAt == now)
        #expect(board.unlisted.isEmpty)
    }

    @Test func `coins that nobody watches are forgotten`() throws {
        var board = try board("a", "b")
        board.take([], asked: ["x", "y"], refused: .init(), at: now)
        board.keep(only: ["a", "y"])
        #expect(Set(board.entries.keys) == ["a"])
        #expect(board.unlisted == ["y"])
    }

    @Test func `an invalidated price is kept, marked, and good again after the next answer`() throws {
        var board = try board("a", "b")
        board.invalidate("a")
        board.invalidate("stranger")
        #expect(board["a"]?.isInvalid == true && board["b"]?.isInvalid == false)
        #expect(board["a"]?.quote.coin.currentPrice == 5)
        board.take([try quote("a")], asked: ["a"], refused: .init(), at: now)
        #expect(board["a"]?.isInvalid == false)
    }

    @Test func `all prices can be invalidated at once`() throws {
        var board = try board("a", "b", "c")
        board.invalidateAll()
        #expect(board.entries.values.filter(\.isInvalid).count == 3)
        #expect(board.entries.count == 3)
    }
}
