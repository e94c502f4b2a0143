import Foundation
import GRDB
import RoostServices
import TestSupport
import Testing

/// What the Demo plan's month has cost, counted call by call and kept over a restart.
@Suite struct CallCounterTests {
    private func calls(_ fixture: ServicesFixture) throws -> [Int] {
        try fixture.sql(Int.self, "SELECT calls FROM upstream_calls ORDER BY month")
    }

    @Test func `every answered request counts, the failed ones too`() async throws {
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

    @Test func `a request that reached nobody counts as none`() async throws {
        try await withServices(plan: .demo, { $0.coinGeckoURL = "http://127.0.0.1:1/api/v3" }) { fixture in
            fixture.prices.want(["bitcoin"])
            await fixture.prices.refresh()
            #expect(fixture.status.error == .networkUnavailable)
            #expect(fixture.status.callsLeft == 10_000)
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

    @Test func `a restart remembers what the month has cost`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            try first.end()
            let second = try ServicesFixture(in: folder, plan: .demo)
            #expect(second.status.callsLeft == 10_000)
            try await second.services.prepare()
            #expect(second.status.callsLeft == 9_998)
            try second.end()
        }
    }

    @Test func `a new month begins with all its calls, and the old one is kept`() async throws {
        try await withServices(plan: .demo) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.clock.advance(21 * 86_400)
            #expect(fixture.status.callsLeft == 10_000)
            await fixture.prices.refresh()
            #expect(fixture.status.callsLeft == 9_999)
            #expect(try calls(fixture) == [2, 1])
        }
    }

    @Test func `a month that is nearly spent slows the prices down to what is left`() async throws {
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
            try await second.services.prepare()
            await second.prices.refresh()
            #expect(second.status.callsLeft == 9)
            #expect(second.status.interval > 86_400)
            try second.end()
        }
    }
}
