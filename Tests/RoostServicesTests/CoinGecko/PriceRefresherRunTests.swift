import Foundation
import Synchronization
import Testing

@testable import Market
@testable import RoostSupport

/// When the feed asks: by demand, by the clock, and by what CoinGecko wished.
@Suite(.timeLimit(.minutes(2))) struct PriceFeedRunTests {
    private func priceRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests(to: "/coins/markets").filter { $0.query["ids"] != nil }
    }

    /// Runs the feed beside a test's body and ends it after.
    private func running(
        plan: CoinGeckoPlan = .keyless, _ body: (ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices(plan: plan) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            // Adding a coin was demand: let it lapse.
            fixture.clock.advance(PriceRefresher.demandLifetime + 1)
            let feed = Task { await fixture.prices.run() }
            do { try await body(fixture) } catch { Issue.record(error) }
            feed.cancel()
            await feed.value
        }
    }

    @Test func `nothing is asked until somebody looks, and then at once`() async throws {
        try await running { fixture in
            try await Task.sleep(for: .milliseconds(50))
            #expect(priceRequests(fixture).isEmpty)
            fixture.prices.want()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            #expect(priceRequests(fixture).count == 1)
        }
    }

    @Test func `many who look at once cost one request`() async throws {
        try await running { fixture in
            for _ in 0..<200 { fixture.prices.want() }
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            for _ in 0..<200 { fixture.prices.want() }
            try await Task.sleep(for: .milliseconds(50))
            #expect(priceRequests(fixture).count == 1)
        }
    }

    @Test func `prices are asked for again when the interval is over and somebody looks`() async throws {
        try await running { fixture in
            fixture.prices.want()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            fixture.clock.advance(61)
            fixture.prices.want()
            try await wait(for: "the second prices") { fixture.status.updatedAt == fixture.clock.now }
            #expect(priceRequests(fixture).count == 2)
        }
    }

    @Test func `a coin that has no price yet is fetched soon and not at the next interval`() async throws {
        try await running { fixture in
            fixture.prices.want()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            fixture.clock.advance(6)
            fixture.prices.want(["ethereum"])
            try await wait(for: "the new coin") { fixture.prices.snapshot.board["ethereum"] != nil }
            #expect(priceRequests(fixture).last?.query["ids"] == "bitcoin,ethereum")
        }
    }

    @Test func `a coin that CoinGecko does not know is asked for once and not again and again`() async throws
    {
        try await withServices { fixture in
            fixture.prices.want(["nonsense"])
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.board.unlisted == ["nonsense"])
            let next = fixture.status.nextTryAt
            fixture.clock.advance(10)
            fixture.prices.want(["nonsense"])
            #expect(fixture.status.nextTryAt == next)
        }
    }

    @Test(arguments: [
        #"{"id":"ethereum","symbol":"eth","name":"Ethereum","current_price":"a lot"}"#,
        #"{"id":7,"symbol":"eth","name":"Ethereum","current_price":1}"#,
    ])
    func `a coin whose item is refused does not break the pace, however often it is asked for`(item: String)
        async throws
    {
        try await running { fixture in
            fixture.upstream.turn { _ in
                let bitcoin = CoinGeckoScript.item("bitcoin", price: "1", at: TestClock.start)
                return .init(body: "[\(bitcoin),\(item)]")
            }
            let first = fixture.clock.now
            fixture.prices.want(["ethereum"])
            try await wait(for: "the first prices") { fixture.status.nextTryAt == first + 60 }
            for _ in 0..<59 {
                fixture.clock.advance(1)
                fixture.prices.want(["ethereum"])
                #expect(fixture.status.nextTryAt == first + 60)
            }
            #expect(priceRequests(fixture).count == 1)
            // The loop sleeps by the machine's own clock; the first look after a pause wakes it.
            fixture.clock.advance(PriceRefresher.demandLifetime + 1)
            fixture.prices.want(["ethereum"])
            try await wait(for: "the second prices") { fixture.status.updatedAt == fixture.clock.now }
            #expect(priceRequests(fixture).count == 2)
        }
    }

    @Test func `coins asked for by name are forgotten when nobody asks any more`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.prices.want(["ethereum"])
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.board["ethereum"] != nil)
            fixture.clock.advance(PriceRefresher.demandLifetime + 1)
            await fixture.prices.refresh()
            #expect(priceRequests(fixture).last?.query["ids"] == "bitcoin")
            #expect(fixture.prices.snapshot.board["ethereum"] == nil)
        }
    }

    @Test func `CoinGecko's Retry-After is kept, and a reader's retry is told to wait`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"], body: "Throttled")
            }
            await fixture.prices.refresh()
            let until = fixture.clock.now + 119
            #expect(fixture.status.error == .rateLimited(resetDate: until))
            #expect(fixture.status.nextTryAt == until)
            #expect(fixture.prices.retry() == .mustWait(until: until))
            fixture.prices.want(["ethereum"])
            #expect(fixture.status.nextTryAt == until)
            fixture.clock.advance(119)
            #expect(fixture.prices.retry() == .started)
        }
    }

    @Test func `a 503 with Retry-After is left alone as long`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 503, headers: ["Retry-After: 90"]) }
            await fixture.prices.refresh()
            #expect(fixture.prices.retry() == .mustWait(until: fixture.clock.now + 90))
        }
    }

    @Test(arguments: [429, 503])
    func `Retry-After decides where it is longer than any wait of our own`(status: Int) async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: status, headers: ["Retry-After: 7200"]) }
            await fixture.prices.refresh()
            #expect(fixture.status.nextTryAt == fixture.clock.now + 7_200)
            #expect(fixture.prices.retry() == .mustWait(until: fixture.clock.now + 7_200))
        }
    }

    @Test(arguments: [(31.0, true), (600, false)])
    func `on the paid plan prices are up to date while the next are on their way, if those come in time`(
        pause: Double, isUpToDate: Bool
    ) async throws {
        try await running(plan: .paid) { fixture in
            let first = fixture.clock.now
            fixture.prices.want()
            try await wait(for: "the first prices") { fixture.status.nextTryAt == first + 30 }
            let seen = Mutex<[Bool]>([])
            let (prices, script) = (fixture.prices, fixture.script)
            fixture.upstream.turn { request in
                let snapshot = prices.snapshot
                seen.withLock { $0.append(snapshot.status.isUpToDate(at: snapshot.now)) }
                return script.answer(request)
            }
            fixture.clock.advance(pause)
            fixture.prices.want()
            try await wait(for: "the second prices") { fixture.status.updatedAt != first }
            #expect(seen.withLock { $0 } == [isUpToDate])
        }
    }

    @Test func `a reader's retry shows at once that it is under way, and tells the pages`() async throws {
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

    @Test func `a reader's retry after a plain failure asks again at once`() async throws {
        try await running { fixture in
            fixture.upstream.turn { _ in .init(status: 500) }
            fixture.prices.want()
            try await wait(for: "the failure") { fixture.status.error != nil }
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.clock.advance(3)
            #expect(fixture.prices.retry() == .started)
            try await wait(for: "the recovery") {
                fixture.status.error == nil && fixture.status.updatedAt != nil
            }
        }
    }

    @Test func `the waits between failures grow, spread by jitter`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            for wait in [10.0, 20, 40, 80, 160, 300, 300] {
                await fixture.prices.refresh()
                let next = try #require(fixture.status.nextTryAt).timeIntervalSince(fixture.clock.now)
                #expect((wait * 0.79...wait * 1.21).contains(next))
                fixture.clock.advance(next)
            }
        }
    }

    @Test func `looking at a coin without a price does not cut a failure's wait short`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            for _ in 0..<5 { await fixture.prices.refresh() }
            let next = try #require(fixture.status.nextTryAt)
            #expect(next > fixture.clock.now + 100)
            fixture.prices.want(["bitcoin"])
            #expect(fixture.status.nextTryAt == next)
        }
    }

    @Test func `a coin wished for while a request is on its way has its turn soon, not in an interval`()
        async throws
    {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.clock.advance(PriceRefresher.demandLifetime + 1)
            let script = fixture.script
            fixture.upstream.turn { [prices = fixture.prices] request in
                prices.want(["ethereum"])
                return script.answer(request)
            }
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.board["ethereum"] == nil)
            #expect(try #require(fixture.status.nextTryAt) <= fixture.clock.now + 5)
            fixture.upstream.turn(to: script.answer)
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.board["ethereum"] != nil)
            #expect(try #require(fixture.status.nextTryAt) == fixture.clock.now + 60)
        }
    }
}
