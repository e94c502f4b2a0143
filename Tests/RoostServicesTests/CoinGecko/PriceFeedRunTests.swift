import Foundation
import RoostServices
import Testing

/// When the feed asks: by demand, by the clock, and by what CoinGecko wished.
@Suite(.timeLimit(.minutes(2))) struct PriceFeedRunTests {
    private func priceRequests(_ bench: ServicesBench) -> [ScriptedUpstream.Request] {
        bench.upstream.requests(to: "/coins/markets").filter { $0.query["ids"] != nil }
    }

    /// Runs the feed beside a test's body and ends it after.
    private func running(
        plan: CoinGeckoPlan = .keyless, _ body: (ServicesBench) async throws -> Void
    ) async throws {
        try await withServices(plan: plan) { bench in
            _ = try await bench.owner(watching: "bitcoin")
            // Adding a coin was demand: let it lapse.
            bench.clock.advance(PriceRefresher.attention + 1)
            let feed = Task { await bench.prices.run() }
            do { try await body(bench) } catch { Issue.record(error) }
            feed.cancel()
            await feed.value
        }
    }

    @Test func `nothing is asked until somebody looks, and then at once`() async throws {
        try await running { bench in
            try await Task.sleep(for: .milliseconds(50))
            #expect(priceRequests(bench).isEmpty)
            bench.prices.want()
            try await wait(for: "the first prices") { bench.status.updatedAt != nil }
            #expect(priceRequests(bench).count == 1)
        }
    }

    @Test func `many who look at once cost one request`() async throws {
        try await running { bench in
            for _ in 0..<200 { bench.prices.want() }
            try await wait(for: "the first prices") { bench.status.updatedAt != nil }
            for _ in 0..<200 { bench.prices.want() }
            try await Task.sleep(for: .milliseconds(50))
            #expect(priceRequests(bench).count == 1)
        }
    }

    @Test func `prices are asked for again when the interval is over and somebody looks`() async throws {
        try await running { bench in
            bench.prices.want()
            try await wait(for: "the first prices") { bench.status.updatedAt != nil }
            bench.clock.advance(61)
            bench.prices.want()
            try await wait(for: "the second prices") { bench.status.updatedAt == bench.clock.now }
            #expect(priceRequests(bench).count == 2)
        }
    }

    @Test func `a coin that has no price yet is fetched soon and not at the next interval`() async throws {
        try await running { bench in
            bench.prices.want()
            try await wait(for: "the first prices") { bench.status.updatedAt != nil }
            bench.clock.advance(6)
            bench.prices.want(["ethereum"])
            try await wait(for: "the new coin") { bench.prices.snapshot.board["ethereum"] != nil }
            #expect(priceRequests(bench).last?.query["ids"] == "bitcoin,ethereum")
        }
    }

    @Test func `a coin that CoinGecko does not know is asked for once and not again and again`() async throws
    {
        try await withServices { bench in
            bench.prices.want(["nonsense"])
            await bench.prices.refresh()
            #expect(bench.prices.snapshot.board.unlisted == ["nonsense"])
            let next = bench.status.nextTryAt
            bench.clock.advance(10)
            bench.prices.want(["nonsense"])
            #expect(bench.status.nextTryAt == next)
        }
    }

    @Test func `coins asked for by name are forgotten when nobody asks any more`() async throws {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.prices.want(["ethereum"])
            await bench.prices.refresh()
            #expect(bench.prices.snapshot.board["ethereum"] != nil)
            bench.clock.advance(PriceRefresher.attention + 1)
            await bench.prices.refresh()
            #expect(priceRequests(bench).last?.query["ids"] == "bitcoin")
            #expect(bench.prices.snapshot.board["ethereum"] == nil)
        }
    }

    @Test func `CoinGecko's Retry-After is kept, and a reader's retry is told to wait`() async throws {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"], body: "Throttled") }
            await bench.prices.refresh()
            let until = bench.clock.now + 119
            #expect(bench.status.error == .rateLimited(resetDate: until))
            #expect(bench.status.nextTryAt == until)
            #expect(bench.prices.retry() == .mustWait(until: until))
            bench.prices.want(["ethereum"])
            #expect(bench.status.nextTryAt == until)
            bench.clock.advance(119)
            #expect(bench.prices.retry() == .started)
        }
    }

    @Test func `a 503 with Retry-After is left alone as long`() async throws {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.upstream.turn { _ in .init(status: 503, headers: ["Retry-After: 90"]) }
            await bench.prices.refresh()
            #expect(bench.prices.retry() == .mustWait(until: bench.clock.now + 90))
        }
    }

    @Test func `a reader's retry after a plain failure asks again at once`() async throws {
        try await running { bench in
            bench.upstream.turn { _ in .init(status: 500) }
            bench.prices.want()
            try await wait(for: "the failure") { bench.status.error != nil }
            bench.upstream.turn(to: bench.script.answer)
            bench.clock.advance(3)
            #expect(bench.prices.retry() == .started)
            try await wait(for: "the recovery") { bench.status.error == nil && bench.status.updatedAt != nil }
        }
    }

    @Test func `the waits between failures grow, spread by jitter`() async throws {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.upstream.turn { _ in .init(status: 500) }
            for wait in [10.0, 20, 40, 80, 160, 300, 300] {
                await bench.prices.refresh()
                let next = try #require(bench.status.nextTryAt).timeIntervalSince(bench.clock.now)
                #expect((wait * 0.79...wait * 1.21).contains(next))
                bench.clock.advance(next)
            }
        }
    }

    @Test func `looking at a coin without a price does not cut a failure's wait short`() async throws {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.upstream.turn { _ in .init(status: 500) }
            for _ in 0..<5 { await bench.prices.refresh() }
            let next = try #require(bench.status.nextTryAt)
            #expect(next > bench.clock.now + 100)
            bench.prices.want(["bitcoin"])
            #expect(bench.status.nextTryAt == next)
        }
    }

    @Test func `a coin wished for while a request is on its way has its turn soon, not in an interval`()
        async throws
    {
        try await withServices { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.clock.advance(PriceRefresher.attention + 1)
            let script = bench.script
            bench.upstream.turn { [prices = bench.prices] request in
                prices.want(["ethereum"])
                return script.answer(request)
            }
            await bench.prices.refresh()
            #expect(bench.prices.snapshot.board["ethereum"] == nil)
            #expect(try #require(bench.status.nextTryAt) <= bench.clock.now + 5)
            bench.upstream.turn(to: script.answer)
            await bench.prices.refresh()
            #expect(bench.prices.snapshot.board["ethereum"] != nil)
            #expect(try #require(bench.status.nextTryAt) == bench.clock.now + 60)
        }
    }
}
