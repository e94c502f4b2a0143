import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostServices
@testable import RoostSupport

@Suite struct PriceRefresherTests {
    private func price(_ id: String, in fixture: ServicesFixture) -> Decimal? {
        fixture.prices.snapshot.table[id]?.quote.coin.currentPrice
    }

    /// The requests for prices, without the one for the ranks of the coin list.
    private func priceRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests(to: "/coins/markets").filter { $0.query["ids"] != nil }
    }

    @Test func `all lists share one percent-encoded request with every parameter set`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "boringdao-[old]")
            let other = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            try await fixture.services.market.watchlist.add("bitcoin", to: other)
            try await fixture.services.market.watchlist.add("solana", to: other)
            #expect(owner != other)
            await fixture.prices.refresh()
            let requests = priceRequests(fixture)
            #expect(requests.count == 1)
            let query = try #require(requests.first).query
            #expect(query["ids"] == "bitcoin,boringdao-%5Bold%5D,solana")
            #expect(query["vs_currency"] == "usd" && query["per_page"] == "250" && query["page"] == "1")
            #expect(query["sparkline"] == "true" && query["precision"] == "full")
            #expect(query["price_change_percentage"] == "1h,24h,7d")
            #expect(price("boringdao-[old]", in: fixture) == Decimal(string: "0.5"))
            #expect(price("solana", in: fixture) == Decimal(string: "0.000000012"))
        }
    }

    @Test func `every request has a User-Agent, and without a key none is sent`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            #expect(fixture.upstream.requests.count >= 3)
            for request in fixture.upstream.requests {
                #expect(request.headers["user-agent"] == "Roost/test")
                #expect(!request.headers.keys.contains { $0.hasPrefix("x-cg-") })
            }
        }
    }

    @Test(arguments: [(CoinGeckoPlan.demo, "x-cg-demo-api-key"), (.paid, "x-cg-pro-api-key")])
    func `a key goes into its plan's header, the currency into the query`(
        plan: CoinGeckoPlan, header: String
    ) async throws {
        let change = { (configuration: inout Services.Configuration) in
            configuration.coinGeckoKey = "CG-secret"
            configuration.currency = "eur"
        }
        try await withServices(plan: plan, change) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            let request = try #require(priceRequests(fixture).last)
            #expect(request.headers[header] == "CG-secret")
            #expect(request.headers.keys.filter { $0.hasPrefix("x-cg-") }.count == 1)
            #expect(request.query["vs_currency"] == "eur")
            #expect(!fixture.log.lines.contains { $0.contains("CG-secret") })
        }
    }

    @Test func `more than 250 coins are requested in pages`() async throws {
        try await withServices { fixture in
            let ids = (0..<501).map { "coin-\($0)" }
            fixture.upstream.turn { request in
                let requested = request.query["ids"]?.split(separator: ",") ?? []
                let items = requested.map {
                    CoinGeckoScript.item(String($0), price: "2", at: TestClock.start)
                }
                return .init(body: "[\(items.joined(separator: ","))]")
            }
            fixture.prices.watch(ids)
            await fixture.prices.refresh()
            let counts = priceRequests(fixture).map { $0.query["ids"]?.split(separator: ",").count }
            #expect(counts == [250, 250, 1])
            #expect(fixture.prices.snapshot.table.entries.count == 501)
        }
    }

    @Test func `without watched coins nothing is requested`() async throws {
        try await withServices { fixture in
            await fixture.prices.refresh()
            #expect(fixture.upstream.requests.isEmpty)
            #expect(fixture.status.nextTryAt == nil && fixture.status.error == nil)
        }
    }

    @Test func `a success sets its time and the next refresh, and is published`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let before = fixture.services.feed.version(of: [Topic.prices])
            await fixture.prices.refresh()
            #expect(fixture.status.updatedAt == fixture.clock.now)
            #expect(fixture.status.nextTryAt == fixture.clock.now + 60)
            #expect(fixture.status.isUpToDate(at: fixture.clock.now))
            #expect(!fixture.status.isLoading && fixture.status.error == nil)
            #expect(fixture.services.feed.version(of: [Topic.prices]) > before)
        }
    }

    @Test func `a failure keeps the old prices with their age, and is published`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            let fetched = fixture.clock.now
            fixture.upstream.turn { _ in .init(status: 503, body: "<html>busy</html>") }
            fixture.clock.advance(120)
            let before = fixture.services.feed.version(of: [Topic.prices])
            await fixture.prices.refresh()
            #expect(price("bitcoin", in: fixture) == Decimal(string: "64250.5"))
            let snapshot = fixture.prices.snapshot
            let entry = try #require(snapshot.table["bitcoin"])
            #expect(snapshot.fetchedAt(entry) == fetched && snapshot.isStale(entry))
            #expect(snapshot.status.error == .serverError(statusCode: 503))
            #expect(snapshot.status.updatedAt == fetched && !snapshot.status.isUpToDate(at: snapshot.now))
            #expect(fixture.services.feed.version(of: [Topic.prices]) > before)
        }
    }

    @Test func `the next success clears the error and brings new prices`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            #expect(fixture.status.error == .serverError(statusCode: 500))
            fixture.script.set("bitcoin", to: "70000")
            fixture.upstream.turn(to: fixture.script.answer)
            await fixture.prices.refresh()
            #expect(fixture.status.error == nil)
            #expect(price("bitcoin", in: fixture) == 70_000)
        }
    }

    @Test func `a retry after a failure shows that it is loading`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            let seen = Mutex<[Bool]>([])
            let (prices, script) = (fixture.prices, fixture.script)
            fixture.upstream.turn { request in
                seen.withLock { $0.append(prices.snapshot.status.loading.isLoading) }
                return script.answer(request)
            }
            let before = fixture.services.feed.version(of: [Topic.prices])
            await fixture.prices.refresh()
            #expect(seen.withLock { $0 } == [true])
            #expect(!fixture.status.isLoading)
            #expect(fixture.services.feed.version(of: [Topic.prices]) == before + 2)
        }
    }

    @Test func `a delisted coin keeps its last price and is marked, and a refused one only ages`()
        async throws
    {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin", "solana")
            await fixture.prices.refresh()
            fixture.script.set("solana", to: "\"a lot\"")
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table["solana"]?.isListed == true)
            #expect(
                fixture.log.lines.contains { $0.contains("invalid item") && $0.contains("current_price") })
            fixture.script.set("solana", to: nil)
            await fixture.prices.refresh()
            #expect(fixture.prices.snapshot.table["solana"]?.isListed == false)
            #expect(price("solana", in: fixture) == Decimal(string: "0.000000012"))
            #expect(fixture.prices.snapshot.table["bitcoin"]?.isListed == true)
        }
    }

    @Test func `an answer that contains none of several coins is invalid`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin", "solana")
            await fixture.prices.refresh()
            fixture.upstream.turn { _ in .init(body: "[]") }
            await fixture.prices.refresh()
            #expect(fixture.status.error == .invalidResponse(statusCode: 200))
            #expect(fixture.prices.snapshot.table["bitcoin"]?.isListed == true)
            #expect(price("bitcoin", in: fixture) != nil)
        }
    }

    @Test func `prices are never written to the database`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let before = fixture.statements.all.count
            await fixture.prices.refresh()
            let writes = fixture.statements.all.dropFirst(before).filter {
                !$0.hasPrefix("SELECT") && !$0.hasPrefix("WITH") && !$0.hasPrefix("BEGIN")
                    && !$0.hasPrefix("COMMIT")
                    && !$0.hasPrefix("PRAGMA")
            }
            #expect(writes.isEmpty)
            #expect(price("bitcoin", in: fixture) != nil)
        }
    }
}
