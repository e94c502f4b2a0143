import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

/// Each viewed currency has its own request, and a failure in one does not affect the others.
@Suite struct PriceCurrencyTests {
    private func priceRequests(_ fixture: ServicesFixture, in currency: String) -> [ScriptedUpstream.Request]
    {
        fixture.upstream.requests(to: "/coins/markets").filter {
            $0.query["ids"] != nil && $0.query["vs_currency"] == currency
        }
    }

    /// Adds a coin and lets the resulting demand expire.
    private func owner(_ fixture: ServicesFixture, watching id: String = "bitcoin") async throws {
        _ = try await fixture.owner(watching: id)
        fixture.clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
    }

    /// Fails requests in this currency.
    private func fail(_ currency: String, _ fixture: ServicesFixture, status: Int = 500) {
        let script = fixture.script
        fixture.upstream.turn { request in
            request.query["vs_currency"] == currency ? .init(status: status) : script.answer(request)
        }
    }

    @Test func `each viewed currency costs one request, and the others none`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.watch(in: "usd")
            fixture.prices.watch(["bitcoin"], in: "eur")
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "usd").count == 1)
            #expect(priceRequests(fixture, in: "eur").count == 1)
            #expect(priceRequests(fixture, in: "chf").isEmpty)
            fixture.clock.advance(61)
            fixture.prices.watch(in: "usd")
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "usd").count == 2)
            #expect(priceRequests(fixture, in: "eur").count == 1)
        }
    }

    @Test func `a currency's request contains only the coins watched or named in it`() async throws {
        try await withServices { fixture in
            try await owner(fixture, watching: "bitcoin")
            fixture.prices.watch(["solana"], in: "eur")
            fixture.prices.watch()
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "eur").map { $0.query["ids"] } == ["solana"])
            #expect(priceRequests(fixture, in: "usd").map { $0.query["ids"] } == ["bitcoin"])
            #expect(fixture.prices.snapshot.table["solana"] == nil)
            #expect(fixture.prices.snapshot(in: "eur").table["solana"] != nil)
        }
    }

    @Test func `without a named currency the server's own applies`() async throws {
        try await withServices(plan: .keyless, { $0.currency = "EUR" }) { fixture in
            try await owner(fixture)
            fixture.prices.watch()
            await fixture.prices.runUntilIdle()
            #expect(priceRequests(fixture, in: "eur").count == 1)
            #expect(fixture.prices.snapshot.currency == "eur")
            #expect(fixture.prices.snapshot(in: "Eur").table["bitcoin"] != nil)
        }
    }

    @Test func `when one currency fails, only its prices age`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.watch()
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let first = fixture.clock.now
            fail("eur", fixture)
            fixture.clock.advance(61)
            fixture.prices.watch()
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let (dollars, euros) = (fixture.prices.snapshot, fixture.prices.snapshot(in: "eur"))
            #expect(dollars.status.error == nil && dollars.status.updatedAt == fixture.clock.now)
            #expect(dollars.status.isUpToDate(at: dollars.now))
            #expect(euros.status.error == .serverError(statusCode: 500) && euros.status.updatedAt == first)
            #expect(!euros.status.isUpToDate(at: euros.now))
            #expect(euros.table["bitcoin"].map(euros.fetchedAt) == first)
            #expect(try #require(euros.status.nextTryAt) <= fixture.clock.now + 12)
            #expect(dollars.status.nextTryAt == fixture.clock.now + 60)
        }
    }

    @Test func `a currency's change is published only to those who view it`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let (dollars, euros) = (fixture.prices.topic(in: "usd"), fixture.prices.topic(in: "EUR"))
            #expect(dollars == Topic.prices && euros == "prices/eur")
            let before = fixture.services.feed.version(of: [dollars])
            let beforeEuros = fixture.services.feed.version(of: [euros])
            fixture.prices.watch(["bitcoin"], in: "eur")
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

    @Test func `prices in a currency that no page shows expire, but the server's own currency stays`()
        async throws
    {
        try await withServices { fixture in
            try await owner(fixture)
            fixture.prices.watch()
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            fixture.clock.advance(300)
            fixture.prices.watch(in: "chf")
            #expect(fixture.prices.snapshot(in: "eur").table["bitcoin"] != nil)
            fixture.clock.advance(301)
            fixture.prices.watch(in: "chf")
            #expect(fixture.prices.snapshot(in: "eur").table["bitcoin"] == nil)
            #expect(fixture.prices.snapshot(in: "eur").status.updatedAt == nil)
            #expect(fixture.prices.snapshot.table["bitcoin"] != nil)
        }
    }

    @Test func `a page keeps its named coins fresh as long as it is rendered after each refresh`()
        async throws
    {
        try await withServices { fixture in
            // The demand outlives a view only because the page named the coin since the last refresh.
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            for round in 1...3 {
                fixture.clock.advance(1)
                fixture.prices.watch(["bitcoin"], in: "eur")
                for _ in 0..<2 {
                    fixture.clock.advance(30)
                    fixture.prices.watch(in: "eur")
                }
                await fixture.prices.runUntilIdle()
                #expect(priceRequests(fixture, in: "eur").count == 1 + round)
                #expect(
                    fixture.prices.snapshot(in: "eur").table["bitcoin"]?.fetchedAt == fixture.clock.steady)
            }
            for _ in 0..<3 {
                fixture.clock.advance(30)
                fixture.prices.watch(in: "eur")
                await fixture.prices.runUntilIdle()
            }
            #expect(fixture.prices.snapshot(in: "eur").table["bitcoin"] == nil)
            #expect(priceRequests(fixture, in: "eur").count == 4)
        }
    }

    @Test(arguments: ["", "e", "e&r", "€", "eur,usd", "a23456789012345", "zz001"])
    func `an invalid currency code is never requested`(code: String) async throws {
        try await withServices { fixture in
            fixture.prices.watch(["bitcoin"], in: code)
            await fixture.prices.runUntilIdle()
            await fixture.prices.refresh(in: code)
            #expect(fixture.upstream.requests.isEmpty)
            #expect(fixture.prices.snapshot(in: code).table.entries.isEmpty)
        }
    }

    @Test func `CoinGecko's wait for one currency applies to all`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let script = fixture.script
            fixture.upstream.turn { request in
                request.query["vs_currency"] == "eur"
                    ? .init(status: 429, headers: ["Retry-After: 119"]) : script.answer(request)
            }
            await fixture.prices.refresh()
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            let until = fixture.clock.now + 119
            #expect(fixture.prices.retry(in: "eur") == .mustWait(until: until))
            #expect(fixture.prices.retry() == .mustWait(until: until))
            #expect(fixture.prices.snapshot.status.error == nil)
        }
    }

    @Test func `each successful refresh is published with its currency, and a failure is not`() async throws {
        try await withServices { fixture in
            try await owner(fixture)
            let updates = fixture.prices.updates()
            fixture.upstream.turn { _ in .init(status: 500) }
            await fixture.prices.refresh()
            fixture.script.set("bitcoin", to: "70000")
            fixture.upstream.turn(to: fixture.script.answer)
            await fixture.prices.refresh()
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            var iterator = updates.makeAsyncIterator()
            let (one, two) = (await iterator.next(), await iterator.next())
            let first = try #require(one)
            #expect(first.currency == "usd" && first.table["bitcoin"]?.quote.coin.currentPrice == 70_000)
            #expect(first.status.error == nil && first.status.updatedAt == fixture.clock.now)
            #expect(two?.currency == "eur")
        }
    }

    @Test func `every subscriber gets each update`() async throws {
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

    @Test func `a clock change shifts the age of every currency's prices`() async throws {
        try await withServices { fixture in
            fixture.prices.watch(["bitcoin"], in: "eur")
            await fixture.prices.runUntilIdle()
            fixture.clock.jump(-7_200)
            let snapshot = fixture.prices.snapshot(in: "eur")
            #expect(snapshot.table["bitcoin"]?.fetchedAt == fixture.clock.steady)
            #expect(snapshot.status.updatedAt == fixture.clock.now)
        }
    }
}
