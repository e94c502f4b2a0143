import Foundation
import Testing

@testable import HTTPClient

@Suite struct WatchlistSettingsTests {
    @Test func `columns, density, currency and colours are chosen on one page and apply to the list`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let saved = try await testServer.post(
                "/watchlist/choices",
                form: "column=volume&column=sparkline&density=compact&currency=eur&redIsUp=1")
            #expect(saved.status == 303)
            try await eventually("the list is in euros, with the chosen columns") {
                let page = try await testServer.send("GET", "/watchlist").text
                return page.contains("title=\"€") && page.contains("<polyline points=")
            }
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.contains(">Volume</button>") && !page.contains(">24 h</button>"))
            #expect(page.contains("panel list compact red-is-up"))
            #expect(page.contains("data-topics=\"prices/eur watchlist pictures alerts\""))
            let settings = try await testServer.send("GET", "/watchlist/settings").text
            #expect(
                settings.contains("value=\"volume\" checked") && settings.contains("value=\"eur\" selected"))
            #expect(settings.contains("name=\"redIsUp\" value=\"1\" checked"))
        }
    }

    @Test func `a currency that CoinGecko does not support is refused at its field`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/watchlist/choices", form: "currency=shells")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"currency-error\""))
        }
    }

    @Test func `a list is created, renamed, moved, removed and restored`() async throws {
        try await TestServer.with { testServer in
            let (ada, watchlist) = (testServer.owner.userId, testServer.services.market.watchlist)
            let created = try await testServer.post("/watchlist/lists", form: "name=Long+term")
            let id = try #require(try await watchlist.lists(of: ada).last?.id)
            #expect(created.headers["Location"]?.hasPrefix("/watchlist?list=\(id)") == true)
            _ = try await testServer.post("/watchlist/lists/\(id)/rename", form: "name=Longer")
            _ = try await testServer.post("/watchlist/lists/\(id)/move", form: "direction=up")
            #expect(try await watchlist.lists(of: ada).first?.name == "Longer")
            let removed = try await testServer.post("/watchlist/lists/\(id)/remove")
            let notice = try await testServer.send("GET", try #require(removed.headers["Location"])).text
            #expect(notice.contains("action=\"/watchlist/lists/\(id)/undo\""))
            #expect(try await watchlist.lists(of: ada).count == 1)
            _ = try await testServer.post("/watchlist/lists/\(id)/undo")
            #expect(try await watchlist.lists(of: ada).contains { $0.id == id })
        }
    }

    @Test func `a refused name stays in its field next to the reason`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/watchlist/lists", form: "name=+")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"new-error\">Enter a name for the list.</p>"))
        }
    }

    @Test func `showing a list's value on displays can be turned on and off`() async throws {
        try await TestServer.with { testServer in
            let (ada, watchlist) = (testServer.owner.userId, testServer.services.market.watchlist)
            let id = try #require(try await watchlist.lists(of: ada).first?.id)
            _ = try await testServer.post("/watchlist/lists/\(id)/totals", form: "shows=1")
            #expect(try await watchlist.lists(of: ada).first?.showsTotals == true)
            _ = try await testServer.post("/watchlist/lists/\(id)/totals", form: "shows=0")
            #expect(try await watchlist.lists(of: ada).first?.showsTotals == false)
        }
    }

    @Test func `coins of one list do not appear in another, and actions affect the named list`() async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let (ada, watchlist) = (testServer.owner.userId, testServer.services.market.watchlist)
            let second = try await watchlist.addList(name: "Second", for: ada)
            let added = try await testServer.post(
                "/watchlist", form: "coinId=solana&list=\(second.id)&q=sol")
            let location = try #require(added.headers["Location"])
            #expect(location.hasPrefix("/watchlist?list=\(second.id)&q=sol"))
            let page = try await testServer.send("GET", location).text
            #expect(page.contains("Solana was added to “Second”."))
            #expect(page.contains("action=\"/watchlist/solana/remove?list=\(second.id)\""))
            #expect(page.contains("value=\"sol\""), "what was typed stays")
            #expect(page.contains("data-key=\"solana\"") && !page.contains("data-key=\"bitcoin\""))
            _ = try await testServer.post("/watchlist/solana/remove?list=\(second.id)")
            #expect(try await watchlist.coinIds(of: ada, list: second.id).isEmpty)
            #expect(try await watchlist.coinIds(of: ada) == ["bitcoin"])
        }
    }

    @Test func `the notice of a new coin names its row`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "solana")
            try await testServer.services.market.watchlist.choose(.name, for: testServer.owner.userId)
            let added = try await testServer.post("/watchlist", form: "coinId=ethereum")
            let page = try await testServer.send("GET", try #require(added.headers["Location"])).text
            #expect(page.contains("Ethereum was added to your watchlist, row 2 of 3."))
        }
    }

    @Test func `a list is exported as a file and imported, with a report of skipped rows`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let file = try await testServer.send("GET", "/watchlist/export?what=list")
            #expect(file.headers["Content-Disposition"]?.hasSuffix(".csv\"") == true)
            #expect(file.text.contains("bitcoin"))
            let answer = try await send(
                file.text + "no-such-coin-at-all,,,,\r\n", ["what": "list"], to: testServer)
            #expect(answer.status == 200)
            #expect(answer.text.contains("id=\"report\""))
            #expect(answer.text.contains("1 already here"))
            #expect(answer.text.contains("no-such-coin-at-all"))
        }
    }

    @Test func `a file that cannot be read keeps the form's choices`() async throws {
        try await TestServer.with { testServer in
            let list = try await testServer.services.market.watchlist.addList(
                name: "Other", for: testServer.owner.userId)
            let answer = try await send("", ["what": "holdings", "list": "\(list.id)"], to: testServer)
            #expect(answer.status == 422 && answer.text.contains("id=\"file-error\""))
            #expect(answer.text.contains("value=\"holdings\" checked"))
            #expect(answer.text.contains("<option value=\"\(list.id)\" selected>"))
        }
    }

    /// Uploads a file with the import form.
    private func send(
        _ file: String, _ fields: [String: String], to testServer: TestServer
    ) async throws -> ClientResponse {
        let boundary = "roost-test"
        let parts = fields.sorted { $0.key < $1.key }.map {
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n"
        }
        let body =
            parts.joined()
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"list.csv\"\r\n"
            + "Content-Type: text/csv\r\n\r\n\(file)\r\n--\(boundary)--\r\n"
        return try await testServer.send(
            "POST", "/watchlist/files",
            headers: [("Content-Type", "multipart/form-data; boundary=\(boundary)")], body: body)
    }
}
