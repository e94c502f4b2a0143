import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct WatchlistOrderTests {
    /// A list of four in "My order": bitcoin, ethereum, solana, boringdao-[old].
    private func withFour(_ body: (ServicesFixture, UserID) async throws -> Void) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum", "solana", "boringdao-[old]")
            try await body(fixture, owner)
        }
    }

    private func ids(_ fixture: ServicesFixture, _ user: UserID, sort: WatchlistOrder? = .mine) async throws
        -> [String]
    {
        try await fixture.services.market.watchlist.list(of: user, sort: sort).entries.map(\.item.coinId)
    }

    @Test func `undo restores a removed coin with its position and date`() async throws {
        try await withFour { fixture, owner in
            let before = try await fixture.services.market.watchlist.list(of: owner, sort: .mine).entries.map(
                \.item)
            fixture.clock.advance(100)
            let removed = try await fixture.services.market.watchlist.remove("ethereum", from: owner)
            #expect(removed.item.coinId == "ethereum" && removed.name == "Ethereum")
            let without = try await ids(fixture, owner)
            #expect(without == ["bitcoin", "solana", "boringdao-[old]"])
            let restored = try await fixture.services.market.watchlist.undoRemove("ethereum", for: owner)
            #expect(restored == removed)
            let after = try await fixture.services.market.watchlist.list(of: owner, sort: .mine).entries.map(
                \.item)
            #expect(after == before)
        }
    }

    @Test func `undo works once, and not for a coin that was never removed`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            try await fixture.services.market.watchlist.undoRemove("solana", for: owner)
            for id in ["solana", "nonsense"] {
                await #expect(throws: WatchlistError.coinNotFound) {
                    try await fixture.services.market.watchlist.undoRemove(id, for: owner)
                }
            }
        }
    }

    @Test func `undo of a coin that was added again says that it is already there`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            try await fixture.services.market.watchlist.add("solana", to: owner)
            await #expect(throws: WatchlistError.coinAlreadyExists) {
                try await fixture.services.market.watchlist.undoRemove("solana", for: owner)
            }
        }
    }

    @Test func `undo works for a day and no longer`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            fixture.clock.advance(86_000)
            try await fixture.services.market.watchlist.undoRemove("solana", for: owner)
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            fixture.clock.advance(86_401)
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.market.watchlist.undoRemove("solana", for: owner)
            }
        }
    }

    @Test func `a coin that is not on the list cannot be removed, nor can one twice`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            for id in ["solana", "nonsense", ""] {
                await #expect(throws: WatchlistError.coinNotFound) {
                    try await fixture.services.market.watchlist.remove(id, from: owner)
                }
            }
        }
    }

    @Test func `a complete new order is stored and shown`() async throws {
        try await withFour { fixture, owner in
            let order = ["boringdao-[old]", "solana", "bitcoin", "ethereum"]
            try await fixture.services.market.watchlist.reorder(order, for: owner)
            let present = try await ids(fixture, owner, sort: nil)
            #expect(present == order)
            let list = try await fixture.services.market.watchlist.list(of: owner)
            #expect(list.sort == .mine)
            #expect(list.entries.map(\.item.sortOrder) == [0, 1, 2, 3])
        }
    }

    @Test func `a partial order puts its coins first and keeps the rest in order`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.reorder(["boringdao-[old]", "ethereum"], for: owner)
            let present = try await ids(fixture, owner)
            #expect(present == ["boringdao-[old]", "ethereum", "bitcoin", "solana"])
            try await fixture.services.market.watchlist.reorder([], for: owner)
            let same = try await ids(fixture, owner)
            #expect(same == present)
        }
    }

    @Test(arguments: [
        (["bitcoin", "nonsense"], "“nonsense” is not in your watchlist."),
        (["bitcoin", "solana", "bitcoin"], "The order names a coin twice."),
    ])
    func `an order with an unknown or duplicate coin is refused as a whole`(order: [String], why: String)
        async throws
    {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.choose(.name, for: owner)
            await #expect(throws: RoostError.invalid(field: "order", why: why)) {
                try await fixture.services.market.watchlist.reorder(order, for: owner)
            }
            let present = try await ids(fixture, owner)
            #expect(present == ["bitcoin", "ethereum", "solana", "boringdao-[old]"])
            let sort = try await fixture.services.market.watchlist.list(of: owner).sort
            #expect(sort == .name)
        }
    }

    @Test func `a coin moves by one position and stops at either end`() async throws {
        try await withFour { fixture, owner in
            let steps: [(String, WatchlistService.Direction, [String])] = [
                ("solana", .up, ["bitcoin", "solana", "ethereum", "boringdao-[old]"]),
                ("solana", .up, ["solana", "bitcoin", "ethereum", "boringdao-[old]"]),
                ("solana", .up, ["solana", "bitcoin", "ethereum", "boringdao-[old]"]),
                ("bitcoin", .down, ["solana", "ethereum", "bitcoin", "boringdao-[old]"]),
                ("boringdao-[old]", .down, ["solana", "ethereum", "bitcoin", "boringdao-[old]"]),
            ]
            for (id, direction, order) in steps {
                try await fixture.services.market.watchlist.move(id, direction, for: owner)
                let present = try await ids(fixture, owner)
                #expect(present == order)
            }
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.market.watchlist.move("nonsense", .up, for: owner)
            }
        }
    }

    @Test func `the chosen order survives a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.owner(watching: "bitcoin", "solana")
            let fresh = try await first.services.market.watchlist.list(of: owner).sort
            #expect(fresh == .mine)
            for sort in [WatchlistOrder.change, .price] {
                try await first.services.market.watchlist.choose(sort, for: owner)
            }
            try first.end()
            let second = try ServicesFixture(in: folder)
            let stored = try await second.services.market.watchlist.list(of: owner)
            #expect(stored.sort == .price && stored.entries.count == 2)
            try second.end()
        }
    }

    @Test func `a display's order does not change the saved one`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.market.watchlist.choose(.mine, for: owner)
            let list = try await fixture.services.market.watchlist.list(of: owner, sort: .name)
            #expect(list.sort == .mine)
            #expect(list.entries.first?.item.coinId == "bitcoin" && list.entries[1].name == "BoringDAO [OLD]")
        }
    }
}
