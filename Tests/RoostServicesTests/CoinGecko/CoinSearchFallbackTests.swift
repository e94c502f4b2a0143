import Foundation
import RoostServices
import Testing

/// Coins newer than the cached list: CoinGecko's own search is asked in the background.
@Suite(.timeLimit(.minutes(2))) struct CoinSearchFallbackTests {
    private static let newcomer = """
        {"coins":[{"id":"newcoin","name":"New Coin","symbol":"NEW","market_cap_rank":900},
        {"id":"bitcoin","name":"Bitcoin","symbol":"BTC","market_cap_rank":1},
        {"id":"unranked","name":"New Unranked","symbol":"NU","market_cap_rank":null},{"id":""}]}
        """

    private func searching(_ body: (ServicesBench) async throws -> Void) async throws {
        try await withServices { bench in
            await bench.loadCoins()
            let script = bench.script
            bench.upstream.turn { request in
                request.path == "/search" ? .init(body: Self.newcomer) : script.answer(request)
            }
            let run = Task { await bench.services.catalog.run() }
            do { try await body(bench) } catch { Issue.record(error) }
            run.cancel()
            await run.value
        }
    }

    private func searches(_ bench: ServicesBench) -> [String?] {
        bench.upstream.requests(to: "/search").map { $0.query["query"] }
    }

    @Test func `an unknown coin is asked for, found, stored and told`() async throws {
        try await searching { bench in
            let before = bench.services.feed.version(of: [Topic.coins])
            let first = bench.services.catalog.search("  New Coin")
            #expect(first.coins.isEmpty && first.isAsking)
            try await wait(for: "the news") { bench.services.feed.version(of: [Topic.coins]) > before }
            let second = bench.services.catalog.search("new coin")
            #expect(second.coins.first?.coin.id == "newcoin" && second.coins.first?.rank == 900)
            #expect(second.coins.first?.coin.symbol == "new" && !second.isAsking)
            #expect(bench.services.catalog.coin(id: "unranked") != nil)
            #expect(searches(bench) == ["new%20coin"])
            let stored = try bench.sql(String.self, "SELECT id FROM coin_list WHERE symbol = 'new'")
            #expect(stored == ["newcoin"])
            let ranks = try bench.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'bitcoin'")
            #expect(ranks == [1])
        }
    }

    @Test(arguments: ["bit", "eth", "Bitcoin", "n", "", String(repeating: "x", count: 61)])
    func `words that the list answers well, or that are no question, are not passed on`(words: String)
        async throws
    {
        try await searching { bench in
            #expect(!bench.services.catalog.search(words).isAsking)
            try await Task.sleep(for: .milliseconds(50))
            #expect(searches(bench).isEmpty)
        }
    }

    @Test func `the same words are not asked twice within ten minutes`() async throws {
        try await searching { bench in
            bench.upstream.turn { _ in .init(body: #"{"coins":[]}"#) }
            for _ in 0..<3 {
                let before = bench.services.feed.version(of: [Topic.coins])
                guard bench.services.catalog.search("zzzz").isAsking else { continue }
                try await wait(for: "the news") { bench.services.feed.version(of: [Topic.coins]) > before }
            }
            #expect(searches(bench).count == 1)
            bench.clock.advance(601)
            #expect(bench.services.catalog.search("zzzz").isAsking)
            try await wait(for: "the second question") { searches(bench).count == 2 }
        }
    }

    @Test func `a search that fails leaves what is known and says that it is over`() async throws {
        try await searching { bench in
            bench.upstream.turn { _ in .init(status: 429) }
            let before = bench.services.feed.version(of: [Topic.coins])
            #expect(bench.services.catalog.search("newest").isAsking)
            try await wait(for: "the news") { bench.services.feed.version(of: [Topic.coins]) > before }
            #expect(!bench.services.catalog.search("newest").isAsking)
            #expect(bench.services.catalog.count == 4)
        }
    }

    @Test func `without a list nothing is passed on`() async throws {
        try await withServices { bench in
            #expect(!bench.services.catalog.search("newcoin").isAsking)
        }
    }
}
