import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

@Suite struct LongListTests {
    @Test func `a list longer than one request to CoinGecko has all its prices`() async throws {
        try await TestServer.with { testServer in
            let market = try await testServer.send("GET", "/api/v1/coins?q=a").items
            #expect(!market.isEmpty)
            let ids = try await Self.ids(260, in: testServer)
            for id in ids { try await testServer.services.watchlist.add(id, to: testServer.owner.userId) }
            await testServer.services.prices.refresh()
            #expect(testServer.services.prices.snapshot.status.error == nil)
            // Roost refreshes by itself meanwhile, perhaps from before the last coin was added.
            let simulator = testServer.simulator
            try await eventually("two requests ask for all of them") {
                simulator.requests(to: "/coins/markets").suffix(2).allSatisfy {
                    ($0.query["ids"] ?? "").split(separator: ",").count >= 10
                }
            }
            try await eventually("the prices of all of them") {
                let listed = try await testServer.send("GET", "/api/v1/watchlist").items
                return listed.count == 260 && listed.allSatisfy { $0["fetchedAt"] is String }
            }
        }
    }

    @Test func `a full list takes no more coins, and says so where the coin was named`() async throws {
        try await TestServer.with { testServer in
            var ids = try await Self.ids(501, in: testServer)
            #expect(ids.count == 501)
            let last = ids.removeLast()
            for id in ids { try await testServer.services.watchlist.add(id, to: testServer.owner.userId) }
            let refused = try await testServer.json("POST", "/api/v1/watchlist", #"{"coinId": "\#(last)"}"#)
            #expect(refused.status == 422)
            #expect(refused.error("field") == "coinId")
            let page = try await testServer.post("/watchlist", form: "coinId=\(last)")
            #expect(page.status == 422)
            #expect(page.text.contains("id=\"search-error\">A watchlist holds 500 coins at most.</p>"))
        }
    }

    /// So many coins that the catalogue knows, whatever their names.
    private static func ids(_ count: Int, in testServer: TestServer) async throws -> [String] {
        var ids: Set<String> = []
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        for text in letters + letters.flatMap({ first in letters.map { first + $0 } }) where ids.count < count
        {
            ids.formUnion(testServer.services.catalog.search(text, limit: 40).coins.map(\.coin.id))
        }
        return Array(ids.sorted().prefix(count))
    }
}
