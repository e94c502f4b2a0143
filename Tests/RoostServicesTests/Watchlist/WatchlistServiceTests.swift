import Foundation
import GRDB
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct WatchlistServiceTests {
    private func ids(_ fixture: ServicesFixture, _ user: UserID, sort: WatchlistOrder? = .mine) async throws
        -> [String]
    {
        try await fixture.services.watchlist.list(of: user, sort: sort).entries.map(\.item.coinId)
    }

    @Test func `a new coin goes last with the words of its day`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "solana", "bitcoin")
            fixture.clock.advance(60)
            let added = try await fixture.services.watchlist.add("ethereum", to: owner)
            #expect(added.symbol == "eth" && added.name == "Ethereum")
            let list = try await fixture.services.watchlist.list(of: owner, sort: .mine)
            #expect(list.entries.map(\.item.coinId) == ["solana", "bitcoin", "ethereum"])
            #expect(list.entries.map(\.item.sortOrder) == [0, 1, 2])
            #expect(list.entries.last?.item.dateAdded == fixture.clock.now)
            #expect(list.entries.last?.name == "Ethereum" && list.entries.last?.formerName == nil)
        }
    }

    @Test func `a coin that is there already is refused, and the list stays as it was`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            await #expect(throws: WatchlistError.coinAlreadyExists) {
                try await fixture.services.watchlist.add("bitcoin", to: owner)
            }
            let present = try await ids(fixture, owner)
            #expect(present == ["bitcoin", "solana"])
        }
    }

    @Test func `of many who add the same coin at once one succeeds`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let results = await withTaskGroup(of: WatchlistError?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            try await fixture.services.watchlist.add("bitcoin", to: owner)
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

    @Test func `an unknown coin and an impossible one are refused in the mission's words`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.watchlist.add("nonsense", to: owner)
            }
            for id in ["", "  ", "bit\u{0}coin", String(repeating: "x", count: 300)] {
                await #expect(throws: WatchlistError.invalidCoinId) {
                    try await fixture.services.watchlist.add(id, to: owner)
                }
            }
            let present = try await ids(fixture, owner)
            #expect(present.isEmpty)
        }
    }

    @Test func `without a list of coins the network is to blame, in plain words`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            fixture.upstream.turn { _ in .init(status: 503) }
            await fixture.loadCoins()
            let error = await #expect(throws: WatchlistError.self) {
                try await fixture.services.watchlist.add("bitcoin", to: owner)
            }
            #expect(
                error?.message
                    == "Network error: CoinGecko is temporarily unavailable. Please try again later.")
        }
    }

    @Test func `a coin whose id has brackets is added, listed and removed by it`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "boringdao-[old]")
            await fixture.prices.refresh()
            let entry = try #require(try await fixture.services.watchlist.list(of: owner).entries.first)
            #expect(entry.currentPrice == Decimal(string: "0.5") && entry.isListed && !entry.isStale)
            try await fixture.services.watchlist.remove("boringdao-[old]", from: owner)
            let present = try await ids(fixture, owner)
            #expect(present.isEmpty)
        }
    }

    @Test func `lists of two users know nothing of each other`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let ada = try await fixture.services.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            try await fixture.services.watchlist.add("solana", to: ada)
            try await fixture.services.watchlist.choose(.price, for: ada)
            try await fixture.services.watchlist.remove("solana", from: owner)
            await #expect(throws: WatchlistError.coinNotFound) {
                try await fixture.services.watchlist.remove("bitcoin", from: ada)
            }
            // Who is not there has no list.
            await #expect(throws: RoostError.notFound("This list is not there.")) {
                try await fixture.services.watchlist.undoRemove("solana", for: 999)
            }
            let (his, hers) = (try await ids(fixture, owner), try await ids(fixture, ada))
            #expect(his == ["bitcoin"] && hers == ["solana"])
            let sort = try await fixture.services.watchlist.list(of: owner).sort
            #expect(sort == .mine)
            let coins = try await fixture.services.watchlist.coinIds(of: ada)
            #expect(coins == ["solana"])
        }
    }

    @Test func `every change is heard by the list's owner alone`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let (feed, watchlist) = (fixture.services.feed, fixture.services.watchlist)
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

    @Test func `a list holds 500 coins at most, and says so`() async throws {
        try await withServices { fixture in
            let items = (0...500).map { #"{"id":"c\#($0)","symbol":"s","name":"n"}"# }.joined(separator: ",")
            fixture.upstream.turn { $0.path == "/coins/list" ? .init(body: "[\(items)]") : .init(body: "[]") }
            let owner = try await fixture.owner()
            for number in 0..<500 { try await fixture.services.watchlist.add("c\(number)", to: owner) }
            // A list that is full is no fault of the server's.
            let full = RoostError.invalid(field: "coinId", why: "A watchlist holds 500 coins at most.")
            await #expect(throws: full) { try await fixture.services.watchlist.add("c500", to: owner) }
            try await fixture.services.watchlist.remove("c0", from: owner)
            try await fixture.services.watchlist.add("c500", to: owner)
            await #expect(throws: full) { try await fixture.services.watchlist.undoRemove("c0", for: owner) }
        }
    }

    @Test func `a list of many coins takes as many statements as a list of one`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            func statements() async throws -> [String] {
                try await fixture.services.watchlist.choose(.name, for: owner)
                let before = fixture.statements.all.count
                _ = try await fixture.services.watchlist.list(of: owner)
                return fixture.statements.all.dropFirst(before).filter { !$0.hasPrefix("PRAGMA") }
            }
            _ = try await statements()
            let one = try await statements()
            for id in ["ethereum", "solana", "boringdao-[old]"] {
                try await fixture.services.watchlist.add(id, to: owner)
            }
            let four = try await statements()
            #expect(one.count == four.count)
            // Lists, coins, choices, notes and holdings.
            #expect(one.filter { $0.hasPrefix("SELECT") }.count == 5)
            for sql in Set(four).filter({ $0.hasPrefix("SELECT") }) {
                let plan = try fixture.plan(of: sql)
                #expect(plan.steps.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
            }
        }
    }

    @Test(arguments: [
        ResultCode.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CORRUPT,
        .SQLITE_NOTADB,
        .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_CONSTRAINT, .SQLITE_ERROR, .SQLITE_MISUSE,
    ])
    func `a failed save says once that it failed, and why`(code: ResultCode) {
        let error = WatchlistError(storage: DatabaseError(resultCode: code, message: "secret words"))
        guard case .saveFailed(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.message == "Failed to save: \(cause)" && cause.hasSuffix("."))
        #expect(!cause.lowercased().contains("save") && !cause.contains("secret"))
    }

    @Test func `a database that takes nothing is told in words, and its own words stay in the log`()
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
                throws: WatchlistError.saveFailed("The database rejected the change.")
            ) {
                try await fixture.services.watchlist.add("bitcoin", to: owner)
            }
            #expect(fixture.log.lines.contains { $0.contains("no more coins") })
        }
    }
}
