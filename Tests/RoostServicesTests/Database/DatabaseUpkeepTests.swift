import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// The file and its log stay small, also next to a program that always reads.
@Suite(.timeLimit(.minutes(5))) struct DatabaseUpkeepTests {
    private func pages(_ path: String, _ name: String) throws -> Int {
        try DatabaseFile.open(path).read { try Int.fetchOne($0, sql: "PRAGMA \(name)") ?? 0 }
    }

    /// Fills the database with 12 MB and deletes half of its pages.
    private func leaveHoles(_ database: DatabaseQueue) throws {
        try database.writeWithoutTransaction { database in
            try database.execute(
                sql: "PRAGMA synchronous = OFF; CREATE TABLE filler (id INTEGER PRIMARY KEY, x BLOB)")
            try database.inTransaction {
                for _ in 0..<3_000 {
                    try database.execute(sql: "INSERT INTO filler (x) VALUES (randomblob(4000))")
                }
                return .commit
            }
            try database.execute(sql: "DELETE FROM filler WHERE id % 2 = 0")
        }
    }

    private func fileBytes(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test func `a database with half of its pages free shrinks, and loses no row`() async throws {
        try await withServices { fixture in
            let path = Services.databasePath(in: fixture.folder)
            try leaveHoles(try DatabaseFile.open(path))
            #expect(try pages(path, "freelist_count") * 100 / pages(path, "page_count") > 40)
            await fixture.services.upkeep.cleanUp()
            #expect(try pages(path, "freelist_count") * 100 / pages(path, "page_count") <= 5)
            let rows = try fixture.sql(Int.self, "SELECT count(*) FROM filler WHERE length(x) = 4000")
            #expect(rows == [1_500])
            #expect(try fixture.sql(String.self, "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test func `the file shrinks in many short writes, between which others can take place`() async throws {
        try await withServices { fixture in
            let path = Services.databasePath(in: fixture.folder)
            try leaveHoles(try DatabaseFile.open(path))
            let free = try pages(path, "freelist_count")
            await fixture.services.upkeep.cleanUp()
            let steps = fixture.statements.all.count { $0.hasPrefix("PRAGMA incremental_vacuum(200)") }
            let released = try free - pages(path, "freelist_count")
            #expect(released > 1_000)
            #expect(steps >= released / 200)
        }
    }

    @Test func `a database of an earlier version is rewritten once, so that it can shrink`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let path = Services.databasePath(in: folder)
            let old = try DatabaseFile.open(path)
            try await old.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try leaveHoles(old)
            try await old.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try old.close()
            let before = try fileBytes(path)
            #expect(try pages(path, "auto_vacuum") == 0)
            for isFirst in [true, false] {
                let fixture = try ServicesFixture(in: folder)
                try await fixture.services.upkeep.load()
                #expect(fixture.log.lines.contains { $0.contains("Rewriting the database once") } == isFirst)
                #expect(try pages(path, "auto_vacuum") == 2)
                try fixture.end()
            }
            #expect(try fileBytes(path) < before * 2 / 3)
        }
    }

    // MARK: Litestream

    /// Litestream's tables, and a read transaction that it keeps open so that only it empties the log.
    private func follow(_ path: String) throws -> DatabaseQueue {
        let reader = try DatabaseFile.open(path) { $0.allowsUnsafeTransactions = true }
        try reader.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
                    CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
                    INSERT INTO _litestream_seq VALUES (1, 1);
                    BEGIN;
                    """)
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM _litestream_seq")
        }
        return reader
    }

    @Test func `Litestream's tables are no fault, and a backup next to it is sound`() async throws {
        try await withServices { fixture in
            let reader = try follow(Services.databasePath(in: fixture.folder))
            #expect(try await Services.problems(in: fixture.folder).isEmpty)
            let copy = fixture.folder + "/copy.sqlite"
            try await fixture.services.backup(to: copy)
            #expect(try await Services.problems(ofFileAt: copy).isEmpty)
            try reader.close()
        }
    }

    @Test func `a reader that holds the log makes neither upkeep nor the end wait for seconds`() async throws
    {
        try await withFolder { folder in
            let fixture = try ServicesFixture(in: folder)
            let owner = try await fixture.owner(watching: "bitcoin")
            let path = Services.databasePath(in: folder)
            // The reader needs the last state of a log above the size at which Roost empties it.
            let writer = try DatabaseFile.open(path)
            try await writer.writeWithoutTransaction { database in
                try database.execute(
                    sql:
                        "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; CREATE TABLE filler (x BLOB)"
                )
                for _ in 0..<3_000 {
                    try database.execute(sql: "INSERT INTO filler VALUES (randomblob(4000))")
                }
            }
            let reader = try follow(path)
            #expect(try fileBytes(path + "-wal") > RoostSupport.Database.maximumLogBytes)
            let clock = ContinuousClock()
            let upkeep = try await clock.measure {
                await fixture.services.upkeep.cleanUp()
                try await fixture.services.market.watchlist.add("solana", to: owner)
            }
            // SQLite alone would wait for the reader for five seconds, and writes with it.
            #expect(upkeep < .seconds(4))
            #expect(try fileBytes(path + "-wal") > RoostSupport.Database.maximumLogBytes)
            try writer.close()
            let end = try clock.measure { try fixture.end() }
            #expect(end < .seconds(4))
            try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try reader.close()
            let coins = try await DatabaseFile.open(path).read {
                try String.fetchAll($0, sql: "SELECT coin_id FROM watchlist_items ORDER BY 1")
            }
            #expect(coins == ["bitcoin", "solana"])
        }
    }
}
