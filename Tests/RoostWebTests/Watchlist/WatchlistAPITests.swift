import Foundation
import Testing

@testable import HTTPClient

@Suite struct WatchlistAPITests {
    @Test func `a coin is added, listed with its price as text, and removed`() async throws {
        try await TestServer.with { testServer in
            let added = try await testServer.json("POST", "/api/v1/watchlist", #"{"coinId": "bitcoin"}"#)
            #expect(added.status == 201)
            #expect(added.headers["Location"] == "/api/v1/watchlist/bitcoin")
            #expect(added.object["coinId"] as? String == "bitcoin")
            try await eventually("the price is loaded") {
                let item = try await testServer.send("GET", "/api/v1/watchlist").items.first
                return (item?["currentPrice"] as? String).flatMap { Decimal(string: $0) } != nil
            }
            let item = try #require(try await testServer.send("GET", "/api/v1/watchlist").items.first)
            #expect(item["name"] as? String == "Bitcoin")
            #expect(item["symbol"] as? String == "btc")
            #expect(item["priceChange24h"] is String)
            #expect(item["stale"] as? Bool == false)
            #expect((item["fetchedAt"] as? String)?.hasSuffix("Z") == true)
            let answer1 = try await testServer.send("DELETE", "/api/v1/watchlist/bitcoin")
            #expect(answer1.status == 204)
            let answer2 = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer2.items.isEmpty)
        }
    }

    @Test func `a list's answer ends with a null cursor`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer.text == #"{"items":[],"next":null}"#)
        }
    }

    @Test func `adding the same coin twice is a conflict, with the mission's message`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.json("POST", "/api/v1/watchlist", #"{"coinId": "bitcoin"}"#)
            let again = try await testServer.json("POST", "/api/v1/watchlist", #"{"coinId": "bitcoin"}"#)
            #expect(again.status == 409)
            #expect(again.error("code") == "coinAlreadyExists")
            #expect(again.error("message") == "This coin is already in your watchlist")
            #expect(again.error("field") == "coinId")
        }
    }

    @Test(arguments: [
        (#"{"coinId": "no-such-coin"}"#, 404, "coinNotFound"), (#"{"coinId": ""}"#, 422, "invalidCoinId"),
        (#"{"coinId": "a\u0000b"}"#, 422, "invalidCoinId"), (#"{"coin": "bitcoin"}"#, 422, "invalid"),
        (#"{"coinId": 7}"#, 422, "invalid"),
    ])
    func `bad input names the field`(body: String, status: Int, code: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.json("POST", "/api/v1/watchlist", body)
            #expect(answer.status == status)
            #expect(answer.error("code") == code)
            #expect(answer.error("field") == "coinId")
        }
    }

    @Test func `a body without the JSON content type is refused`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send(
                "POST", "/api/v1/watchlist", headers: [("Content-Type", "text/plain")],
                body: #"{"coinId":"bitcoin"}"#)
            #expect(answer.status == 415)
            let answer3 = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer3.items.isEmpty)
        }
    }

    @Test func `ids with spaces and brackets work percent-encoded`() async throws {
        try await TestServer.with { testServer in
            for (id, path) in [("1move token", "1move%20token"), ("boringdao-[old]", "boringdao-%5Bold%5D")] {
                let added = try await testServer.json("POST", "/api/v1/watchlist", "{\"coinId\": \"\(id)\"}")
                #expect(added.status == 201, "\(added.text)")
                let answer4 = try await testServer.send("DELETE", "/api/v1/watchlist/\(path)")
                #expect(answer4.status == 204)
            }
        }
    }

    @Test func `the order is set and kept, and refused if it names a coin that is not on the list`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum", "solana")
            let order = #"{"order": ["solana", "bitcoin", "ethereum"]}"#
            let answer = try await testServer.json("PATCH", "/api/v1/watchlist", order)
            #expect(answer.items.compactMap { $0["coinId"] as? String } == ["solana", "bitcoin", "ethereum"])
            let listed = try await testServer.send("GET", "/api/v1/watchlist").items
            #expect(listed.compactMap { $0["coinId"] as? String } == ["solana", "bitcoin", "ethereum"])
            let refused = try await testServer.json("PATCH", "/api/v1/watchlist", #"{"order": ["dogecoin"]}"#)
            #expect(refused.status == 422)
            #expect(refused.error("field") == "order")
        }
    }

    @Test func `a coin that is not on the list cannot be removed`() async throws {
        try await TestServer.with { testServer in
            let answer5 = try await testServer.send("DELETE", "/api/v1/watchlist/bitcoin")
            #expect(answer5.status == 404)
        }
    }

    @Test func `the search finds by name, symbol and id, largest coins first`() async throws {
        try await TestServer.with { testServer in
            for query in ["bitc", "btc", "Bitcoin"] {
                let items = try await testServer.send("GET", "/api/v1/coins?q=\(query)").items
                #expect(items.first?["id"] as? String == "bitcoin", "\(query)")
            }
            let answer = try await testServer.send("GET", "/api/v1/coins")
            #expect(answer.status == 422)
            #expect(answer.error("field") == "q")
            let answer6 = try await testServer.send("GET", "/api/v1/coins?q=")
            #expect(answer6.items.isEmpty)
        }
    }

    @Test func `coins that only CoinGecko's own search finds appear once it has answered`()
        async throws
    {
        try await TestServer.with { testServer in
            let path = "/api/v1/coins?q=digital%20gold"
            let first = try await testServer.send("GET", path)
            #expect(first.object["pending"] as? Bool == true)
            #expect(first.object["message"] as? String == "Asking CoinGecko too…")
            try await eventually("CoinGecko has answered") {
                try await testServer.send("GET", path).object["pending"] as? Bool == false
            }
            let second = try await testServer.send("GET", path)
            #expect(second.items.first?["id"] as? String == "bitcoin")
            #expect(second.object["message"] == nil)
        }
    }

    @Test func `a search without a match says so`() async throws {
        try await TestServer.with { testServer in
            let path = "/api/v1/coins?q=qqqqzzzzxxxx"
            try await eventually("CoinGecko has answered") {
                try await testServer.send("GET", path).object["pending"] as? Bool == false
            }
            let answer = try await testServer.send("GET", path)
            #expect(answer.object["message"] as? String == "No coin has that name, symbol or id.")
        }
    }

    @Test func `prices of coins on no list are available from the second request`() async throws {
        try await TestServer.with { testServer in
            let path = "/api/v1/prices?ids=bitcoin,%20ethereum,no-such-coin"
            let first = try await testServer.send("GET", path)
            #expect(first.items.compactMap { $0["coinId"] as? String } == ["bitcoin", "ethereum"])
            try await eventually("both prices are loaded") {
                try await testServer.send("GET", path).items.allSatisfy { $0["currentPrice"] is String }
            }
            let answer7 = try await testServer.send("GET", "/api/v1/prices")
            #expect(answer7.error("field") == "ids")
        }
    }
}
