import Foundation
import TestSupport
import Testing

@testable import Market

@Suite struct WatchlistEntryTests {
    private let now = TestClock.start
    private let clock = TestClock()

    private func entry(
        name: String = "Bitcoin", traded: TimeInterval = 10, fetched: TimeInterval = 10,
        change: (inout PriceTable) -> Void = { _ in }
    ) throws -> WatchlistEntry {
        var table = PriceTable()
        let coin = try Coin(
            id: "bitcoin", symbol: "btc", name: name, currentPrice: 5, priceChange24h: -1,
            lastUpdated: now - traded, now: now)
        table.store(
            [MarketQuote(coin: coin)], requested: ["bitcoin"], refused: .init(),
            at: clock.steady - .seconds(fetched))
        change(&table)
        return try entry(table)
    }

    private func entry(_ table: PriceTable) throws -> WatchlistEntry {
        WatchlistEntry(
            stored: StoredItem(
                item: try WatchlistItem(coinId: "bitcoin", dateAdded: now), symbol: "old", name: "Bitcoin"),
            prices: PriceSnapshot(
                table: table, status: PriceStatus(interval: 60), now: now, dates: clock.wallClock.dates))
    }

    @Test func `a coin without a symbol shows its id, before its first price and after`() throws {
        let stored = StoredItem(
            item: try WatchlistItem(coinId: "pico", dateAdded: now), symbol: "", name: "PiCO Coin")
        var table = PriceTable()
        let before = WatchlistEntry(
            stored: stored,
            prices: PriceSnapshot(
                table: table, status: PriceStatus(interval: 60), now: now, dates: clock.wallClock.dates))
        #expect(before.symbol == "pico")
        let coin = try Coin(
            id: "pico", symbol: "", name: "PiCO Coin", currentPrice: 2, priceChange24h: nil, lastUpdated: nil,
            now: now)
        table.store([MarketQuote(coin: coin)], requested: ["pico"], refused: .init(), at: clock.steady)
        let after = WatchlistEntry(
            stored: stored,
            prices: PriceSnapshot(
                table: table, status: PriceStatus(interval: 60), now: now, dates: clock.wallClock.dates))
        #expect(after.symbol == "pico" && after.currentPrice == 2)
        // The time of the last trade is unknown, which does not make the price stale.
        #expect(!after.isStale)
    }

    @Test func `a fresh price makes a fresh row`() throws {
        let entry = try entry()
        #expect(entry.currentPrice == 5 && entry.priceChange24h == -1)
        #expect(entry.fetchedAt == now - 10)
        #expect(!entry.isStale && entry.isListed && entry.formerName == nil && entry.symbol == "btc")
    }

    @Test func `before the first answer a row has its name and no price, and is not stale`() throws {
        let entry = try entry(PriceTable())
        #expect(entry.name == "Bitcoin" && entry.symbol == "old")
        #expect(entry.currentPrice == nil && entry.fetchedAt == nil)
        #expect(!entry.isStale && entry.isListed)
    }

    @Test func `a renamed coin shows its new name and the old one`() throws {
        let entry = try entry(name: "Bitcoin Classic")
        #expect(entry.name == "Bitcoin Classic" && entry.formerName == "Bitcoin")
    }

    @Test func `a price fetched long ago is stale by Roost's clock`() throws {
        let entry = try entry(fetched: 91)
        #expect(entry.isOld && !entry.isCoinOld && entry.isStale)
    }

    @Test func `a coin without a recent trade is stale by its own time`() throws {
        let entry = try entry(traded: 3_700)
        #expect(!entry.isOld && entry.isCoinOld && entry.isStale)
    }

    @Test func `a delisted coin is marked and keeps its price`() throws {
        let entry = try entry { $0.store([], requested: ["bitcoin"], refused: .init(), at: clock.steady) }
        #expect(!entry.isListed && entry.currentPrice == 5)
    }

    @Test func `a coin that CoinGecko never knew is not listed`() throws {
        var table = PriceTable()
        table.store([], requested: ["bitcoin"], refused: .init(), at: clock.steady)
        #expect(try !entry(table).isListed)
    }
}
