import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// Reads of the whole program's services: their moment, threads and connections, and the write-ahead log.
@Suite(.timeLimit(.minutes(5))) struct DatabaseReadTests {
    @Test func `everything in one read is from one moment, in one transaction`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let market = fixture.services.market
            func begun() -> Int { fixture.statements.all.count { $0.hasPrefix("BEGIN DEFERRED") } }
            let before = begun()
            let seen = try await fixture.services.database.read { reads in
                let first = try market.watchlist.coinIds(reads, of: owner)
                // Writes as another process does.
                try fixture.change("DELETE FROM watchlist_items")
                return [first, try market.watchlist.coinIds(reads, of: owner)]
            }
            #expect(seen == [["bitcoin"], ["bitcoin"]])
            #expect(begun() == before + 1)
            let after = try await market.watchlist.coinIds(of: owner)
            #expect(after.isEmpty)
        }
    }

    @Test func `a read knows the change feed's position from before its moment`() async throws {
        try await withServices { fixture in
            let feed = fixture.services.feed
            let before = feed.position
            let position = try await fixture.services.database.read { reads in
                feed.publish("birds")
                return reads.feedPosition
            }
            #expect(position == before)
            #expect(feed.position == before + 1)
        }
    }

    @Test func `a read on threads that may block stays on its thread`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner()
            let threads = TaskThreads(count: 1)
            #expect(threads.start())
            defer { threads.stop() }
            let services = fixture.services
            let found = Mutex<Int?>(nil)
            let task = Task.immediate(executorPreference: threads) {
                let count = try await services.database.read {
                    try services.identity.accounts.users($0).count
                }
                found.withLock { $0 = count }
            }
            // `immediate` returns at the first suspension.
            #expect(found.withLock(\.self) == 1)
            try await task.value
        }
    }

    @Test func `a user lookup inside a read keeps no older moment`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let services = fixture.services
            let accounts = services.identity.accounts
            let before = try #require(accounts.cachedUser(owner)).displayName
            let during = try await services.database.read { reads in
                _ = try accounts.users(reads)
                // Writes as another process does.
                try fixture.change("UPDATE users SET display_name = 'Ada 2'")
                return accounts.cachedUser(owner)?.displayName
            }
            #expect(during == before)
            #expect(accounts.cachedUser(owner)?.displayName == "Ada 2")
        }
    }

    @Test func `more reads than connections take turns, and idle connections close`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let threads = TaskThreads(count: 16)
            #expect(threads.start())
            defer { threads.stop() }
            func opened() -> Int { fixture.statements.all.count { $0.hasPrefix("PRAGMA cache_size") } }
            await fixture.services.upkeep.cleanUp()
            let before = opened()
            let watchlist = fixture.services.market.watchlist
            try await withThrowingTaskGroup(of: Set<String>.self) { group in
                for _ in 0..<200 {
                    group.addTask(executorPreference: threads) { try await watchlist.coinIds(of: owner) }
                }
                for try await coins in group { #expect(coins == ["bitcoin"]) }
            }
            #expect(opened() > before && opened() <= before + 8)
            let open = opened()
            await fixture.services.upkeep.cleanUp()
            _ = try await watchlist.coinIds(of: owner)
            #expect(opened() == open + 1)
        }
    }

    @Test func `background reads and user lookups never wait for each other`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let services = fixture.services
            for number in 1...20 {
                // Writes as another process does: the next user lookup reads the database, on whatever thread it runs.
                try fixture.change("UPDATE users SET display_name = 'Ada \(number)'")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<30 {
                        group.addTask { _ = try await services.market.watchlist.coinIds(of: owner) }
                        group.addTask { _ = services.identity.accounts.cachedUser(owner) }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(services.identity.accounts.cachedUser(owner)?.displayName == "Ada 20")
        }
    }

    private func logBytes(_ folder: String) -> Int {
        let path = Services.databasePath(in: folder) + "-wal"
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test func `a log that grew during a long read shrinks once it is free`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner()
            let reader = try DatabaseFile.open(Services.databasePath(in: fixture.folder)) {
                $0.allowsUnsafeTransactions = true
            }
            try await reader.writeWithoutTransaction {
                try $0.execute(sql: "BEGIN; SELECT * FROM users")
            }
            try fixture.change(
                "CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (zeroblob(30000000))")
            #expect(logBytes(fixture.folder) > 20 << 20)
            await fixture.services.upkeep.cleanUp()
            #expect(logBytes(fixture.folder) > 20 << 20, "a reader still needs it")
            try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            await fixture.services.upkeep.cleanUp()
            #expect(logBytes(fixture.folder) < 10 << 20)
            try reader.close()
        }
    }

    @Test func `Roost's own writes shorten a log that has grown`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            let reader = try DatabaseFile.open(Services.databasePath(in: folder)) {
                $0.allowsUnsafeTransactions = true
            }
            try await reader.writeWithoutTransaction {
                try $0.execute(sql: "BEGIN; SELECT * FROM users")
            }
            try await pool.write {
                try $0.execute(
                    sql: "CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (zeroblob(30000000))")
            }
            #expect(logBytes(folder) > 20 << 20)
            try reader.close()
            // The first commit copies the log into the main file, and the next ones restart the log.
            for number in 0..<3 {
                try await pool.write { try $0.execute(sql: "UPDATE filler SET x = ?", arguments: [number]) }
            }
            #expect(logBytes(folder) < 10 << 20)
            try RoostSupport.Database.close(pool)
        }
    }

    @Test func `after shutdown the main file alone is complete`() async throws {
        try await withFolder { folder in
            let fixture = try ServicesFixture(in: folder)
            let owner = try await fixture.owner(watching: "bitcoin")
            _ = try await fixture.services.market.watchlist.list(of: owner)
            try fixture.end()
            let log = Services.databasePath(in: folder) + "-wal"
            #expect(!FileManager.default.fileExists(atPath: log))
            let items = try fixture.sql(String.self, "SELECT coin_id FROM watchlist_items")
            #expect(items == ["bitcoin"])
        }
    }

    @Test func `a database error reaches its reader, and the next read succeeds`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let watchlist = fixture.services.market.watchlist
            try fixture.change("ALTER TABLE watchlist_items RENAME TO elsewhere")
            await #expect(throws: RoostError.self) { try await watchlist.coinIds(of: owner) }
            try fixture.change("ALTER TABLE elsewhere RENAME TO watchlist_items")
            #expect(try await watchlist.coinIds(of: owner) == ["bitcoin"])
        }
    }
}
