import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

@Suite struct CoinPageTests {
    @Test func `a coin on no list has a page with its price, chart and figures`() async throws {
        try await TestServer.with { testServer in
            try await eventually("price and chart are loaded") {
                let page = try await testServer.send("GET", "/coins/bitcoin").text
                return page.contains("<data class=\"price") && page.contains("data-chart=")
            }
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            for name in ["24 h low / high", "Market cap", "Volume 24 h", "Supply", "All-time high"] {
                #expect(page.contains("<dt>\(name)</dt>"), "\(name)")
            }
            #expect(page.contains("href=\"https://www.coingecko.com/en/coins/bitcoin\""))
            #expect(page.contains("Data provided by CoinGecko"))
            #expect(page.contains("data-topics=\"prices watchlist pictures chart/bitcoin\""))
        }
    }

    @Test(arguments: ["24h", "30d", "1y"])
    func `the address selects a range, which is also fetched as a part of the page`(range: String)
        async throws
    {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/coins/bitcoin?range=\(range)").text
            #expect(page.contains("data-live=\"/coins/bitcoin/live?range=\(range)\""))
            try await eventually("the chart of \(range) is loaded") {
                let part = try await testServer.send("GET", "/coins/bitcoin/live?range=\(range)").text
                return part.contains("data-chart=") && part.contains("range=\(range)\" aria-label")
            }
        }
    }

    @Test func `an unchanged part of the page answers 304`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await eventually("the page is loaded and unchanged") {
                let first = try await testServer.send("GET", "/coins/bitcoin/live")
                guard first.text.contains("data-chart="), first.text.contains("class=\"price"),
                    let tag = first.headers["ETag"]
                else { return false }
                let headers = [("If-None-Match", tag)]
                return try await testServer.send("GET", "/coins/bitcoin/live", headers: headers).status == 304
            }
        }
    }

    @Test func `a button retries a failed chart`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let answer = try await testServer.post("/coins/bitcoin/refresh?range=30d")
            #expect(answer.status == 303)
            #expect(answer.headers["Location"]?.hasPrefix("/coins/bitcoin?range=30d") == true)
            try await eventually("the chart is fetched") {
                !testServer.simulator.requests(to: "/coins/bitcoin/market_chart").isEmpty
            }
        }
    }

    @Test func `the coin's alerts are on its page`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            #expect(page.contains("data-live=\"/alerts/list?coin=bitcoin\""))
        }
    }

    @Test func `an unknown coin has no page`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/coins/no-such-coin")
            #expect(answer.status == 404)
            #expect(answer.text.contains("Cryptocurrency not found"))
        }
    }

    @Test func `a note and a category are saved, shown, and appear in the list`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum")
            let saved = try await testServer.post(
                "/coins/bitcoin/note", form: "note=Ask+%3Cb%3EGrace&category=Layer+1")
            #expect(saved.status == 303)
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            #expect(page.contains("<p class=\"own-note\">Ask &lt;b&gt;Grace</p>"))
            #expect(page.contains("Category: Layer 1</p>"))
            #expect(page.contains(">Ask &lt;b&gt;Grace</textarea>"))
            #expect(page.contains("name=\"category\" type=\"text\" value=\"Layer 1\""))
            let all = try await testServer.send("GET", "/watchlist/rows").text
            #expect(all.contains("<span class=\"note\">· Layer 1</span>"))
            let some = try await testServer.send("GET", "/watchlist/rows?category=Layer%201").text
            #expect(some.contains("data-key=\"bitcoin\"") && !some.contains("data-key=\"ethereum\""))
        }
    }

    @Test func `a holding is added, changed, valued, removed and restored`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let ada = testServer.owner.userId
            let saved = try await testServer.post(
                "/coins/bitcoin/holdings",
                form: "amount=0.5&price=51200&currency=usd&boughtOn=2025-03-31&note=First")
            #expect(saved.status == 303)
            let added = try #require(try await testServer.services.market.watchlist.holdings(of: ada).first)
            #expect(added.amount == Decimal(string: "0.5") && added.price == 51_200)
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            #expect(page.contains("at $51,200.00 · on 2025-03-31 · First"))
            #expect(page.contains("<dt>Your holding</dt>"))
            let edit = try await testServer.send("GET", "/coins/bitcoin?holding=\(added.id)").text
            #expect(edit.contains("action=\"/coins/bitcoin/holdings/\(added.id)\""))
            #expect(edit.contains("name=\"amount\" type=\"text\" value=\"0.5\""))
            _ = try await testServer.post(
                "/coins/bitcoin/holdings/\(added.id)", form: "amount=2&price=&currency=")
            #expect(try await testServer.services.market.watchlist.holdings(of: ada).map(\.amount) == [2])
            let removed = try await testServer.post("/coins/bitcoin/holdings/\(added.id)/remove")
            let notice = try await testServer.send("GET", try #require(removed.headers["Location"])).text
            #expect(notice.contains("action=\"/coins/bitcoin/holdings/\(added.id)/undo\""))
            #expect(try await testServer.services.market.watchlist.holdings(of: ada).isEmpty)
            _ = try await testServer.post("/coins/bitcoin/holdings/\(added.id)/undo")
            #expect(try await testServer.services.market.watchlist.holdings(of: ada).count == 1)
        }
    }

    @Test func `forms are closed until they are asked for`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            for title in ["Add alert", "Add holding", "Add note", "Add wallet"] {
                let closed = try Regex("<details>\\s*<summary>\(title)</summary>")
                #expect(page.firstMatch(of: closed) != nil, "\(title)")
            }
            #expect(!page.contains("<details open>"))
        }
    }

    @Test func `a refused holding stays in its form next to the reason`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(
                "/coins/bitcoin/holdings", form: "amount=lots&price=5&currency=usd")
            #expect(answer.status == 422)
            #expect(answer.text.contains("value=\"lots\""))
            #expect(answer.text.contains("id=\"holding-amount-error\""))
            #expect(answer.text.contains("<details open>"))
        }
    }

    @Test func `a wallet is added and removed`() async throws {
        try await TestServer.with { testServer in
            let ada = testServer.owner.userId
            _ = try await testServer.post("/coins/bitcoin/wallets", form: "address=bc1qxyz&label=Cold")
            let wallet = try #require(try await testServer.services.market.watchlist.wallets(of: ada).first)
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            #expect(page.contains("<code>bc1qxyz</code> <span class=\"facts\">Cold</span>"))
            _ = try await testServer.post("/coins/bitcoin/wallets/\(wallet.id)/remove")
            #expect(try await testServer.services.market.watchlist.wallets(of: ada).isEmpty)
        }
    }

    @Test func `a coin is added to lists and removed from them on its own page`() async throws {
        try await TestServer.with { testServer in
            let ada = testServer.owner.userId
            let second = try await testServer.services.market.watchlist.addList(name: "Second", for: ada)
            let form = "coinId=bitcoin&list=\(second.id)&back=/coins/bitcoin"
            let added = try await testServer.post("/watchlist", form: form)
            #expect(added.headers["Location"]?.hasPrefix("/coins/bitcoin") == true)
            #expect(
                try await testServer.services.database.read {
                    try testServer.services.market.watchlist.lists($0, of: ada, holding: "bitcoin")
                } == [
                    second.id
                ])
            _ = try await testServer.post(
                "/watchlist/bitcoin/remove", form: "list=\(second.id)&back=/coins/bitcoin")
            #expect(
                try await testServer.services.database.read {
                    try testServer.services.market.watchlist.lists($0, of: ada, holding: "bitcoin")
                }.isEmpty)
        }
    }

    @Test func `a coin's page uses the user's currency`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/watchlist/choices", form: "column=change24h&currency=eur")
            try await eventually("the price is in euros") {
                try await testServer.send("GET", "/coins/bitcoin").text.contains("title=\"€")
            }
            let page = try await testServer.send("GET", "/coins/bitcoin").text
            #expect(page.contains("data-topics=\"prices/eur watchlist pictures chart/bitcoin\""))
        }
    }
}
