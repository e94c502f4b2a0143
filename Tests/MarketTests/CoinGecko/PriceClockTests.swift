import Foundation
import GRDB
import TestSupport
import Testing

@testable import Market

/// The clock is wrong while prices and the coin list are fetched, and is corrected afterwards.
@Suite(.timeLimit(.minutes(2))) struct PriceClockTests {
    private let day: TimeInterval = 86_400

    private func priceRequests(_ fixture: ServicesFixture) -> Int {
        fixture.upstream.requests(to: "/coins/markets").count { $0.query["ids"] != nil }
    }

    @Test(arguments: [2.0, -2, 1, -1])
    func `prices age normally after a clock change, and the next refresh is one interval away`(days: Double)
        async throws
    {
        try await withServices { fixture in
            fixture.clock.jump(days * day)
            _ = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            fixture.clock.jump(-days * day)
            fixture.clock.advance(20)
            let snapshot = fixture.prices.snapshot
            #expect(snapshot.now == fixture.clock.now)
            #expect(snapshot.status.updatedAt == fixture.clock.now - 20)
            #expect(snapshot.table["bitcoin"].map(snapshot.fetchedAt) == fixture.clock.now - 20)
            #expect(snapshot.status.nextTryAt == fixture.clock.now - 20 + snapshot.status.interval)
            fixture.clock.advance(snapshot.status.freshFor)
            let later = fixture.prices.snapshot
            #expect(!later.status.isUpToDate(at: later.now))
        }
    }

    @Test(arguments: [2.0, -2])
    func `a viewer gets new prices within an interval after a clock change`(days: Double)
        async throws
    {
        try await withServices { fixture in
            fixture.clock.jump(days * day)
            _ = try await fixture.owner(watching: "bitcoin")
            let feed = Task { await fixture.prices.run() }
            fixture.prices.watch()
            try await wait(for: "the first prices") { fixture.status.updatedAt != nil }
            fixture.clock.jump(-days * day)
            fixture.clock.advance(61)
            fixture.prices.watch()
            try await wait(for: "the second prices") { priceRequests(fixture) == 2 }
            try await wait(for: "their new age") { fixture.status.updatedAt == fixture.clock.now }
            feed.cancel()
            await feed.value
        }
    }

    @Test(arguments: [1.0, -1])
    func `a clock change does not alter the wait that CoinGecko requested`(days: Double) async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"], body: "Throttled")
            }
            await fixture.prices.refresh()
            fixture.clock.jump(days * day)
            let until = fixture.clock.now + 119
            #expect(fixture.status.nextTryAt == until)
            #expect(fixture.status.error == .rateLimited(resetDate: until))
            #expect(fixture.prices.retry() == .mustWait(until: until))
            fixture.clock.advance(119)
            #expect(fixture.prices.retry() == .started)
        }
    }

    @Test func `a clock in the wrong month does not change the right month's count`() async throws {
        try await withServices(plan: .demo) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.clock.jump(21 * day)
            await fixture.prices.refresh()
            #expect(fixture.status.callsLeft == 9_999)
            fixture.clock.jump(-21 * day)
            #expect(fixture.status.callsLeft == 9_998)
        }
    }

    @Test func `a wait for the end of the wrong month ends when the clock is right again`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            try first.change("UPDATE upstream_calls SET calls = 10000")
            try first.end()
            let second = try ServicesFixture(in: folder, plan: .demo)
            await second.prices.refresh()
            #expect(second.status.interval > day)
            second.clock.jump(21 * day)
            let next = try #require(second.status.nextTryAt)
            #expect(next <= second.clock.now + 3_600)
            try second.end()
        }
    }

    @Test func `a coin list dated in the future is fetched again, and one from two days ago is not`()
        async throws
    {
        for (days, requests) in [(2.0, 1), (-2, 0)] {
            try await withFolder { folder in
                let first = try ServicesFixture(in: folder)
                first.clock.jump(days * day)
                await first.loadCoins()
                try first.end()
                let second = try ServicesFixture(in: folder)
                let run = Task { await second.services.market.catalog.run() }
                try await wait(for: "the stored list") { second.services.market.catalog.count == 4 }
                try await wait(for: "the list's requests") {
                    second.upstream.requests(to: "/coins/list").count == requests
                }
                let shown = try #require(second.services.market.catalog.loading.data)
                #expect(shown <= second.clock.now)
                run.cancel()
                await run.value
                try second.end()
            }
        }
    }
}
