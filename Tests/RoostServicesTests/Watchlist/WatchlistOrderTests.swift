import Foundation
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
        try await fixture.services.watchlist.list(of: user, sort: sort).entries.map(\.item.coinId)
    }

    @Test func `undo brings a removed coin back to its place with its date`() async throws {
        try await withFour { fixture, owner in
            let before = try await fixture.services.watchlist.list(of: owner, sort: .mine).entries.map(\.item)
            fixture.clock.advance(100)
            let removed = try await fixture.services.watchlist.remove("ethereum", from: owner)
            #expect(removed.item.coinId == "ethereum" && removed.name == "Ethereum")
            let without = try await ids(fixture, owner)
            #expect(without == ["bitcoin", "solana", "boringdao-[old]"])
            let restored = try await fixture.services.watchlist.undoRemove("ethereum", for: owner)
            #expect(restored == removed)
            let after = try await fixture.services.watchlist.list(of: owner, sort: .mine).entries.map(\.item)
            #expect(after == before)
        }
    }

    @Test func `undo works once, and not for a coin that was never removed`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.remove("solana", from: owner)
            try await fixture.services.watchlist.undoRemove("solana", for: owner)
            for id in ["solana", "nonsense"] {
                await #expect(throws: WatchlistError.coinNotFound) {
                    try await fixture.services.watchlist.undoRemove(id, for: owner)
                }
            }
        }
    }

    @Test func `undo of a coin that was added again meanwhile says that it is there`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.remove("solana", from: owner)
            try await fixture.services.watchlist.add("solana", to: owner)
            await #expect(throws: WatchlistError.coinAlreadyExists) {
                try await fixture.services.watchlist.undoRemove("solana", for: owner)
            }
        }
    }

    @Test func `undo is there for a day and not longer`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.remove("solana", from: owner)
            fixture.clock.advance(86_000)
            try await fixture.services.watchlist.undoRemove("solana", for: owner)
            try await fixture.services.watchlist.remove("solana", from: owner)
            fixture.clock.advance(86_401)
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.watchlist.undoRemove("solana", for: owner)
            }
        }
    }

    @Test func `a coin that is not on the list cannot be removed, nor twice`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.remove("solana", from: owner)
            for id in ["solana", "nonsense", ""] {
                await #expect(throws: WatchlistError.coinNotFound) {
                    try await fixture.services.watchlist.remove(id, from: owner)
                }
            }
        }
    }

    @Test func `a whole new order is kept and shown`() async throws {
        try await withFour { fixture, owner in
            let order = ["boringdao-[old]", "solana", "bitcoin", "ethereum"]
            try await fixture.services.watchlist.reorder(order, for: owner)
            let present = try await ids(fixture, owner, sort: nil)
            #expect(present == order)
            let list = try await fixture.services.watchlist.list(of: owner)
            #expect(list.sort == .mine)
            #expect(list.entries.map(\.item.sortOrder) == [0, 1, 2, 3])
        }
    }

    @Test func `an order of some puts them first and leaves the others as they were`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.reorder(["boringdao-[old]", "ethereum"], for: owner)
            let present = try await ids(fixture, owner)
            #expect(present == ["boringdao-[old]", "ethereum", "bitcoin", "solana"])
            try await fixture.services.watchlist.reorder([], for: owner)
            let same = try await ids(fixture, owner)
            #expect(same == present)
        }
    }

    @Test(arguments: [
        (["bitcoin", "nonsense"], "“nonsense” is not in your watchlist."),
        (["bitcoin", "solana", "bitcoin"], "The order names a coin twice."),
    ])
    func `an order with a stranger or a double is refused whole`(order: [String], why: String) async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.choose(.name, for: owner)
            await #expect(throws: RoostError.invalid(field: "order", why: why)) {
                try await fixture.services.watchlist.reorder(order, for: owner)
            }
            let present = try await ids(fixture, owner)
            #expect(present == ["bitcoin", "ethereum", "solana", "boringdao-[old]"])
            let sort = try await fixture.services.watchlist.list(of: owner).sort
            #expect(sort == .name)
        }
    }

    @Test func `a coin moves one place, and stays at either end`() async throws {
        try await withFour { fixture, owner in
            let steps: [(String, WatchlistService.Direction, [String])] = [
                ("solana", .up, ["bitcoin", "solana", "ethereum", "boringdao-[old]"]),
                ("solana", .up, ["solana", "bitcoin", "ethereum", "boringdao-[old]"]),
                ("solana", .up, ["solana", "bitcoin", "ethereum", "boringdao-[old]"]),
                ("bitcoin", .down, ["solana", "ethereum", "bitcoin", "boringdao-[old]"]),
                ("boringdao-[old]", .down, ["solana", "ethereum", "bitcoin", "boringdao-[old]"]),
            ]
            for (id, direction, order) in steps {
                try await fixture.services.watchlist.move(id, direction, for: owner)
                let present = try await ids(fixture, owner)
                #expect(present == order)
            }
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.watchlist.move("nonsense", .up, for: owner)
            }
        }
    }

    @Test func `the chosen order is remembered over a restart`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            let owner = try await first.owner(watching: "bitcoin", "solana")
            let fresh = try await first.services.watchlist.list(of: owner).sort
            #expect(fresh == .mine)
            for sort in [WatchlistOrder.change, .price] {
                try await first.services.watchlist.choose(sort, for: owner)
            }
            try first.end()
            let second = try ServicesFixture(in: folder)
            let kept = try await second.services.watchlist.list(of: owner)
            #expect(kept.sort == .price && kept.entries.count == 2)
            try second.end()
        }
    }

    @Test func `another order for a display leaves the remembered one alone`() async throws {
        try await withFour { fixture, owner in
            try await fixture.services.watchlist.choose(.mine, for: owner)
            let list = try await fixture.services.watchlist.list(of: owner, sort: .name)
            #expect(list.sort == .mine)
            #expect(list.entries.first?.item.coinId == "bitcoin" && list.entries[1].name == "BoringDAO [OLD]")
        }
    }
}
