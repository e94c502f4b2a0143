import Foundation
import Testing

@testable import HTTPClient
@testable import Market

/// Lists, notes, holdings and files through the JSON API.
@Suite struct WatchlistsAPITests {
    private static let lists = "/api/v1/watchlists"
    private static let holdings = "/api/v1/holdings"

    /// Creates a list and returns its address.
    private func add(_ name: String, _ testServer: TestServer) async throws -> (path: String, id: String) {
        let created = try await testServer.json("POST", Self.lists, "{\"name\": \"\(name)\"}")
        #expect(created.status == 201, "\(created.text)")
        let id = try #require(created.object["id"] as? String)
        #expect(created.headers["Location"] == "\(Self.lists)/\(id)")
        return ("\(Self.lists)/\(id)", id)
    }

    private func names(_ testServer: TestServer) async throws -> [String] {
        try await testServer.send("GET", Self.lists).items.compactMap { $0["name"] as? String }
    }

    private func coins(_ testServer: TestServer, _ query: String = "") async throws -> [String] {
        try await testServer.send("GET", "/api/v1/watchlist" + query).items
            .compactMap { $0["coinId"] as? String }
    }

    @Test func `lists are created, changed, moved and removed`() async throws {
        try await TestServer.with { testServer in
            let staking = try await add("Staking", testServer)
            let third = try await add("Third", testServer)
            let body = #"{"name": "Stakes", "sort": "-cap", "showsTotals": true, "move": "up"}"#
            let changed = try await testServer.json("PATCH", staking.path, body).object
            #expect(changed["name"] as? String == "Stakes" && changed["sort"] as? String == "-cap")
            #expect(changed["showsTotals"] as? Bool == true && changed["place"] as? Int == 0)
            #expect(try await names(testServer) == ["Stakes", "Watchlist", "Third"])
            let unchanged = try await testServer.json("PATCH", staking.path, "{}").object
            #expect(unchanged["sort"] as? String == "-cap")
            #expect(try await testServer.send("DELETE", third.path).status == 204)
            #expect(try await testServer.send("DELETE", third.path).status == 404)
            #expect(try await names(testServer) == ["Stakes", "Watchlist"])
        }
    }

