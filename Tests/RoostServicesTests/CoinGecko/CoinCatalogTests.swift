import Foundation
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct CoinCatalogTests {
    private let week: TimeInterval = 7 * 86_400

    private func listRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests(to: "/coins/list")
    }

    /// Runs the catalog beside a test's body and ends it after.
    private func running(_ fixture: ServicesFixture, _ body: () async throws -> Void) async {
        let run = Task { await fixture.services.catalog.run() }
        do { try await body() } catch { Issue.record(error) }
        run.cancel()
        await run.value
    }

    @Test func `a first start fetches the list by itself and stores it`() async throws {
        try await withServices { fixture in
            #expect(fixture.services.catalog.loading == .idle)
            await running(fixture) {
                try await wait(for: "the stored list") {
                    try fixture.sql(String.self, "SELECT id FROM coin_list").count == 4
                }
            }
            #expect(fixture.services.catalog.count == 4)
            #expect(fixture.services.catalog.loading == .loaded(fixture.clock.now))
        }
    }

    @Test func `the largest coins' ranks order a search`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let coins = fixture.services.catalog.search("b").coins
            #expect(coins.map(\.rank) == [1, 4])
            #expect(fixture.services.catalog.coin(id: "boringdao-[old]")?.symbol == "bor")
            #expect(fixture.services.catalog.coin(id: "nonsense") == nil)
        }
    }

    @Test func `a restart within seven days reads the list and asks nothing`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            await first.loadCoins()
            try first.end()
            let second = try ServicesFixture(in: folder)
            second.clock.advance(week - 60)
            await running(second) {
                try await wait(for: "the stored list") { second.services.catalog.count == 4 }
                #expect(second.services.catalog.search("bitcoin").coins.first?.rank == 1)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(second.upstream.requests.isEmpty)
            #expect(second.services.catalog.loading == .loaded(TestClock.start))
            try second.end()
        }
    }

    @Test func `after seven days the list is asked for anew, and an unchanged one only grows young`()
        async throws
    {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.clock.advance(week + 1)
            await running(fixture) {
                try await wait(for: "the second request") { listRequests(fixture).count == 2 }
                try await wait(for: "its age") {
                    try fixture.sql(Double.self, "SELECT fetched_at FROM coin_list_state")
                        == [fixture.clock.now.timeIntervalSince1970]
                }
                _ = fixture.services.catalog.search("bitcoin")
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(listRequests(fixture).map { $0.headers["if-none-match"] } == [nil, fixture.script.etag])
            #expect(fixture.services.catalog.count == 4)
            #expect(fixture.services.catalog.search("bitcoin").coins.first?.rank == 1)
        }
    }

    @Test func `an unchanged list says when it was last known to be so`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.clock.advance(week + 1)
            await fixture.services.catalog.refresh()
            #expect(fixture.services.catalog.loading == .loaded(fixture.clock.now))
        }
    }

    @Test(arguments: [500, 429, 200])
    func `a failure keeps the old list, whole and with its ranks`(status: Int) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.upstream.turn { _ in .init(status: status, body: "[]") }
            fixture.clock.advance(week + 1)
            await fixture.services.catalog.refresh()
            #expect(fixture.services.catalog.count == 4)
            #expect(fixture.services.catalog.search("bitcoin").coins.first?.rank == 1)
            #expect(fixture.services.catalog.loading == .loaded(TestClock.start))
            let ids = try fixture.sql(String.self, "SELECT id FROM coin_list")
            #expect(ids.count == 4)
        }
    }

    @Test func `a new list whose ranks could not be had keeps the old ranks`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            fixture.upstream.turn { request in
                if request.path == "/coins/markets" { return .init(status: 429) }
                return .init(
                    body: #"[{"id":"bitcoin","symbol":"btc","name":"B"},{"id":"n","symbol":"n","name":"N"}]"#)
            }
            await fixture.services.catalog.refresh()
            #expect(fixture.services.catalog.count == 2)
            #expect(fixture.services.catalog.search("bitcoin").coins.first?.rank == 1)
            let ranks = try fixture.sql(Int.self, "SELECT rank FROM coin_list WHERE id = 'bitcoin'")
            #expect(ranks == [1])
        }
    }

    @Test func `a failed first fetch says why, and is tried again by itself`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 503) }
            await running(fixture) {
                try await wait(for: "the failure") {
                    fixture.services.catalog.loading == .failed(.serverError(statusCode: 503))
                }
                #expect(listRequests(fixture).count == 1)
                fixture.upstream.turn(to: fixture.script.answer)
                // The first wait is 12 to 18 s.
                fixture.clock.advance(19)
                _ = fixture.services.catalog.search("bitcoin")
                try await wait(for: "the list") { fixture.services.catalog.count == 4 }
            }
            #expect(fixture.services.catalog.loading == .loaded(fixture.clock.now))
        }
    }

    @Test func `without a list it is said why, when it is tried again, and that it is being tried`()
        async throws
    {
        try await withServices { fixture in
            let catalog = fixture.services.catalog
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

    @Test func `a click on a list that is there and new asks nothing`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            #expect(fixture.services.catalog.retry() == .started)
            await running(fixture) { try await Task.sleep(for: .milliseconds(50)) }
            #expect(listRequests(fixture).count == 1)
        }
    }

    @Test func `a click keeps the wait that CoinGecko asked for, and Retry-After decides when it is longer`()
        async throws
    {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 7200"]) }
            await fixture.services.catalog.refresh()
            let until = fixture.clock.now + 7_200
            #expect(fixture.services.catalog.missingList?.nextTryAt == until)
            #expect(fixture.services.catalog.retry() == .mustWait(until: until))
        }
    }

    @Test func `a malformed coin costs only itself`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { _ in
                .init(body: #"[{"id":"a","symbol":"a","name":""},{"id":"b","symbol":"b","name":"B"},7]"#)
            }
            await fixture.loadCoins()
            #expect(fixture.services.catalog.count == 1)
            #expect(fixture.log.lines.filter { $0.contains("refused") }.count >= 2)
        }
    }

    @Test func `pages hear of a new list`() async throws {
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
                try await fixture.services.watchlist.add("bitcoin", to: owner)
            }
        }
    }

    @Test
    func `an answer that nothing has changed, to a first question, is a failure and not asked again at once`()
        async throws
    {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 304) }
            await running(fixture) {
                try await wait(for: "the failure") {
                    fixture.services.catalog.loading == .failed(.invalidResponse(statusCode: 304))
                }
                try await Task.sleep(for: .milliseconds(200))
                #expect(listRequests(fixture).count == 1)
            }
        }
    }

    @Test func `a list that keeps failing is asked for less and less often`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { _ in .init(status: 401) }
            await running(fixture) {
                for (count, wait) in [(1, 15.0), (2, 30), (3, 60), (4, 120)] {
                    try await RoostServicesTests.wait(for: "request \(count)") {
                        listRequests(fixture).count == count && fixture.services.catalog.loading.error != nil
                    }
                    try await Task.sleep(for: .milliseconds(30))
                    fixture.clock.advance(wait * 0.75)
                    _ = fixture.services.catalog.search("bitcoin")
                    try await Task.sleep(for: .milliseconds(30))
                    #expect(listRequests(fixture).count == count)
                    fixture.clock.advance(wait * 0.5)
                    _ = fixture.services.catalog.search("bitcoin")
                }
            }
        }
    }
}
