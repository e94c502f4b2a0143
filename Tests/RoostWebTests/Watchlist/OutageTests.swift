import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator

@Suite struct OutageTests {
    @Test(arguments: [
        "500", "503-html", "html", "truncated", "cut", "reset", "429:60", "429-text:60",
    ])
    func `an outage keeps the old prices, says why and when it is tried again`(name: String) async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let price =
                try await testServer.send("GET", "/api/v1/watchlist").items.first?["currentPrice"] as? String
            await testServer.simulator.inject(try #require(Fault(name: name)))
            await testServer.services.prices.refresh()
            let status = testServer.services.prices.snapshot.status
            let error = try #require(status.error)
            #expect(status.nextTryAt != nil)
            let page = try await testServer.send("GET", "/watchlist").text
            let message = error.message(source: "CoinGecko").replacing("'", with: "&#39;")
            // A time at its end is the reader's own.
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
            let asking = Task { await testServer.services.prices.refresh() }
            let begun = ContinuousClock.now
            let answer1 = try await testServer.send("GET", "/watchlist")
            #expect(answer1.status == 200)
            // The hanging request lasts 20 s: an answer within 10 did not wait for it.
            #expect(begun.duration(to: .now) < .seconds(10))
            await testServer.simulator.clear()
            await asking.value
        }
    }

    @Test func `prices come back by themselves when CoinGecko does`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            await testServer.simulator.inject(.serverError())
            await testServer.services.prices.refresh()
            #expect(testServer.services.prices.snapshot.status.error == .serverError(statusCode: 500))
            await testServer.simulator.clear()
            let answer2 = try await testServer.post("/watchlist/refresh")
            #expect(answer2.status == 303)
            try await eventually("the error is gone") {
                testServer.services.prices.snapshot.status.error == nil
            }
        }
    }

    @Test func `a rate limit is kept even when the reader presses Try again`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            await testServer.simulator.inject(.rateLimited(retryAfter: 90))
            await testServer.services.prices.refresh()
            await testServer.simulator.clear()
            let asked = testServer.simulator.requests(to: "/coins/markets").count
            let answer = try await testServer.post("/watchlist/refresh")
            let page = try await testServer.send("GET", try #require(answer.headers["Location"]))
            #expect(page.text.contains("CoinGecko rate limit exceeded. Resets at"))
            #expect(testServer.simulator.requests(to: "/coins/markets").count == asked)
        }
    }

    @Test func `a month whose calls are used up says so and until when, and nothing is asked`() async throws {
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
            let asked = testServer.simulator.requests(to: "/coins/markets").count
            clock.advance(25 * 86_400)
            await testServer.services.prices.refresh()
            let page = try await testServer.send("GET", "/watchlist").text
            let time = "<time data-short datetime=\"2027-01-01T00:00:00Z\">"
            #expect(page.contains("This month&#39;s 10,000 calls to CoinGecko are used up until \(time)"))
            #expect(page.contains("data-key=\"bitcoin\""))
            let answer = try await testServer.post("/watchlist/refresh")
            #expect(answer.headers["Location"]?.hasPrefix("/watchlist?flash=") == true)
            #expect(testServer.simulator.requests(to: "/coins/markets").count == asked)
        }
    }

    @Test func `a coin that CoinGecko drops keeps its row and says so`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "dogecoin")
            let market = try #require(testServer.simulator.coinGecko)
            market.change { $0.delisted = ["dogecoin"] }
            await testServer.services.prices.refresh()
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.contains("no longer listed on CoinGecko"))
            let listed = try await testServer.send("GET", "/api/v1/watchlist").items
            #expect(listed.first { $0["coinId"] as? String == "dogecoin" }?["listed"] as? Bool == false)
        }
    }

    @Test func `one request asks for all coins, and a User-Agent is always sent`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum", "solana")
            testServer.simulator.forgetRequests()
            await testServer.services.prices.refresh()
            let asked = testServer.simulator.requests(to: "/coins/markets")
            #expect(asked.count == 1)
            #expect(asked.first?.query["ids"] == "bitcoin,ethereum,solana")
            #expect(asked.first?.userAgent == "Roost/test")
        }
    }
}
