import Foundation
import HTTPClient
import RoostServices
import Testing

@Suite struct LongListTests {
    @Test func `a list longer than one request to CoinGecko has all its prices`() async throws {
        try await TestServer.with { house in
            let market = try await house.send("GET", "/api/v1/coins?q=a").items
            #expect(!market.isEmpty)
            let ids = try await Self.ids(260, in: house)
            for id in ids { try await house.services.watchlist.add(id, to: house.owner.userId) }
            await house.services.prices.refresh()
            #expect(house.services.prices.snapshot.status.error == nil)
            // Roost refreshes by itself meanwhile, perhaps from before the last coin was added.
            let simulator = house.simulator
            try await eventually("two requests ask for all of them") {
                simulator.requests(to: "/coins/markets").suffix(2).allSatisfy {
                    ($0.query["ids"] ?? "").split(separator: ",").count >= 10
                }
            }
            let listed = try await house.send("GET", "/api/v1/watchlist").items
            #expect(listed.count == 260)
            #expect(listed.allSatisfy { $0["fetchedAt"] is String })
        }
    }

    @Test func `a full list takes no more coins, and says so where the coin was named`() async throws {
        try await TestServer.with { house in
            var ids = try await Self.ids(501, in: house)
            #expect(ids.count == 501)
            let last = ids.removeLast()
            for id in ids { try await house.services.watchlist.add(id, to: house.owner.userId) }
            let refused = try await house.json("POST", "/api/v1/watchlist", #"{"coinId": "\#(last)"}"#)
            #expect(refused.status == 422)
            #expect(refused.error("field") == "coinId")
            let page = try await house.post("/watchlist", form: "coinId=\(last)")
            #expect(page.status == 422)
            #expect(page.text.contains("id=\"search-error\">A watchlist holds 500 coins at most.</p>"))
        }
    }

    /// So many coins that the catalogue knows, whatever their names.
    private static func ids(_ count: Int, in house: TestServer) async throws -> [String] {
        var ids: Set<String> = []
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        for text in letters + letters.flatMap({ first in letters.map { first + $0 } }) where ids.count < count
        {
            ids.formUnion(house.services.catalog.search(text, limit: 40).coins.map(\.coin.id))
        }
        return Array(ids.sorted().prefix(count))
    }
}
