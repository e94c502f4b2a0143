import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport
@testable import TextFormats

@Suite struct SupportedCurrenciesTests {
    private func requests(_ fixture: ServicesFixture) -> Int {
        fixture.upstream.requests(to: "/simple/supported_vs_currencies").count
    }

    private func answer(_ fixture: ServicesFixture, _ body: String, status: Int = 200) {
        fixture.upstream.turn { _ in .init(status: status, body: body) }
    }

    @Test func `before any request the built-in currencies are offered, state currencies first`() async throws
    {
        try await withServices { fixture in
            let all = fixture.services.market.currencies.all
            #expect(all == Currency.builtIn && all.count == 63)
            #expect(all.first?.kind == .money && all.last?.kind == .coin)
            #expect(fixture.services.market.currencies.contains("CHF"))
            #expect(!fixture.services.market.currencies.contains("doubloon"))
            #expect(fixture.upstream.requests.isEmpty)
        }
    }

    @Test func `CoinGecko's answer replaces the currencies and is published`() async throws {
        try await withServices { fixture in
            answer(fixture, #"["usd","btc","xof"," ","e&r","EUR"]"#)
            let before = fixture.services.feed.version(of: [Topic.currencies])
            await fixture.services.market.currencies.refresh()
            #expect(fixture.services.market.currencies.all.map(\.code) == ["usd", "btc", "xof"])
            #expect(fixture.services.market.currencies.all.last?.name == "XOF")
            #expect(fixture.services.feed.version(of: [Topic.currencies]) > before)
        }
    }

    @Test(arguments: [(500, "busy"), (200, "[]"), (200, "{}"), (200, "[1,2]"), (200, "<html>")])
    func `an unusable answer leaves the currencies unchanged`(status: Int, body: String) async throws {
        try await withServices { fixture in
            answer(fixture, body, status: status)
            await fixture.services.market.currencies.refresh()
            #expect(fixture.services.market.currencies.all == Currency.builtIn)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the currencies are requested while someone chooses one, at most once a week`()
        async throws
    {
        try await withServices { fixture in
            answer(fixture, #"["usd"]"#)
            let work = Task { await fixture.services.market.currencies.run() }
            for _ in 0..<10 { fixture.services.market.currencies.watch() }
            try await wait(for: "the answer") { fixture.services.market.currencies.all.count == 1 }
            #expect(requests(fixture) == 1)
            answer(fixture, #"["usd","eur"]"#)
            fixture.clock.advance(SupportedCurrencies.lifetime.inSeconds + 1)
            #expect(requests(fixture) == 1)
            fixture.services.market.currencies.watch()
            try await wait(for: "the new answer") { fixture.services.market.currencies.all.count == 2 }
            work.cancel()
            await work.value
        }
    }

    @Test func `the request counts towards the month`() async throws {
        try await withServices(plan: .demo) { fixture in
            answer(fixture, #"["usd"]"#)
            await fixture.services.market.currencies.refresh()
            let calls = try fixture.sql(Int.self, "SELECT calls FROM upstream_calls")
            #expect(calls == [1])
        }
    }

    @Test(.recordings) func `the built-in currencies are those that CoinGecko had in 2026`() throws {
        let data = try RecordedFiles.read("oas_2026/simple_supported_vs_currencies.json")
        let codes = try JSONDecoder().decode([String].self, from: data)
        #expect(Set(codes) == Set(Currency.builtIn.map(\.code)))
    }

    @Test func `no two currencies share a sign`() {
        let signs = Currency.builtIn.compactMap(\.sign)
        #expect(Set(signs).count == signs.count && signs.count > 20)
    }
}
