import Foundation
import Testing

@testable import Market
@testable import RoostSimulator
@testable import RoostSupport

/// The oddities of 17,000 coins, through the whole of the services.
@Suite(.timeLimit(.minutes(2))) struct SimulatedCoinTests {
    private func entry(_ fixture: SimulatedFixture, _ id: String, _ owner: UserID) async throws
        -> WatchlistEntry
    {
        let list = try await fixture.services.watchlist.list(of: owner)
        return try #require(list.entries.first { $0.item.coinId == id })
    }

    @Test(arguments: ["ghost-ledger", "zero-hour"])
    func `a coin whose price is null or zero is listed with no price`(id: String) async throws {
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
            let found = fixture.services.catalog.search(id).coins
            #expect(found.contains { $0.coin.id == id })
        }
    }

    @Test(arguments: [("sleepy-otter", true), ("hibernating-bear", true), ("bitcoin", false)])
    func `a coin that has not traded for days is old by its own clock`(id: String, isOld: Bool) async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: id)
            let entry = try await entry(fixture, id, owner)
            #expect(entry.isCoinOld == isOld && !entry.isOld)
        }
    }

    @Test func `a coin that vanishes keeps its price and says that it is gone, until it comes back`()
        async throws
    {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum")
            let old = fixture.price("bitcoin")
            fixture.simulator.coinGecko?.change { $0.delisted = ["bitcoin"] }
            await fixture.services.prices.refresh()
            let gone = try await entry(fixture, "bitcoin", owner)
            #expect(!gone.isListed && gone.currentPrice == old)
            fixture.simulator.coinGecko?.change { $0.delisted = [] }
            await fixture.services.prices.refresh()
            let back = try await entry(fixture, "bitcoin", owner)
            #expect(back.isListed)
        }
    }

    @Test func `a renamed coin tells both names`() async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "ethereum")
            fixture.simulator.coinGecko?.change { $0.renamed = ["ethereum": "Ether Prime"] }
            await fixture.services.prices.refresh()
            let entry = try await entry(fixture, "ethereum", owner)
            #expect(entry.name == "Ether Prime" && entry.formerName == "Ethereum")
        }
    }

    @Test(arguments: CoinGeckoControls.Malformation.allCases)
    func `a broken item costs only itself, and its coin keeps what it had`(
        way: CoinGeckoControls.Malformation
    ) async throws {
        try await withSimulator { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum")
            fixture.simulator.coinGecko?.change {
                $0.malformed = ["bitcoin": way]
                $0.strayItems = true
            }
            let before = try #require(fixture.status.updatedAt)
            await fixture.services.prices.refresh()
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
            #expect(fixture.log.lines.contains { $0.contains("refused") })
        }
    }

    @Test func `a coin newer than the list is found by asking CoinGecko`() async throws {
        try await withSimulator { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            #expect(fixture.services.catalog.coin(id: "born-yesterday") == nil)
            let run = Task { await fixture.services.catalog.run() }
            let first = fixture.services.catalog.search("born yesterday")
            #expect(first.isAsking)
            try await wait(for: "the newcomer") {
                fixture.services.catalog.search("born yesterday").coins.first?.coin.id == "born-yesterday"
            }
            run.cancel()
            await run.value
        }
    }

    @Test func `an unchanged list is answered with 304`() async throws {
        try await withSimulator { fixture in
            await fixture.services.catalog.refresh()
            let count = fixture.services.catalog.count
            await fixture.services.catalog.refresh()
            let requests = fixture.simulator.requests(to: "/coins/list")
            #expect(requests.count == 2 && requests.last?.ifNoneMatch != nil)
            #expect(fixture.services.catalog.count == count && count > 400)
            #expect(fixture.services.catalog.loading.data != nil)
        }
    }
}
