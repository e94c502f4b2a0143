import Foundation
import Testing

@testable import Market

/// What a row knows of its coin: renamed, delisted, stale by either clock.
@Suite struct WatchlistEntryTests {
    private let now = TestClock.start

    private func entry(
        name: String = "Bitcoin", traded: TimeInterval = 10, fetched: TimeInterval = 10,
        change: (inout PriceTable) -> Void = { _ in }
    ) throws -> WatchlistEntry {
        var board = PriceTable()
        let coin = try Coin(
            id: "bitcoin", symbol: "btc", name: name, currentPrice: 5, priceChange24h: -1,
            lastUpdated: now - traded, now: now)
        board.take([MarketQuote(coin: coin)], asked: ["bitcoin"], refused: .init(), at: now - fetched)
        change(&board)
        return try entry(board)
    }

    private func entry(_ board: PriceTable) throws -> WatchlistEntry {
        WatchlistEntry(
            stored: StoredItem(
                item: try WatchlistItem(coinId: "bitcoin", dateAdded: now), symbol: "old", name: "Bitcoin"),
            prices: PriceSnapshot(board: board, status: PriceStatus(interval: 60), now: now))
    }

    @Test func `a coin without a symbol shows its id, before its first price and after`() throws {
        let stored = StoredItem(
            item: try WatchlistItem(coinId: "pico", dateAdded: now), symbol: "", name: "PiCO Coin")
        var board = PriceTable()
        let before = WatchlistEntry(
            stored: stored, prices: PriceSnapshot(board: board, status: PriceStatus(interval: 60), now: now))
        #expect(before.symbol == "pico")
        let coin = try Coin(
            id: "pico", symbol: "", name: "PiCO Coin", currentPrice: 2, priceChange24h: nil, lastUpdated: nil,
            now: now)
        board.take([MarketQuote(coin: coin)], asked: ["pico"], refused: .init(), at: now)
        let after = WatchlistEntry(
            stored: stored, prices: PriceSnapshot(board: board, status: PriceStatus(interval: 60), now: now))
        #expect(after.symbol == "pico" && after.currentPrice == 2)
        // When it was traded is not known: that does not make it old.
        #expect(!after.isStale)
    }

    @Test func `a fresh price makes a fresh row`() throws {
        let entry = try entry()
        #expect(entry.currentPrice == 5 && entry.priceChange24h == -1)
        #expect(entry.fetchedAt == now - 10)
        #expect(!entry.isStale && entry.isListed && entry.formerName == nil && entry.symbol == "btc")
    }

    @Test func `before the first answer a row has its words and no price, and is not called stale`() throws {
        let entry = try entry(PriceTable())
        #expect(entry.name == "Bitcoin" && entry.symbol == "old")
        #expect(entry.currentPrice == nil && entry.fetchedAt == nil)
        #expect(!entry.isStale && entry.isListed)
    }

    @Test func `a renamed coin bears its new name and tells the old one`() throws {
        let entry = try entry(name: "Bitcoin Classic")
        #expect(entry.name == "Bitcoin Classic" && entry.formerName == "Bitcoin")
    }

    @Test func `a price fetched long ago is old by our clock`() throws {
        let entry = try entry(fetched: 91)
        #expect(entry.isOld && !entry.isCoinOld && entry.isStale)
    }

    @Test func `a coin without a newer trade is old by its own clock`() throws {
        let entry = try entry(traded: 3_700)
        #expect(!entry.isOld && entry.isCoinOld && entry.isStale)
    }

    @Test func `a delisted coin says so and keeps its price`() throws {
        let entry = try entry { $0.take([], asked: ["bitcoin"], refused: .init(), at: now) }
        #expect(!entry.isListed && entry.currentPrice == 5)
    }

    @Test func `a coin that CoinGecko never knew is not listed`() throws {
        var board = PriceTable()
        board.take([], asked: ["bitcoin"], refused: .init(), at: now)
        #expect(try !entry(board).isListed)
    }
}
