import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

@Suite struct WatchlistRowsTests {
    @Test func `rows follow the prices, the order and the coins of the list`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await testServer.watch("bitcoin", "ethereum")
            try await testServer.services.market.watchlist.choose(.mine, for: testServer.owner.userId)
            let first = try await testServer.send("GET", "/watchlist/rows").text
            #expect(first.components(separatedBy: "<tr class=\"row\"").count == 3)
            try await testServer.services.market.watchlist.move("ethereum", .up, for: testServer.owner.userId)
            let moved = try await testServer.send("GET", "/watchlist/rows").text
            let up = try #require(moved.range(of: "Move Ethereum up\" title=\"Move up\" disabled"))
            let down = try #require(moved.range(of: "Move Bitcoin down\" title=\"Move down\" disabled"))
            #expect(up.lowerBound < down.lowerBound)
            try await testServer.services.market.watchlist.choose(.name, for: testServer.owner.userId)
            let named = try await testServer.send("GET", "/watchlist/rows").text
            #expect(!named.contains("Move Bitcoin"))
            let market = try #require(testServer.simulator.coinGecko)
            market.change { $0.renamed = ["ethereum": "Ether <b>"] }
            await testServer.services.market.prices.refresh()
            let renamed = try await testServer.send("GET", "/watchlist/rows").text
            #expect(renamed.contains("Ether &lt;b&gt;"))
            #expect(renamed.contains("renamed, was Ethereum"))
        }
    }
}
