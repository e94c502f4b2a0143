import Foundation
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct SupportedCurrenciesTests {
    private func requests(_ fixture: ServicesFixture) -> Int {
        fixture.upstream.requests(to: "/simple/supported_vs_currencies").count
    }

    private func answer(_ fixture: ServicesFixture, _ body: String, status: Int = 200) {
        fixture.upstream.turn { _ in .init(status: status, body: body) }
    }

    @Test func `without asking there is the built-in choice, money first`() async throws {
        try await withServices { fixture in
            let all = fixture.services.currencies.all
            #expect(all == Currency.builtIn && all.count == 63)
            #expect(all.first?.kind == .money && all.last?.kind == .coin)
            #expect(fixture.services.currencies.contains("CHF"))
            #expect(!fixture.services.currencies.contains("doubloon"))
            #expect(fixture.upstream.requests.isEmpty)
        }
    }

    @Test func `CoinGecko's answer replaces the choice and is told of`() async throws {
        try await withServices { fixture in
            answer(fixture, #"["usd","btc","xof"," ","e&r","EUR"]"#)
            let before = fixture.services.feed.version(of: [Topic.currencies])
            await fixture.services.currencies.refresh()
            #expect(fixture.services.currencies.all.map(\.code) == ["usd", "btc", "xof"])
            #expect(fixture.services.currencies.all.last?.name == "XOF")
            #expect(fixture.services.feed.version(of: [Topic.currencies]) > before)
        }
    }

    @Test(arguments: [(500, "busy"), (200, "[]"), (200, "{}"), (200, "[1,2]"), (200, "<html>")])
    func `an unusable answer leaves the choice as it was`(status: Int, body: String) async throws {
        try await withServices { fixture in
            answer(fixture, body, status: status)
            await fixture.services.currencies.refresh()
            #expect(fixture.services.currencies.all == Currency.builtIn)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `it is asked while somebody chooses, and once in a week`()
        async throws
    {
        try await withServices { fixture in
            answer(fixture, #"["usd"]"#)
            let work = Task { await fixture.services.currencies.run() }
            for _ in 0..<10 { fixture.services.currencies.want() }
            try await wait(for: "the answer") { fixture.services.currencies.all.count == 1 }
            #expect(requests(fixture) == 1)
            answer(fixture, #"["usd","eur"]"#)
            fixture.clock.advance(SupportedCurrencies.lifetime + 1)
            #expect(requests(fixture) == 1)
            fixture.services.currencies.want()
            try await wait(for: "the new answer") { fixture.services.currencies.all.count == 2 }
            work.cancel()
            await work.value
        }
    }

    @Test func `the call counts in the month`() async throws {
        try await withServices(plan: .demo) { fixture in
            answer(fixture, #"["usd"]"#)
            await fixture.services.currencies.refresh()
            let calls = try fixture.sql(Int.self, "SELECT calls FROM upstream_calls")
            #expect(calls == [1])
        }
    }

    @Test(.recordings) func `the built-in choice is what CoinGecko named in 2026`() throws {
        let data = try RecordedFiles.read("oas_2026/simple_supported_vs_currencies.json")
        let codes = try JSONDecoder().decode([String].self, from: data)
        #expect(Set(codes) == Set(Currency.builtIn.map(\.code)))
    }

    @Test func `no two currencies share a sign`() {
        let signs = Currency.builtIn.compactMap(\.sign)
        #expect(Set(signs).count == signs.count && signs.count > 20)
    }
}
