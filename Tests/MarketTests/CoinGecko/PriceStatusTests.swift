import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct PriceStatusTests {
    private let now = TestClock.start
    private let clock = TestClock()

    private func status(interval: Double, age: TimeInterval?, error: APIError? = nil) -> PriceStatus {
        var status = PriceStatus(interval: interval)
        status.updatedAt = age.map { now - $0 }
        status.error = error
        return status
    }

    /// A snapshot with one coin that was fetched and traded this many seconds ago.
    private func snapshot(interval: Double, fetched: TimeInterval, traded: TimeInterval) throws -> (
        PriceSnapshot, PriceTable.Entry
    ) {
        var table = PriceTable()
        let coin = try Coin(
            id: "a", symbol: "b", name: "c", currentPrice: 1, priceChange24h: nil,
            lastUpdated: now - traded, now: now)
        table.store(
            [MarketQuote(coin: coin)], requested: ["a"], refused: .init(),
            at: clock.steady - .seconds(fetched))
        let entry = try #require(table["a"])
        return (
            PriceSnapshot(
                table: table, status: PriceStatus(interval: interval), now: now, dates: clock.wallClock.dates),
            entry
        )
    }

    @Test(arguments: [
        (15.0, 30.0, true), (30, 30, true), (30, 30.1, false), (15, 29, true), (60, 90, true),
        (60, 90.1, false), (268, 402, true), (268, 402.1, false),
    ])
    func `up to date means within 30 s, or one and a half times a longer interval`(
        interval: Double, age: Double, isUpToDate: Bool
    ) {
        #expect(status(interval: interval, age: age).isUpToDate(at: now) == isUpToDate)
    }

    @Test func `a refresh in progress counts as up to date until its time-out`() {
        var status = status(interval: 30, age: 40)
        #expect(!status.isUpToDate(at: now))
        status.refreshTimeout = now + 10
        #expect(status.isUpToDate(at: now) && status.isUpToDate(at: now + 10))
        #expect(!status.isUpToDate(at: now + 10.1))
        status.error = .timedOut
        #expect(!status.isUpToDate(at: now))
    }

    @Test(arguments: [(30.0, 50.0), (60, 90), (268, 402)])
    func `an open page waits for the next refresh before it shows that it is out of date`(
        interval: Double, patience: Double
    ) {
        var status = status(interval: interval, age: 0)
        status.nextTryAt = now + interval
        #expect(status.staleAt == now + patience)
    }

    @Test func `an open page does not wait for a distant refresh or after a failure`() {
        var status = status(interval: 30, age: 0)
        status.nextTryAt = now + 3_600
        #expect(status.staleAt == now + 30)
        status.nextTryAt = now + 30
        status.error = .forbidden
        #expect(status.staleAt == now + 30)
    }

    @Test func `with the month's calls used up prices are out of date after 30 s`() {
        var status = status(interval: 1_000_000, age: 30)
        status.usedUpUntil = now + 1_000_000
        #expect(status.isUpToDate(at: now) && !status.isUpToDate(at: now + 1))
    }

    @Test func `after a failure prices are not up to date until the next success`() {
        #expect(!status(interval: 60, age: 1, error: .networkUnavailable).isUpToDate(at: now))
        #expect(!status(interval: 60, age: nil).isUpToDate(at: now))
    }

    @Test func `the state is loading, failed, loaded or idle, in this order of precedence`() {
        #expect(status(interval: 60, age: nil).loading == .idle)
        #expect(status(interval: 60, age: 5).loading == .loaded(now - 5))
        #expect(status(interval: 60, age: 5, error: .forbidden).loading == .failed(.forbidden))
        var retrying = status(interval: 60, age: 5, error: .forbidden)
        retrying.isLoading = true
        #expect(retrying.loading == .loading)
    }

    @Test(arguments: [
        (30.0, 60.0, false), (30, 60.1, true), (60, 90, false), (60, 90.1, true), (268, 402, false),
        (268, 402.1, true),
    ])
    func `by Roost's clock a price is stale after a minute, or when the plan's next one is overdue`(
        interval: Double, age: Double, isOld: Bool
    ) throws {
        let (snapshot, entry) = try snapshot(interval: interval, fetched: age, traded: age)
        #expect(snapshot.isOld(entry) == isOld)
        #expect(snapshot.isStale(entry) == isOld)
    }

    @Test(arguments: [(0.0, false), (3_600, false), (3_601, true), (400_000, true)])
    func `by the coin's own time a price is stale after an hour without a newer one`(
        age: Double, isOld: Bool
    ) throws {
        let (snapshot, entry) = try snapshot(interval: 30, fetched: 0, traded: age)
        #expect(snapshot.isCoinOld(entry.quote.coin) == isOld)
        #expect(snapshot.isStale(entry) == isOld)
        #expect(!snapshot.isOld(entry))
    }

    @Test func `an invalidated price is stale, however young it is`() throws {
        let (snapshot, entry) = try snapshot(interval: 30, fetched: 0, traded: 0)
        var table = snapshot.table
        table.invalidate("a")
        let invalid = try #require(table["a"])
        #expect(!snapshot.isOld(entry))
        #expect(snapshot.isOld(invalid) && snapshot.isStale(invalid))
    }
}
