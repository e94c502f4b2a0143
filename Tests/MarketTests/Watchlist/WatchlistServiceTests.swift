import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct WatchlistServiceTests {
    private func ids(_ fixture: ServicesFixture, _ user: UserID, sort: WatchlistOrder? = .mine) async throws
        -> [String]
    {
        try await fixture.services.market.watchlist.list(of: user, sort: sort).entries.map(\.item.coinId)
    }

    @Test func `a new coin goes last, with its current name and symbol`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "solana", "bitcoin")
            fixture.clock.advance(60)
            let added = try await fixture.services.market.watchlist.add("ethereum", to: owner)
            #expect(added.symbol == "eth" && added.name == "Ethereum")
            let list = try await fixture.services.market.watchlist.list(of: owner, sort: .mine)
            #expect(list.entries.map(\.item.coinId) == ["solana", "bitcoin", "ethereum"])
            #expect(list.entries.map(\.item.sortOrder) == [0, 1, 2])
            #expect(list.entries.last?.item.dateAdded == fixture.clock.now)
            #expect(list.entries.last?.name == "Ethereum" && list.entries.last?.formerName == nil)
        }
    }

    @Test func `a coin that is already on the list is refused, and the list is unchanged`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            await #expect(throws: WatchlistError.coinAlreadyExists) {
                try await fixture.services.market.watchlist.add("bitcoin", to: owner)
            }
            let present = try await ids(fixture, owner)
            #expect(present == ["bitcoin", "solana"])
        }
    }

    @Test func `when many requests add the same coin at once, one succeeds`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let results = await withTaskGroup(of: WatchlistError?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            try await fixture.services.market.watchlist.add("bitcoin", to: owner)
                            return nil
                        } catch {
                            return error as? WatchlistError
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == nil }.count == 1)
            #expect(results.filter { $0 == .coinAlreadyExists }.count == 19)
        }
    }

    @Test func `an unknown coin and an invalid id are refused with the mission's messages`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.market.watchlist.add("nonsense", to: owner)
            }
            for id in ["", "  ", "bit\u{0}coin", String(repeating: "x", count: 300)] {
                await #expect(throws: WatchlistError.invalidCoinId) {
                    try await fixture.services.market.watchlist.add(id, to: owner)
                }
            }
            let present = try await ids(fixture, owner)
            #expect(present.isEmpty)
        }
    }

    @Test func `without a coin list the error names the network, in plain words`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            fixture.upstream.turn { _ in .init(status: 503) }
            await fixture.loadCoins()
            let error = await #expect(throws: WatchlistError.self) {
                try await fixture.services.market.watchlist.add("bitcoin", to: owner)
            }
            #expect(
                error?.message
                    == "Network error: CoinGecko is temporarily unavailable. Please try again later.")
        }
    }

    @Test func `two users' lists are independent`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            try await fixture.services.market.watchlist.add("solana", to: ada)
            try await fixture.services.market.watchlist.choose(.price, for: ada)
            try await fixture.services.market.watchlist.remove("solana", from: owner)
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.market.watchlist.remove("bitcoin", from: ada)
            }
            // An unknown user has no list.
            await #expect(throws: RoostError.notFound("There is no such list.")) {
                try await fixture.services.market.watchlist.undoRemove("solana", for: 999)
            }
            let (his, hers) = (try await ids(fixture, owner), try await ids(fixture, ada))
            #expect(his == ["bitcoin"] && hers == ["solana"])
            let sort = try await fixture.services.market.watchlist.list(of: owner).sort
            #expect(sort == .mine)
            let coins = try await fixture.services.market.watchlist.coinIds(of: ada)
            #expect(coins == ["solana"])
        }
    }

    @Test func `every change is published only to the list's owner`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let (feed, watchlist) = (fixture.services.feed, fixture.services.market.watchlist)
            let changes: [@Sendable () async throws -> Void] = [
                { try await watchlist.add("ethereum", to: owner) },
                { try await watchlist.remove("bitcoin", from: owner) },
                { try await watchlist.undoRemove("bitcoin", for: owner) },
                { try await watchlist.reorder(["solana"], for: owner) },
                { try await watchlist.move("solana", .down, for: owner) },
                { try await watchlist.choose(.price, for: owner) },
            ]
            for change in changes {
                let before = feed.version(of: [Topic.watchlist(owner)])
                try await change()
                #expect(feed.version(of: [Topic.watchlist(owner)]) > before)
            }
            #expect(feed.version(of: [Topic.watchlist(owner + 1)]) == 0)
        }
    }

    @Test func `a refused change is not published`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let before = fixture.services.feed.version(of: [Topic.watchlist(owner)])
            await #expect(throws: WatchlistError.coinAlreadyExists) {
                try await fixture.services.market.watchlist.add("bitcoin", to: owner)
            }
            #expect(fixture.services.feed.version(of: [Topic.watchlist(owner)]) == before)
        }
    }

    @Test func `a list has at most 500 coins, and the error says so`() async throws {
        try await withServices { fixture in
            let items = (0...500).map { #"{"id":"c\#($0)","symbol":"s","name":"n"}"# }.joined(separator: ",")
            fixture.upstream.turn { $0.path == "/coins/list" ? .init(body: "[\(items)]") : .init(body: "[]") }
            let owner = try await fixture.owner()
            for number in 0..<500 { try await fixture.services.market.watchlist.add("c\(number)", to: owner) }
            // A full list is not a server error.
            let full = RoostError.invalid(field: "coinId", why: "A watchlist can have at most 500 coins.")
            await #expect(throws: full) { try await fixture.services.market.watchlist.add("c500", to: owner) }
            try await fixture.services.market.watchlist.remove("c0", from: owner)
            try await fixture.services.market.watchlist.add("c500", to: owner)
            await #expect(throws: full) {
                try await fixture.services.market.watchlist.undoRemove("c0", for: owner)
            }
        }
    }

    @Test func `a list of many coins takes as many statements as a list of one`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            func statements() async throws -> [String] {
                try await fixture.services.market.watchlist.choose(.name, for: owner)
                let before = fixture.statements.all.count
                _ = try await fixture.services.market.watchlist.list(of: owner)
                return fixture.statements.all.dropFirst(before).filter { !$0.hasPrefix("PRAGMA") }
            }
            _ = try await statements()
            let one = try await statements()
            for id in ["ethereum", "solana", "boringdao-[old]"] {
                try await fixture.services.market.watchlist.add(id, to: owner)
            }
            let four = try await statements()
            #expect(one.count == four.count)
            // Lists, coins, preferences, notes and holdings.
            #expect(one.filter { $0.hasPrefix("SELECT") }.count == 5)
            for sql in Set(four).filter({ $0.hasPrefix("SELECT") }) {
                let plan = try fixture.plan(of: sql)
                #expect(plan.steps.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
            }
        }
    }

    @Test func `a database error has a readable message, and its details stay in the log`()
        async throws
    {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            try fixture.change(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON watchlist_items BEGIN
                    SELECT RAISE(ABORT, 'no more coins');
                END
                """)
            await #expect(
                throws: RoostError.unavailable("Couldn’t save. Please try again.")
            ) {
                try await fixture.services.market.watchlist.add("bitcoin", to: owner)
            }
            #expect(fixture.log.lines.contains { $0.contains("no more coins") })
        }
    }
}
