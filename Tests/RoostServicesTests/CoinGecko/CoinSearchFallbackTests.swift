import Foundation
import Testing

@testable import RoostSupport

/// Coins newer than the cached list: CoinGecko's own search is asked in the background.
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
            let run = Task { await fixture.services.catalog.run() }
            do { try await body(fixture) } catch { Issue.record(error) }
            run.cancel()
            await run.value
        }
    }

    private func searches(_ fixture: ServicesFixture) -> [String?] {
        fixture.upstream.requests(to: "/search").map { $0.query["query"] }
    }

    @Test func `what CoinGecko answers counts, though nothing of it matches here`() async throws {
        try await searching { fixture in
            let before = fixture.services.feed.version(of: [Topic.coins])
            #expect(fixture.services.catalog.search("digital gold").coins.isEmpty)
            try await wait(for: "the news") { fixture.services.feed.version(of: [Topic.coins]) > before }
            let found = fixture.services.catalog.search("Digital Gold ")
            #expect(found.coins.map(\.coin.id) == ["bitcoin", "newcoin", "unranked"] && !found.isAsking)
            // The answer was to these words and to no others.
            #expect(fixture.services.catalog.search("digital").coins.isEmpty)
        }
    }

    @Test func `a coin of the list without a rank learns the one that CoinGecko's search tells`() async throws
    {
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
            let run = Task { await fixture.services.catalog.run() }
            #expect(fixture.services.catalog.search("solana").isAsking)
            try await wait(for: "the rank") {
                fixture.services.catalog.search("solana").coins.first?.rank == 9
            }
            run.cancel()
            await run.value
            #expect(fixture.services.catalog.count == 4)
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'solana'")
            #expect(ranks == [9])
        }
    }

    @Test func `an unknown coin is asked for, found, stored and told`() async throws {
        try await searching { fixture in
            let before = fixture.services.feed.version(of: [Topic.coins])
            let first = fixture.services.catalog.search("  New Coin")
            #expect(first.coins.isEmpty && first.isAsking)
            try await wait(for: "the news") { fixture.services.feed.version(of: [Topic.coins]) > before }
            let second = fixture.services.catalog.search("new coin")
            #expect(second.coins.first?.coin.id == "newcoin" && second.coins.first?.rank == 900)
            #expect(second.coins.first?.coin.symbol == "new" && !second.isAsking)
            #expect(fixture.services.catalog.coin(id: "unranked") != nil)
            #expect(searches(fixture) == ["new%20coin"])
            let stored = try fixture.sql(String.self, "SELECT id FROM coin_list WHERE symbol = 'new'")
            #expect(stored == ["newcoin"])
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'bitcoin'")
            #expect(ranks == [1])
        }
    }

    @Test(arguments: ["bit", "eth", "Bitcoin", "n", "", String(repeating: "x", count: 61)])
    func `words that the list answers well, or that are no question, are not passed on`(words: String)
        async throws
    {
        try await searching { fixture in
            #expect(!fixture.services.catalog.search(words).isAsking)
            try await Task.sleep(for: .milliseconds(50))
            #expect(searches(fixture).isEmpty)
        }
    }

    @Test func `the same words are not asked twice within ten minutes`() async throws {
        try await searching { fixture in
            fixture.upstream.turn { _ in .init(body: #"{"coins":[]}"#) }
            for _ in 0..<3 {
                let before = fixture.services.feed.version(of: [Topic.coins])
                guard fixture.services.catalog.search("zzzz").isAsking else { continue }
                try await wait(for: "the news") { fixture.services.feed.version(of: [Topic.coins]) > before }
            }
            #expect(searches(fixture).count == 1)
            fixture.clock.advance(601)
            #expect(fixture.services.catalog.search("zzzz").isAsking)
            try await wait(for: "the second question") { searches(fixture).count == 2 }
        }
    }

    @Test func `a search that fails leaves what is known and says that it is over`() async throws {
        try await searching { fixture in
            fixture.upstream.turn { _ in .init(status: 429) }
            let before = fixture.services.feed.version(of: [Topic.coins])
            #expect(fixture.services.catalog.search("newest").isAsking)
            try await wait(for: "the news") { fixture.services.feed.version(of: [Topic.coins]) > before }
            #expect(!fixture.services.catalog.search("newest").isAsking)
            #expect(fixture.services.catalog.count == 4)
        }
    }

    @Test func `without a list nothing is passed on`() async throws {
        try await withServices { fixture in
            #expect(!fixture.services.catalog.search("newcoin").isAsking)
        }
    }
}
