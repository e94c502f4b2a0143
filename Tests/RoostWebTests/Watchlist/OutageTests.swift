import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator

@Suite struct OutageTests {
    @Test(arguments: ["500", "429:60"])
    func `an outage keeps the old prices, with the reason and the time of the next attempt`(name: String)
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let price =
                try await testServer.send("GET", "/api/v1/watchlist").items.first?["currentPrice"] as? String
            await testServer.simulator.inject(try #require(Fault(name: name)))
            await testServer.services.market.prices.refresh()
            let status = testServer.services.market.prices.snapshot.status
            let error = try #require(status.error)
            #expect(status.nextTryAt != nil)
            let page = try await testServer.send("GET", "/watchlist").text
            let message = error.message(source: "CoinGecko").replacing("'", with: "&#39;")
            // A time at its end is in an element that a script converts to local time.
            #expect(page.contains(message.replacing(#/20[0-9T:Z.-]+$/#, with: "<time data-short datetime=")))
            #expect(page.contains("Try again"))
            #expect(page.contains("data-key=\"bitcoin\""))
            let after = try await testServer.send("GET", "/api/v1/watchlist").items.first
            #expect(after?["currentPrice"] as? String == price)
        }
    }

    @Test func `a page never waits for CoinGecko`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            await testServer.simulator.inject(.hang)
            let refresh = Task { await testServer.services.market.prices.refresh() }
            let start = ContinuousClock.now
            let answer1 = try await testServer.send("GET", "/watchlist")
            #expect(answer1.status == 200)
            // The hanging request takes 20 s, so an answer within 10 s did not wait for it.
            #expect(start.duration(to: .now) < .seconds(10))
            await testServer.simulator.clear()
            await refresh.value
        }
    }

    @Test func `a rate limit is respected even when the user presses Try again`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            await testServer.simulator.inject(.rateLimited(retryAfter: 90))
            await testServer.services.market.prices.refresh()
            await testServer.simulator.clear()
            let requestCount = testServer.simulator.requests(to: "/coins/markets").count
            let answer = try await testServer.post("/watchlist/refresh")
            let page = try await testServer.send("GET", try #require(answer.headers["Location"]))
            #expect(page.text.contains("CoinGecko rate limit exceeded. Resets at"))
            #expect(testServer.simulator.requests(to: "/coins/markets").count == requestCount)
        }
    }

    @Test func `a used-up monthly limit is reported with its end, and CoinGecko is not asked`() async throws {
        let clock = TestClock()
        try await TestServer.with(
            clock: clock.wallClock,
            configure: {
                $0.coinGeckoPlan = .demo
                $0.priceInterval = nil
            }
        ) { testServer in
            try await testServer.watch("bitcoin")
            let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
            try await file.write {
                try $0.execute(sql: "INSERT INTO upstream_calls VALUES ('demo', '2026-12', 10000)")
            }
            try file.close()
            let requestCount = testServer.simulator.requests(to: "/coins/markets").count
            clock.advance(25 * 86_400)
            await testServer.services.market.prices.refresh()
            let page = try await testServer.send("GET", "/watchlist").text
            let time = "<time data-short datetime=\"2027-01-01T00:00:00Z\">"
            let message = "This month&#39;s 10,000 CoinGecko calls are used up. No new prices until \(time)"
            #expect(page.contains(message))
            #expect(page.contains("data-key=\"bitcoin\""))
            let answer = try await testServer.post("/watchlist/refresh")
            #expect(answer.headers["Location"]?.hasPrefix("/watchlist?flash=") == true)
            #expect(testServer.simulator.requests(to: "/coins/markets").count == requestCount)
        }
    }

    @Test func `a coin that CoinGecko drops keeps its row, with a note`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "dogecoin")
            let market = try #require(testServer.simulator.coinGecko)
            market.change { $0.delisted = ["dogecoin"] }
            await testServer.services.market.prices.refresh()
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.contains("no longer listed on CoinGecko"))
            let listed = try await testServer.send("GET", "/api/v1/watchlist").items
            #expect(listed.first { $0["coinId"] as? String == "dogecoin" }?["listed"] as? Bool == false)
        }
    }
}