    @Test(arguments: [
        (#"{"name": ""}"#, 422, "name"), (#"{"name": "watchlist"}"#, 409, "name"), ("{}", 422, "name"),
        (#"{"name": 7}"#, 422, "name"),
    ])
    func `a list without a unique name is refused`(body: String, status: Int, field: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.json("POST", Self.lists, body)
            #expect(answer.status == status)
            #expect(answer.error("field") == field)
        }
    }

    @Test func `an invalid change is refused with its field, and changes nothing`() async throws {
        try await TestServer.with { testServer in
            let list = try await add("Staking", testServer)
            for (body, field) in [
                (#"{"name": "New", "sort": "best"}"#, "sort"), (#"{"name": "New", "move": "left"}"#, "move"),
                (#"{"showsTotals": "yes"}"#, "showsTotals"),
            ] {
                let answer = try await testServer.json("PATCH", list.path, body)
                #expect(answer.status == 422)
                #expect(answer.error("field") == field)
            }
            #expect(try await names(testServer) == ["Watchlist", "Staking"])
        }
    }

    @Test func `coins are added to, ordered in and removed from the named list`() async throws {
        try await TestServer.with { testServer in
            let list = try await add("Staking", testServer).id
            for coin in ["bitcoin", "solana"] {
                let body = "{\"coinId\": \"\(coin)\", \"list\": \"\(list)\"}"
                let added = try await testServer.json("POST", "/api/v1/watchlist", body)
                #expect(added.status == 201)
                #expect(added.headers["Location"] == "/api/v1/watchlist/\(coin)?list=\(list)")
            }
            #expect(try await coins(testServer).isEmpty)
            #expect(try await coins(testServer, "?list=\(list)") == ["bitcoin", "solana"])
            let ordered = try await testServer.json(
                "PATCH", "/api/v1/watchlist?list=\(list)", #"{"order": ["solana"]}"#)
            #expect(ordered.items.compactMap { $0["coinId"] as? String } == ["solana", "bitcoin"])
            let removed = try await testServer.send("DELETE", "/api/v1/watchlist/solana?list=\(list)")
            #expect(removed.status == 204)
            #expect(try await coins(testServer, "?list=\(list)") == ["bitcoin"])
            for invalid in ["999", "x", "-1"] {
                let answer = try await testServer.send("GET", "/api/v1/watchlist?list=\(invalid)")
                #expect(answer.status == 404, "\(invalid)")
            }
        }
    }

    @Test func `an item has its market figures, and null for unknown ones`() async throws {
        try await TestServer.with { testServer in
            let keys = [
                "priceChange1h", "priceChange7d", "rank", "marketCap", "volume24h", "high24h", "low24h",
                "holding",
            ]
            let added = try await testServer.json("POST", "/api/v1/watchlist", #"{"coinId": "bitcoin"}"#)
            for key in keys { #expect(added.object.keys.contains(key), "\(key)") }
            #expect(added.object["holding"] is NSNull)
            #expect(added.object["currency"] as? String == "usd")
            #expect(added.object["note"] as? String == "")
            try await testServer.watch("solana")
            try await eventually("the figures are loaded") {
                let item = try await testServer.send("GET", "/api/v1/watchlist").items.first
                return ["priceChange1h", "priceChange7d", "marketCap", "volume24h"].allSatisfy {
                    (item?[$0] as? String).flatMap { Decimal(string: $0) } != nil
                }
            }
        }
    }

    @Test func `each sort order works in both directions`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "solana")
            for option in SortOption.allCases {
                let query = "?sort=\(WatchlistOrder(option).rawValue)"
                #expect(try await coins(testServer, query).count == 2, "\(option)")
            }
            #expect(try await coins(testServer, "?sort=name") == ["bitcoin", "solana"])
            #expect(try await coins(testServer, "?sort=-name") == ["solana", "bitcoin"])
            #expect(try await coins(testServer, "?sort=-price") == ["solana", "bitcoin"])
            let refused = try await testServer.send("GET", "/api/v1/watchlist?sort=--name")
            #expect(refused.status == 422)
            #expect(refused.error("field") == "sort")
        }
    }

    @Test func `another currency can be requested, and CoinGecko is asked for it`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            try await eventually("the price is in euros") {
                let item = try await testServer.send("GET", "/api/v1/watchlist?currency=EUR").items.first
                return item?["currency"] as? String == "eur" && item?["currentPrice"] is String
            }
            let refused = try await testServer.send("GET", "/api/v1/watchlist?currency=zzz")
            #expect(refused.status == 422)
            #expect(refused.error("field") == "currency")
        }
    }

    @Test func `a note is written, read, and included in the list`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let path = "/api/v1/coins/bitcoin/note"
            #expect(
                try await testServer.send("GET", path).text
                    == #"{"category":"","coinId":"bitcoin","note":""}"#)
            let body = #"{"note": "<b>Cold</b>", "category": "Layer 1"}"#
            let written = try await testServer.json("PUT", path, body)
            #expect(written.object["category"] as? String == "Layer 1")
            let item = try #require(try await testServer.send("GET", "/api/v1/watchlist").items.first)
            #expect(item["note"] as? String == "<b>Cold</b>" && item["category"] as? String == "Layer 1")
            let long = String(repeating: "x", count: 2_001)
            let refused = try await testServer.json("PUT", path, "{\"note\": \"\(long)\"}")
            #expect(refused.status == 422)
            #expect(refused.error("field") == "note")
            let unknown = try await testServer.json("PUT", "/api/v1/coins/no-such-coin/note", body)
            #expect(unknown.status == 404)
        }
    }

    @Test func `a holding is added, changed and removed, and the list reports its value`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let body = """
                {"coinId": "bitcoin", "amount": "0.10", "price": "1", "currency": "USD", "boughtOn": "2025-03-31"}
                """
            let created = try await testServer.json("POST", Self.holdings, body)
            #expect(created.status == 201)
            let path = try #require(created.headers["Location"])
            #expect(
                created.object["amount"] as? String == "0.1" && created.object["currency"] as? String == "usd"
            )
            let answer = try await testServer.send("GET", "/api/v1/watchlist").object
            let totals = try #require(answer["totals"] as? [String: Any])
            let item = try #require((answer["items"] as? [[String: Any]])?.first)
            let holding = try #require(item["holding"] as? [String: Any])
            let price = try #require((item["currentPrice"] as? String).flatMap { Decimal(string: $0) })
            let value = try #require((holding["value"] as? String).flatMap { Decimal(string: $0) })
            #expect(value == price / 10)
            #expect(totals["value"] as? String == holding["value"] as? String)
            #expect(holding["cost"] as? String == "0.1" && holding["notComparable"] is NSNull)
            let changed = try await testServer.json("PATCH", path, #"{"amount": "2", "price": ""}"#).object
            #expect(changed["amount"] as? String == "2" && changed["price"] is NSNull)
            #expect(changed["currency"] is NSNull && changed["boughtOn"] as? String == "2025-03-31")
            #expect(try await testServer.send("GET", Self.holdings + "?coin=bitcoin").items.count == 1)
            #expect(try await testServer.send("GET", Self.holdings + "?coin=solana").items.isEmpty)
            #expect(try await testServer.send("DELETE", path).status == 204)
            #expect(try await testServer.send("DELETE", path).status == 404)
            #expect(try await testServer.send("GET", Self.holdings).items.isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"coinId": "bitcoin"}"#, 422, "amount"), (#"{"coinId": "bitcoin", "amount": 1}"#, 422, "amount"),
        (#"{"coinId": "bitcoin", "amount": "-1"}"#, 422, "amount"),
        (#"{"coinId": "bitcoin", "amount": "1", "price": "2"}"#, 422, "currency"),
        (#"{"coinId": "bitcoin", "amount": "1", "boughtOn": "soon"}"#, 422, "boughtOn"),
        (#"{"coinId": "no-such-coin", "amount": "1"}"#, 404, "coinId"),
    ])
    func `an invalid holding is refused with its field`(body: String, status: Int, field: String) async throws
    {
        try await TestServer.with { testServer in
            let answer = try await testServer.json("POST", Self.holdings, body)
            #expect(answer.status == status)
            #expect(answer.error("field") == field)
        }
    }

    /// Uploads a file as a form.
    private func upload(
        _ file: String, _ fields: [(String, String)] = [], _ testServer: TestServer
    ) async throws -> ClientResponse {
        let parts =
            fields.map { "--XX\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
            .joined()
        let head = "Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\""
        return try await testServer.send(
            "POST", "/api/v1/watchlist/import",
            headers: [("Content-Type", "multipart/form-data; boundary=XX")],
            body: "\(parts)--XX\r\n\(head)\r\n\r\n\(file)\r\n--XX--\r\n")
    }

    @Test func `an exported list can be imported into another one`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "solana")
            let file = try await testServer.send("GET", "/api/v1/watchlist/export")
            #expect(file.headers["Content-Type"]?.hasPrefix("text/csv") == true)
            #expect(file.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
            let list = try await add("Second", testServer).id
            let report = try await upload(file.text + ",nonsense,,,", [("list", list)], testServer)
            #expect(report.status == 200)
            #expect(report.object["added"] as? Int == 2)
            let failures = try #require(report.object["failures"] as? [[String: Any]])
            #expect(failures.count == 1 && failures.first?["row"] as? Int == 4)
            #expect(failures.first?["why"] as? String == "CoinGecko has no coin “nonsense”.")
            #expect(try await coins(testServer, "?list=\(list)&sort=mine") == ["bitcoin", "solana"])
        }
    }

    @Test func `holdings are exported and imported`() async throws {
        try await TestServer.with { testServer in
            let report = try await upload(
                "coin_id,amount\r\nbitcoin,0.5\r\n", [("what", "holdings")], testServer)
            #expect(report.object["failures"] as? [String] == [] && report.object["added"] as? Int == 1)
            let file = try await testServer.send("GET", "/api/v1/watchlist/export?what=holdings").text
            #expect(file.contains("\r\nbitcoin,btc,Bitcoin,0.5,,,,\r\n"))
        }
    }

    @Test func `a missing file, or one of another kind, is refused`() async throws {
        try await TestServer.with { testServer in
            let empty = try await upload("", [], testServer)
            #expect(empty.status == 422)
            #expect(empty.error("field") == "file")
            let other = try await upload("id\nbitcoin", [("what", "books")], testServer)
            #expect(other.error("field") == "what")
            let invalid = try await testServer.send("GET", "/api/v1/watchlist/export?list=999")
            #expect(invalid.status == 404)
        }
    }
}
