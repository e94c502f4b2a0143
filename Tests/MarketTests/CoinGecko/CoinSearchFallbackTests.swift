import Foundation
import TestSupport
import Testing

@testable import RoostSupport

/// For coins newer than the cached list, CoinGecko's own search runs in the background.
@Suite(.timeLimit(.minutes(2))) struct CoinSearchFallbackTests {
    private static let newcomer = """
        {"coins":[{"id":"newcoin","name":"New Coin","symbol":"NEW","market_cap_rank":900},
        {"id":"bitcoin","name":"Bitcoin","symbol":"BTC","market_cap_rank":1},
        {"id":"unranked","name":"New Unranked","symbol":"NU","market_cap_rank":null},{"id":""}]}
        """

    private func searching(_ body: (ServicesFixture) async throws -> Void) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let script = fixture.script
            fixture.upstream.turn { request in
                request.path == "/search" ? .init(body: Self.newcomer) : script.answer(request)
            }
            let run = Task { await fixture.services.market.catalog.run() }
            do { try await body(fixture) } catch { Issue.record(error) }
            run.cancel()
            await run.value
        }
    }

    private func searches(_ fixture: ServicesFixture) -> [String?] {
        fixture.upstream.requests(to: "/search").map { $0.query["query"] }
    }

    @Test func `CoinGecko's results are shown even if they do not match the query here`() async throws {
        try await searching { fixture in
            let before = fixture.services.feed.version(of: [Topic.coins])
            #expect(fixture.services.market.catalog.search("digital gold").coins.isEmpty)
            try await wait(for: "a published change") {
                fixture.services.feed.version(of: [Topic.coins]) > before
            }
            let found = fixture.services.market.catalog.search("Digital Gold ")
            #expect(found.coins.map(\.coin.id) == ["bitcoin", "newcoin", "unranked"] && !found.isPending)
            // The answer belongs to this query only.
            #expect(fixture.services.market.catalog.search("digital").coins.isEmpty)
        }
    }

    @Test func `an unranked coin in the list gets the rank from CoinGecko's search`() async throws {
        try await withServices { fixture in
            let script = fixture.script
            fixture.upstream.turn { request in
                switch request.path {
                case "/coins/markets": .init(status: 500)
                case "/search":
                    .init(
                        body:
                            #"{"coins":[{"id":"solana","name":"Solana","symbol":"SOL","market_cap_rank":9}]}"#
                    )
                default: script.answer(request)
                }
            }
            await fixture.loadCoins()
            let run = Task { await fixture.services.market.catalog.run() }
            #expect(fixture.services.market.catalog.search("solana").isPending)
            try await wait(for: "the rank") {
                fixture.services.market.catalog.search("solana").coins.first?.rank == 9
            }
            run.cancel()
            await run.value
            #expect(fixture.services.market.catalog.count == 4)
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'solana'")
            #expect(ranks == [9])
        }
    }

    @Test func `an unknown coin is requested, found, stored and published`() async throws {
        try await searching { fixture in
            let before = fixture.services.feed.version(of: [Topic.coins])
            let first = fixture.services.market.catalog.search("  New Coin")
            #expect(first.coins.isEmpty && first.isPending)
            try await wait(for: "a published change") {
                fixture.services.feed.version(of: [Topic.coins]) > before
            }
            let second = fixture.services.market.catalog.search("new coin")
            #expect(second.coins.first?.coin.id == "newcoin" && second.coins.first?.rank == 900)
            #expect(second.coins.first?.coin.symbol == "new" && !second.isPending)
            #expect(fixture.services.market.catalog.coin(id: "unranked") != nil)
            #expect(searches(fixture) == ["new%20coin"])
            let stored = try fixture.sql(String.self, "SELECT id FROM coin_list WHERE symbol = 'new'")
            #expect(stored == ["newcoin"])
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'bitcoin'")
            #expect(ranks == [1])
        }
    }

    @Test(arguments: ["bit", "eth", "Bitcoin", "n", "", String(repeating: "x", count: 61)])
    func `queries that the list answers well, or that are not searches, are not sent to CoinGecko`(
        query: String
    )
        async throws
    {
        try await searching { fixture in
            #expect(!fixture.services.market.catalog.search(query).isPending)
            try await Task.sleep(for: .milliseconds(50))
            #expect(searches(fixture).isEmpty)
        }
    }

    @Test func `the same query is sent at most once in ten minutes`() async throws {
        try await searching { fixture in
            fixture.upstream.turn { _ in .init(body: #"{"coins":[]}"#) }
            for _ in 0..<3 {
                let before = fixture.services.feed.version(of: [Topic.coins])
                guard fixture.services.market.catalog.search("zzzz").isPending else { continue }
                try await wait(for: "a published change") {
                    fixture.services.feed.version(of: [Topic.coins]) > before
                }
            }
            #expect(searches(fixture).count == 1)
            fixture.clock.advance(601)
            #expect(fixture.services.market.catalog.search("zzzz").isPending)
            try await wait(for: "the second request") { searches(fixture).count == 2 }
        }
    }

    @Test func `a failed search keeps the known coins and ends the pending state`() async throws {
        try await searching { fixture in
            fixture.upstream.turn { _ in .init(status: 429) }
            let before = fixture.services.feed.version(of: [Topic.coins])
            #expect(fixture.services.market.catalog.search("newest").isPending)
            try await wait(for: "a published change") {
                fixture.services.feed.version(of: [Topic.coins]) > before
            }
            #expect(!fixture.services.market.catalog.search("newest").isPending)
            #expect(fixture.services.market.catalog.count == 4)
        }
    }

    @Test func `without a list no query is sent`() async throws {
        try await withServices { fixture in
            #expect(!fixture.services.market.catalog.search("newcoin").isPending)
        }
    }
}
