import Foundation
import Testing

@testable import Market
@testable import RoostSupport

/// Prices in several currencies: one request for each that somebody looks at, and one's failure is not another's.
@Suite struct PriceCurrencyTests {
    private func priceRequests(_ fixture: ServicesFixture, in currency: String) -> [ScriptedUpstream.Request]
    {
        fixture.upstream.requests(to: "/coins/markets").filter {
            $0.query["ids"] != nil && $0.query["vs_currency"] == currency
        }
    }

    /// Lets all demand lapse that adding a coin has made.
    private func owner(_ fixture: ServicesFixture, watching id: String = "bitcoin") async throws {
        _ = try await fixture.owner(watching: id)
        fixture.clock.advance(PriceRefresher.demandLifetime + 1)
    }

    /// Fails requests in this currency.
    private func fail(_ currency: String, _ fixture: ServicesFixture, status: Int = 500) {
        let script = fixture.script
        fixture.upstream.turn { request in
            request.query["vs_currency"] == currency ? .init(status: status) : script.answer(request)
        }
    }

    @Test func `each currency that somebody looks at costs one request, the others none`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.want(in: "usd")
            fixture.prices.want(["bitcoin"], in: "eur")
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "usd").count == 1)
            #expect(priceRequests(fixture, in: "eur").count == 1)
            #expect(priceRequests(fixture, in: "chf").isEmpty)
            fixture.clock.advance(61)
            fixture.prices.want(in: "usd")
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "usd").count == 2)
            #expect(priceRequests(fixture, in: "eur").count == 1)
        }
    }

    @Test func `a currency is asked only for what its people watch and what is named in it`() async throws {
        try await withServices { fixture in
            try await owner(fixture, watching: "bitcoin")
            fixture.prices.want(["solana"], in: "eur")
            fixture.prices.want()
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "eur").map { $0.query["ids"] } == ["solana"])
            #expect(priceRequests(fixture, in: "usd").map { $0.query["ids"] } == ["bitcoin"])
            #expect(fixture.prices.snapshot.board["solana"] == nil)
            #expect(fixture.prices.snapshot(in: "eur").board["solana"] != nil)
        }
    }

    @Test func `the server's own currency is meant where none is named`() async throws {
        try await withServices(plan: .keyless, { $0.currency = "EUR" }) { fixture in
            try await owner(fixture)
            fixture.prices.want()
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "eur").count == 1)
            #expect(fixture.prices.snapshot.currency == "eur")
            #expect(fixture.prices.snapshot(in: "Eur").board["bitcoin"] != nil)
        }
    }

    @Test func `a currency that fails ages alone`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.want()
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let first = fixture.clock.now
            fail("eur", fixture)
            fixture.clock.advance(61)
            fixture.prices.want()
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let (dollars, euros) = (fixture.prices.snapshot, fixture.prices.snapshot(in: "eur"))
            #expect(dollars.status.error == nil && dollars.status.updatedAt == fixture.clock.now)
            #expect(dollars.status.isUpToDate(at: dollars.now))
            #expect(euros.status.error == .serverError(statusCode: 500) && euros.status.updatedAt == first)
            #expect(!euros.status.isUpToDate(at: euros.now))
            #expect(euros.board["bitcoin"]?.fetchedAt == first)
            #expect(try #require(euros.status.nextTryAt) <= fixture.clock.now + 12)
            #expect(dollars.status.nextTryAt == fixture.clock.now + 60)
        }
    }

    @Test func `a currency's change is told only to those who look at it`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let (dollars, euros) = (fixture.prices.topic(in: "usd"), fixture.prices.topic(in: "EUR"))
            #expect(dollars == Topic.prices && euros == "prices/eur")
            let before = fixture.services.feed.version(of: [dollars])
            let beforeEuros = fixture.services.feed.version(of: [euros])
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            #expect(fixture.services.feed.version(of: [dollars]) == before)
            #expect(fixture.services.feed.version(of: [euros]) > beforeEuros)
        }
    }

    @Test(arguments: [
        ("prices/usd", String?.none), ("prices", "usd"), ("prices/eur", "eur"), ("prices/", nil),
        ("prices/e r", nil),
        ("prices/EUR", nil), ("prices/eur/x", nil), ("price", nil), ("watchlist/1", nil),
    ])
    func `a topic names its currency`(topic: String, currency: String?) async throws {
        try await withServices { fixture in
            #expect(fixture.prices.currency(ofTopic: topic) == currency)
        }
    }

    @Test func `the prices in a currency that no page shows go after a while, those of the server stay`()
        async throws
    {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.want()
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            fixture.clock.advance(300)
            fixture.prices.want(in: "chf")
            #expect(fixture.prices.snapshot(in: "eur").board["bitcoin"] != nil)
            fixture.clock.advance(301)
            fixture.prices.want(in: "chf")
            #expect(fixture.prices.snapshot(in: "eur").board["bitcoin"] == nil)
            #expect(fixture.prices.snapshot(in: "eur").status.updatedAt == nil)
            #expect(fixture.prices.snapshot.board["bitcoin"] != nil)
        }
    }

    @Test func `a page keeps what it names alive as long as it is rendered after each refresh`() async throws
    {
        try await withServices { fixture in
            // Longer than a look counts: only that the page named it since the last refresh keeps it.
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            for round in 1...3 {
                fixture.clock.advance(1)
                fixture.prices.want(["bitcoin"], in: "eur")
                for _ in 0..<2 {
                    fixture.clock.advance(30)
                    fixture.prices.want(in: "eur")
                }
                await fixture.prices.runUntilIdle()
                #expect(priceRequests(fixture, in: "eur").count == 1 + round)
                #expect(fixture.prices.snapshot(in: "eur").board["bitcoin"]?.fetchedAt == fixture.clock.now)
            }
            for _ in 0..<3 {
                fixture.clock.advance(30)
                fixture.prices.want(in: "eur")
                await fixture.prices.runUntilIdle()
            }
            #expect(fixture.prices.snapshot(in: "eur").board["bitcoin"] == nil)
            #expect(priceRequests(fixture, in: "eur").count == 4)
        }
    }

    @Test(arguments: ["", "e", "e&r", "€", "eur,usd", "a23456789012345", "zz001"])
    func `what can be no currency's code is never asked for`(code: String) async throws {
        try await withServices { fixture in
            fixture.prices.want(["bitcoin"], in: code)
            await fixture.prices.runUntilIdle()
            await fixture.prices.refresh(in: code)
            #expect(fixture.upstream.requests.isEmpty)
            #expect(fixture.prices.snapshot(in: code).board.entries.isEmpty)
        }
    }

    @Test func `many currencies share what a minute may take`() async throws {
        try await withServices { fixture in
            let codes = ["usd", "eur", "chf", "gbp", "jpy", "btc", "eth", "sek", "nok", "dkk"]
            for code in codes { fixture.prices.want(["bitcoin"], in: code) }
            await fixture.prices.runUntilIdle()
            #expect(fixture.prices.snapshot.status.interval == 60)
            fixture.clock.advance(60)
            for code in codes { fixture.prices.want(["bitcoin"], in: code) }
            await fixture.prices.runUntilIdle()
            // Ten calls a round: two minutes, at five calls a minute without a key.
            #expect(fixture.prices.snapshot.status.interval == 120)
        }
    }

    @Test func `what CoinGecko asked for in one currency holds for all`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let script = fixture.script
            fixture.upstream.turn { request in
                request.query["vs_currency"] == "eur"
                    ? .init(status: 429, headers: ["Retry-After: 119"]) : script.answer(request)
            }
            await fixture.prices.refresh()
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let until = fixture.clock.now + 119
            #expect(fixture.prices.retry(in: "eur") == .mustWait(until: until))
            #expect(fixture.prices.retry() == .mustWait(until: until))
            #expect(fixture.prices.snapshot.status.error == nil)
        }
    }

    @Test func `each refresh that goes well is told with its currency, a failure is not`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let updates = fixture.prices.updates()
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            fixture.script.set("bitcoin", to: "70000")
            fixture.upstream.turn(to: fixture.script.answer)
            await fixture.prices.refresh()
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            var iterator = updates.makeAsyncIterator()
            let (one, two) = (await iterator.next(), await iterator.next())
            let first = try #require(one)
            #expect(first.currency == "usd" && first.board["bitcoin"]?.quote.coin.currentPrice == 70_000)
            #expect(first.status.error == nil && first.status.updatedAt == fixture.clock.now)
            #expect(two?.currency == "eur")
        }
    }

    @Test func `every reader of updates hears of each`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let readers = [fixture.prices.updates(), fixture.prices.updates()]
            await fixture.prices.refresh()
            for reader in readers {
                var iterator = reader.makeAsyncIterator()
                let update = await iterator.next()
                #expect(update?.currency == "usd")
            }
        }
    }

    @Test func `a clock that is set moves the prices of every currency along`() async throws {
        try await withServices { fixture in
            fixture.prices.want(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            fixture.clock.jump(-7_200)
            let snapshot = fixture.prices.snapshot(in: "eur")
            #expect(snapshot.board["bitcoin"]?.fetchedAt == fixture.clock.now)
            #expect(snapshot.status.updatedAt == fixture.clock.now)
        }
    }
}
