import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSimulator
@testable import RoostSupport

/// The odd cases among 17,000 coins, tested through all services.
@Suite(.timeLimit(.minutes(2))) struct SimulatedCoinTests {
    private func entry(_ fixture: SimulatedFixture, _ id: String, _ owner: UserID) async throws
        -> WatchlistEntry
    {
        let list = try await fixture.services.market.watchlist.list(of: owner)
        return try #require(list.entries.first { $0.item.coinId == id })
    }

    @Test(arguments: ["ghost-ledger", "zero-hour"])
    func `a coin with a null or zero price is listed without a price`(id: String) async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: id)
            let entry = try await entry(fixture, id, owner)
            #expect(entry.currentPrice == nil && entry.isListed && entry.name != id)
        }
    }

    @Test(arguments: [
        "1move token", "boringdao-[old]", "-4", "_", "script-kiddie", "mustache-coin", "right-to-left",
    ])
    func `a coin with an odd id or name is found, added and priced`(id: String) async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: id)
            let entry = try await entry(fixture, id, owner)
            #expect(entry.currentPrice != nil && entry.isListed && entry.formerName == nil)
            let found = fixture.services.market.catalog.search(id).coins
            #expect(found.contains { $0.coin.id == id })
        }
    }

    @Test(arguments: [("sleepy-otter", true), ("hibernating-bear", true), ("bitcoin", false)])
    func `a coin that has not traded for days is stale by its own time`(id: String, isOld: Bool) async throws
    {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: id)
            let entry = try await entry(fixture, id, owner)
            #expect(entry.isCoinOld == isOld && !entry.isOld)
        }
    }

    @Test func `a renamed coin shows both names`() async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "ethereum")
            fixture.simulator.coinGecko?.change { $0.renamed = ["ethereum": "Ether Prime"] }
            await fixture.services.market.prices.refresh()
            let entry = try await entry(fixture, "ethereum", owner)
            #expect(entry.name == "Ether Prime" && entry.formerName == "Ethereum")
        }
    }

    @Test(arguments: CoinGeckoControls.Malformation.allCases)
    func `a broken item is skipped, and its coin keeps its values`(
        way: CoinGeckoControls.Malformation
    ) async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum")
            fixture.simulator.coinGecko?.change {
                $0.malformed = ["bitcoin": way]
                $0.strayItems = true
            }
            let before = try #require(fixture.status.updatedAt)
            await fixture.services.market.prices.refresh()
            let after = try #require(fixture.status.updatedAt)
            #expect(after > before)
            let (broken, sound) = (
                try await entry(fixture, "bitcoin", owner), try await entry(fixture, "ethereum", owner)
            )
            let fetched = try #require(sound.fetchedAt)
            #expect(sound.currentPrice != nil && fetched > before)
            #expect(broken.isListed)
            let keepsCoin = [.negativePrice, .missingPrice].contains(way)
            #expect((broken.currentPrice == nil) == keepsCoin)
            #expect(fixture.log.lines.contains { $0.contains("invalid item") })
        }
    }
}
