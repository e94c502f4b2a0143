import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct CoinCatalogTests {
    private let week: TimeInterval = 7 * 86_400

    private func listRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests(to: "/coins/list")
    }

    /// Runs the catalog during a test's body.
    private func running(_ fixture: ServicesFixture, _ body: () async throws -> Void) async {
        let run = Task { await fixture.services.market.catalog.run() }
        do { try await body() } catch { Issue.record(error) }
        run.cancel()
        await run.value
    }

    @Test func `the first start fetches and stores the list automatically`() async throws {
        try await withServices { fixture in
            #expect(fixture.services.market.catalog.loading == .idle)
            await running(fixture) {
                try await wait(for: "the stored list") {
                    try fixture.sql(String.self, "SELECT id FROM coin_list").count == 4
                }
            }
            #expect(fixture.services.market.catalog.count == 4)
            #expect(fixture.services.market.catalog.loading == .loaded(fixture.clock.now))
        }
    }

    @Test func `searches rank the largest coins first`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let coins = fixture.services.market.catalog.search("b").coins
            #expect(coins.map(\.rank) == [1, 4])
            #expect(fixture.services.market.catalog.coin(id: "boringdao-[old]")?.symbol == "bor")
            #expect(fixture.services.market.catalog.coin(id: "nonsense") == nil)
        }
    }

    @Test func `a restart within seven days reads the stored list and requests nothing`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            await first.loadCoins()
            try first.end()
            let second = try ServicesFixture(in: folder)
            second.clock.advance(week - 60)
            await running(second) {
                try await wait(for: "the stored list") { second.services.market.catalog.count == 4 }
                #expect(second.services.market.catalog.search("bitcoin").coins.first?.rank == 1)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(second.upstream.requests.isEmpty)
            #expect(second.services.market.catalog.loading == .loaded(TestClock.start))
            try second.end()
        }
    }

    @Test func `after seven days the list is requested again, and an unchanged list only resets its age`()
        async throws
    {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.clock.advance(week + 1)
            await running(fixture) {
                try await wait(for: "the second request") { listRequests(fixture).count == 2 }
                try await wait(for: "its new age") {
                    try fixture.sql(Double.self, "SELECT fetched_at FROM coin_list_state")
                        == [fixture.clock.now.timeIntervalSince1970]
                }
                _ = fixture.services.market.catalog.search("bitcoin")
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(listRequests(fixture).map { $0.headers["if-none-match"] } == [nil, fixture.script.etag])
            #expect(fixture.services.market.catalog.count == 4)
            #expect(fixture.services.market.catalog.search("bitcoin").coins.first?.rank == 1)
        }
    }

    @Test(arguments: [500, 429, 200])
    func `a failure keeps the old list complete and with its ranks`(status: Int) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.upstream.turn { _ in .init(status: status, body: "[]") }
            fixture.clock.advance(week + 1)
            await fixture.services.market.catalog.refresh()
            #expect(fixture.services.market.catalog.count == 4)
            #expect(fixture.services.market.catalog.search("bitcoin").coins.first?.rank == 1)
            #expect(fixture.services.market.catalog.loading == .loaded(TestClock.start))
            let ids = try fixture.sql(String.self, "SELECT id FROM coin_list")
            #expect(ids.count == 4)
        }
    }

    @Test func `a new list without ranks keeps the old ranks`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.upstream.turn { request in
                if request.path == "/coins/markets" { return .init(status: 429) }
                return .init(
                    body: #"[{"id":"bitcoin","symbol":"btc","name":"B"},{"id":"n","symbol":"n","name":"N"}]"#)
            }
            await fixture.services.market.catalog.refresh()
            #expect(fixture.services.market.catalog.count == 2)
            #expect(fixture.services.market.catalog.search("bitcoin").coins.first?.rank == 1)
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'bitcoin'")
            #expect(ranks == [1])
        }
    }

    @Test func `a failed first fetch gives the reason and is retried automatically`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 503) }
            await running(fixture) {
                try await wait(for: "the failure") {
                    fixture.services.market.catalog.loading == .failed(.serverError(statusCode: 503))
                }
                #expect(listRequests(fixture).count == 1)
                fixture.upstream.turn(to: fixture.script.answer)
                // The first wait is 12 to 18 s.
                fixture.clock.advance(19)
                _ = fixture.services.market.catalog.search("bitcoin")
                try await wait(for: "the list") { fixture.services.market.catalog.count == 4 }
            }
            #expect(fixture.services.market.catalog.loading == .loaded(fixture.clock.now))
        }
    }

    @Test func `a missing list shows the reason, the next retry, and a retry in progress`()
        async throws
    {
        try await withServices { fixture in
            let catalog = fixture.services.market.catalog
            #expect(catalog.missingList?.error == nil)
            fixture.upstream.turn { _ in .init(status: 503) }
            await catalog.refresh()
            let status = try #require(catalog.missingList)
            #expect(status.error == .serverError(statusCode: 503) && !status.isTrying)
            #expect((12.0...18).contains(try #require(status.nextTryAt).timeIntervalSince(fixture.clock.now)))
            let before = fixture.services.feed.version(of: [Topic.coins])
            #expect(catalog.retry() == .started)
            #expect(catalog.missingList?.isTrying == true)
            #expect(catalog.missingList?.error == .serverError(statusCode: 503))
            #expect(fixture.services.feed.version(of: [Topic.coins]) > before)
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.clock.advance(2)
            await running(fixture) { try await wait(for: "the list") { catalog.missingList == nil } }
            #expect(catalog.count == 4)
        }
    }

    @Test func `a manual refresh of a recent list requests nothing`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            #expect(fixture.services.market.catalog.retry() == .started)
            await running(fixture) { try await Task.sleep(for: .milliseconds(50)) }
            #expect(listRequests(fixture).count == 1)
        }
    }

    @Test func `a manual refresh respects CoinGecko's wait, and a longer Retry-After decides`()
        async throws
    {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 7200"]) }
            await fixture.services.market.catalog.refresh()
            let until = fixture.clock.now + 7_200
            #expect(fixture.services.market.catalog.missingList?.nextTryAt == until)
            #expect(fixture.services.market.catalog.retry() == .mustWait(until: until))
        }
    }

    @Test func `a malformed coin is skipped, and the others stay`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { _ in
                .init(body: #"[{"id":"a","symbol":"a","name":""},{"id":"b","symbol":"b","name":"B"},7]"#)
            }
            await fixture.loadCoins()
            #expect(fixture.services.market.catalog.count == 1)
            #expect(fixture.log.lines.filter { $0.contains("invalid item") }.count >= 2)
        }
    }

    @Test func `a new list is published to the pages`() async throws {
        try await withServices { fixture in
            let before = fixture.services.feed.version(of: [Topic.coins])
            await fixture.loadCoins()
            #expect(fixture.services.feed.version(of: [Topic.coins]) > before)
        }
    }

    @Test func `adding a coin in the first seconds waits for the list`() async throws {
        try await withServices { fixture in
            await running(fixture) {
                let owner = try await fixture.services.owner().userId
                try await fixture.services.market.watchlist.add("bitcoin", to: owner)
            }
        }
    }

    @Test
    func `"not modified" in answer to the first request is a failure and is not retried at once`()
        async throws
    {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 304) }
            await running(fixture) {
                try await wait(for: "the failure") {
                    fixture.services.market.catalog.loading == .failed(.invalidResponse(statusCode: 304))
                }
                try await Task.sleep(for: .milliseconds(200))
                #expect(listRequests(fixture).count == 1)
            }
        }
    }
}
