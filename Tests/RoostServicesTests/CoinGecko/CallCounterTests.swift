import Foundation
import GRDB
import RoostServices
import TestSupport
import Testing

/// What the Demo plan's month has cost, counted call by call and kept over a restart.
@Suite struct CallCounterTests {
    private func calls(_ bench: ServicesBench) throws -> [Int] {
        try bench.sql(Int.self, "SELECT calls FROM upstream_calls ORDER BY month")
    }

    @Test func `every answered request counts, the failed ones too`() async throws {
        try await withServices(plan: .demo) { bench in
            _ = try await bench.owner(watching: "bitcoin")
            #expect(try calls(bench) == [2])
            await bench.prices.refresh()
            bench.upstream.turn { _ in .init(status: 500) }
            await bench.prices.refresh()
            #expect(try calls(bench) == [4])
            #expect(bench.status.callsLeft == 9_996)
        }
    }

    @Test func `a request that reached nobody counts as none`() async throws {
        try await withServices(plan: .demo, { $0.coinGeckoURL = "http://127.0.0.1:1/api/v3" }) { bench in
            bench.prices.want(["bitcoin"])
            await bench.prices.refresh()
            #expect(bench.status.error == .networkUnavailable)
            #expect(bench.status.callsLeft == 10_000)
        }
    }

    @Test(arguments: [CoinGeckoPlan.keyless, .paid])
    func `a plan without a budget counts nothing`(plan: CoinGeckoPlan) async throws {
        try await withServices(plan: plan) { bench in
            _ = try await bench.owner(watching: "bitcoin")
            await bench.prices.refresh()
            #expect(bench.status.callsLeft == nil)
            #expect(try calls(bench).isEmpty)
        }
    }

    @Test func `a restart remembers what the month has cost`() async throws {
        try await withFolder { folder in
            let first = try ServicesBench(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            try first.end()
            let second = try ServicesBench(in: folder, plan: .demo)
            #expect(second.status.callsLeft == 10_000)
            try await second.services.prepare()
            #expect(second.status.callsLeft == 9_998)
            try second.end()
        }
    }

    @Test func `a new month begins with all its calls, and the old one is kept`() async throws {
        try await withServices(plan: .demo) { bench in
            _ = try await bench.owner(watching: "bitcoin")
            bench.clock.advance(21 * 86_400)
            #expect(bench.status.callsLeft == 10_000)
            await bench.prices.refresh()
            #expect(bench.status.callsLeft == 9_999)
            #expect(try calls(bench) == [2, 1])
        }
    }

    @Test func `a month that is nearly spent slows the prices down to what is left`() async throws {
        try await withFolder { folder in
            let first = try ServicesBench(in: folder, plan: .demo)
            _ = try await first.owner(watching: "bitcoin")
            await first.prices.refresh()
            #expect(first.status.interval == 60)
            try first.end()
            let file = try DatabaseFile.open(Services.databasePath(in: folder))
            try await file.write { try $0.execute(sql: "UPDATE upstream_calls SET calls = 9990") }
            try file.close()
            let second = try ServicesBench(in: folder, plan: .demo)
            try await second.services.prepare()
            await second.prices.refresh()
            #expect(second.status.callsLeft == 9)
            #expect(second.status.interval > 86_400)
            try second.end()
        }
    }
}
