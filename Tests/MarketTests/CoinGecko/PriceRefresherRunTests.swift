import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

/// The refresher sends requests by demand, by its interval, and by CoinGecko's limits.
@Suite(.timeLimit(.minutes(2))) struct PriceFeedRunTests {
    private func priceRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests(to: "/coins/markets").filter { $0.query["ids"] != nil }
    }

    /// Runs the refresher during a test's body.
    private func running(
        plan: CoinGeckoPlan = .keyless, _ body: (ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices(plan: plan) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            // Adding a coin creates demand: let it expire.
            fixture.clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
            let feed = Task { await fixture.prices.run() }
            do { try await body(fixture) } catch { Issue.record(error) }
            feed.cancel()
            await feed.value
        }
    }

    @Test func `nothing is requested until someone looks, and then at once`() async throws {
        try await running { fixture in
            try await Task.sleep(for: .milliseconds(50))
            #expect(priceRequests(fixture).isEmpty)
            fixture.prices.watch()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            #expect(priceRequests(fixture).count == 1)
        }
    }

    @Test func `prices are requested again when the interval is over and someone looks`() async throws {
        try await running { fixture in
            fixture.prices.watch()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            fixture.clock.advance(61)
            fixture.prices.watch()
            try await wait(for: "the second prices") { fixture.status.updatedAt == fixture.clock.now }
            #expect(priceRequests(fixture).count == 2)
        }
    }

    @Test func `a coin without a price is fetched soon, not at the next interval`() async throws {
        try await running { fixture in
            fixture.prices.watch()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            fixture.clock.advance(6)
            fixture.prices.watch(["ethereum"])
            try await wait(for: "the new coin") { fixture.prices.snapshot.table["ethereum"] != nil }
            #expect(priceRequests(fixture).last?.query["ids"] == "bitcoin,ethereum")
        }
    }

    @Test func `a coin unknown to CoinGecko is requested only once`() async throws {
        try await withServices { fixture in
            fixture.prices.watch(["nonsense"])
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table.unlisted == ["nonsense"])
            let next = fixture.status.nextTryAt
            fixture.clock.advance(10)
            fixture.prices.watch(["nonsense"])
            #expect(fixture.status.nextTryAt == next)
        }
    }

    @Test(arguments: [
        #"{"id":"ethereum","symbol":"eth","name":"Ethereum","current_price":"a lot"}"#,
        #"{"id":7,"symbol":"eth","name":"Ethereum","current_price":1}"#,
    ])
    func `a coin with an invalid item does not speed up the requests, however often it is viewed`(
        item: String
    )
        async throws
    {
        try await running { fixture in
            fixture.upstream.turn { _ in
                let bitcoin = CoinGeckoScript.item("bitcoin", price: "1", at: TestClock.start)
                return .init(body: "[\(bitcoin),\(item)]")
            }
            let first = fixture.clock.now
            fixture.prices.watch(["ethereum"])
            try await wait(for: "the first prices") { fixture.status.nextTryAt == first + 60 }
            for _ in 0..<59 {
                fixture.clock.advance(1)
                fixture.prices.watch(["ethereum"])
                #expect(fixture.status.nextTryAt == first + 60)
            }
            #expect(priceRequests(fixture).count == 1)
            // The loop sleeps by the machine's real clock; the first view after a pause wakes it.
            fixture.clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
            fixture.prices.watch(["ethereum"])
            try await wait(for: "the second prices") { fixture.status.updatedAt == fixture.clock.now }
            #expect(priceRequests(fixture).count == 2)
        }
    }

    @Test func `coins requested by name are forgotten when no one requests them any more`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.prices.watch(["ethereum"])
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table["ethereum"] != nil)
            fixture.clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
            await fixture.prices.refresh()
            #expect(priceRequests(fixture).last?.query["ids"] == "bitcoin")
            #expect(fixture.prices.snapshot.table["ethereum"] == nil)
        }
    }

    @Test func `CoinGecko's Retry-After is respected, and a reader who retries is told to wait`() async throws
    {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"], body: "Throttled")
            }
            await fixture.prices.refresh()
            let until = fixture.clock.now + 119
            #expect(fixture.status.error == .rateLimited(resetDate: until))
            #expect(fixture.status.nextTryAt == until)
            #expect(fixture.prices.retry() == .mustWait(until: until))
            fixture.prices.watch(["ethereum"])
            #expect(fixture.status.nextTryAt == until)
            fixture.clock.advance(119)
            #expect(fixture.prices.retry() == .started)
        }
    }

    @Test(arguments: [429, 503])
    func `Retry-After decides when it is longer than Roost's own wait`(status: Int) async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: status, headers: ["Retry-After: 7200"]) }
            await fixture.prices.refresh()
            #expect(fixture.status.nextTryAt == fixture.clock.now + 7_200)
            #expect(fixture.prices.retry() == .mustWait(until: fixture.clock.now + 7_200))
        }
    }

    @Test(arguments: [(31.0, true), (600, false)])
    func `on the paid plan prices stay up to date during a refresh that starts in time`(
        pause: Double, isUpToDate: Bool
    ) async throws {
        try await running(plan: .paid) { fixture in
            let first = fixture.clock.now
            fixture.prices.watch()
            try await wait(for: "the first prices") { fixture.status.nextTryAt == first + 30 }
            let seen = Mutex<[Bool]>([])
            let (prices, script) = (fixture.prices, fixture.script)
            fixture.upstream.turn { request in
                let snapshot = prices.snapshot
                seen.withLock { $0.append(snapshot.status.isUpToDate(at: snapshot.now)) }
                return script.answer(request)
            }
            fixture.clock.advance(pause)
            fixture.prices.watch()
            try await wait(for: "the second prices") { fixture.status.updatedAt != first }
            #expect(seen.withLock { $0 } == [isUpToDate])
        }
    }

    @Test func `a reader's retry is shown as loading at once and is published`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            let before = fixture.services.feed.version(of: [Topic.prices])
            #expect(!fixture.status.isLoading)
            #expect(fixture.prices.retry() == .started)
            #expect(fixture.status.isLoading)
            #expect(fixture.services.feed.version(of: [Topic.prices]) > before)
            await fixture.prices.refresh()
            #expect(!fixture.status.isLoading)
        }
    }

    @Test func `a reader's retry after an ordinary failure sends a request at once`() async throws {
        try await running { fixture in
            fixture.upstream.turn { _ in .init(status: 500) }
            fixture.prices.watch()
            try await wait(for: "the failure") { fixture.status.error != nil }
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.clock.advance(3)
            #expect(fixture.prices.retry() == .started)
            try await wait(for: "the recovery") {
                fixture.status.error == nil && fixture.status.updatedAt != nil
            }
        }
    }

    @Test func `viewing a coin without a price does not shorten the wait after a failure`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            for _ in 0..<5 { await fixture.prices.refresh() }
            let next = try #require(fixture.status.nextTryAt)
            #expect(next > fixture.clock.now + 100)
            fixture.prices.watch(["bitcoin"])
            #expect(fixture.status.nextTryAt == next)
        }
    }

    @Test func `a coin requested during a refresh is fetched soon, not after an interval`()
        async throws
    {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
            let script = fixture.script
            fixture.upstream.turn { [prices = fixture.prices] request in
                prices.watch(["ethereum"])
                return script.answer(request)
            }
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table["ethereum"] == nil)
            #expect(try #require(fixture.status.nextTryAt) <= fixture.clock.now + 5)
            fixture.upstream.turn(to: script.answer)
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table["ethereum"] != nil)
            #expect(try #require(fixture.status.nextTryAt) == fixture.clock.now + 60)
        }
    }
}
