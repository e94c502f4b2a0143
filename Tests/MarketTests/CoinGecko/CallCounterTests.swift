import Foundation
import GRDB
import TestSupport
import Testing

@testable import Market
@testable import RoostServices

/// The Demo plan's monthly count includes every call and survives a restart.
@Suite struct CallCounterTests {
    private func calls(_ fixture: ServicesFixture) throws -> [Int] {
        try fixture.sql(Int.self, "SELECT calls FROM upstream_calls ORDER BY month")
    }

    @Test func `every answered request counts, failed ones too`() async throws {
        try await withServices(plan: .demo) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            #expect(try calls(fixture) == [2])
            await fixture.prices.refresh()
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            #expect(try calls(fixture) == [4])
            #expect(fixture.status.callsLeft == 9_996)
        }
    }

    @Test func `a request that reached no server does not count`() async throws {
        try await withServices(plan: .demo, { $0.coinGeckoURL = "http://127.0.0.1:1/api/v3" }) { fixture in
            fixture.prices.watch(["bitcoin"])
            await fixture.prices.refresh()
            #expect(fixture.status.error == .networkUnavailable)
            #expect(fixture.status.callsLeft == 10_000)
        }
    }

    /// Services in a month with this many calls used, as an earlier run of Roost would leave it.
    private func using(_ used: Int, _ body: (ServicesFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            try first.end()
            let file = try DatabaseFile.open(Services.databasePath(in: folder))
            try await file.write { try $0.execute(sql: "UPDATE upstream_calls SET calls = \(used)") }
            try file.close()
            let second = try ServicesFixture(in: folder, plan: .demo)
            try await second.services.load()
            let run = Task { await second.services.market.catalog.run() }
            do {
                try await wait(for: "the stored list") { second.services.market.catalog.count == 4 }
                try await body(second)
            } catch { Issue.record(error) }
            run.cancel()
            await run.value
            try second.end()
        }
    }

    @Test func `a search counts like any other request`() async throws {
        try await using(5_000) { fixture in
            #expect(fixture.services.market.catalog.search("zzzz").isPending)
            try await wait(for: "the answer") { !fixture.services.market.catalog.search("zzzz").isPending }
            #expect(fixture.upstream.requests(to: "/search").count == 1)
            #expect(try calls(fixture) == [5_001])
            #expect(fixture.status.callsLeft == 4_999)
        }
    }

    @Test func `a month's last calls are kept for prices`() async throws {
        try await using(9_500) { fixture in
            #expect(!fixture.services.market.catalog.search("zzzz").isPending)
            await fixture.prices.refresh()
            #expect(fixture.upstream.requests(to: "/search").isEmpty)
            let cost = try calls(fixture)
            #expect(cost == [9_501])
        }
    }

    @Test func `with no calls left no request is sent, and the status says until when`() async throws {
        try await using(9_999) { fixture in
            await fixture.prices.refresh()
            #expect(fixture.status.callsLeft == 0 && fixture.status.error == nil)
            let december = Date(timeIntervalSince1970: 1_796_083_200)
            #expect(fixture.status.usedUpUntil == december)
            fixture.clock.advance(600)
            await fixture.prices.refresh()
            #expect(fixture.prices.retry() == .mustWait(until: december))
            #expect(fixture.upstream.requests(to: "/coins/markets").count == 1)
            let cost = try calls(fixture)
            #expect(cost == [10_000])
            #expect(!fixture.status.isUpToDate(at: fixture.clock.now))
            fixture.clock.advance(december.timeIntervalSince(fixture.clock.now) + 1)
            #expect(fixture.status.usedUpUntil == nil)
            await fixture.prices.refresh()
            #expect(fixture.status.updatedAt == fixture.clock.now)
        }
    }

    @Test func `two concurrent requests do not both take the last call`() async throws {
        try await using(9_999) { fixture in
            let counts = Shared<[Int?]>([])
            let prices = fixture.prices
            fixture.upstream.turn { _ in
                counts.set(counts.value + [prices.snapshot.status.callsLeft])
                return .init(status: 500)
            }
            await fixture.prices.refresh()
            // While the last call is in progress, it already counts as used.
            #expect(counts.value == [0])
            await fixture.services.market.catalog.refresh()
            #expect(fixture.upstream.requests.count == 1)
            let cost = try calls(fixture)
            #expect(cost == [10_000])
        }
    }

    @Test(arguments: [CoinGeckoPlan.keyless, .paid])
    func `a plan without a budget counts nothing`(plan: CoinGeckoPlan) async throws {
        try await withServices(plan: plan) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            #expect(fixture.status.callsLeft == nil)
            #expect(try calls(fixture).isEmpty)
        }
    }

    @Test func `a restart keeps the month's count`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            try first.end()
            let second = try ServicesFixture(in: folder, plan: .demo)
            #expect(second.status.callsLeft == 10_000)
            try await second.services.load()
            #expect(second.status.callsLeft == 9_998)
            try second.end()
        }
    }

    @Test func `a new month starts with all its calls, and the old month's count is kept`() async throws {
        try await withServices(plan: .demo) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.clock.advance(21 * 86_400)
            #expect(fixture.status.callsLeft == 10_000)
            await fixture.prices.refresh()
            #expect(fixture.status.callsLeft == 9_999)
            #expect(try calls(fixture) == [2, 1])
        }
    }

    @Test func `a nearly spent month slows the price refreshes down`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            await first.prices.refresh()
            #expect(first.status.interval == 60)
            try first.end()
            let file = try DatabaseFile.open(Services.databasePath(in: folder))
            try await file.write { try $0.execute(sql: "UPDATE upstream_calls SET calls = 9990") }
            try file.close()
            let second = try ServicesFixture(in: folder, plan: .demo)
            try await second.services.load()
            await second.prices.refresh()
            #expect(second.status.callsLeft == 9)
            #expect(second.status.interval > 86_400)
            try second.end()
        }
    }
}
