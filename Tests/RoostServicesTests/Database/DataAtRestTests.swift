import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct DataAtRestTests {
    /// A folder with a closed database, in which the owner watches Bitcoin.
    private func withClosed(_ body: (_ folder: String, _ path: String) async throws -> Void) async throws {
        try await withFolder { folder in
            let fixture = try ServicesFixture(in: folder)
            _ = try await fixture.owner(watching: "bitcoin")
            try fixture.end()
            try await body(folder, Services.databasePath(in: folder))
        }
    }

    private func change(_ path: String, _ sql: String) throws {
        let file = try DatabaseFile.open(path) { $0.foreignKeysEnabled = false }
        try file.writeWithoutTransaction { try $0.execute(sql: sql) }
        try file.close()
    }

    // MARK: A clean stop

    @Test func `after a clean stop the main file alone contains everything`() async throws {
        try await withClosed { folder, path in
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            try await withFolder { other in
                try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
                try FileManager.default.copyItem(
                    atPath: path, toPath: Services.databasePath(in: other))
                let copy = try DatabaseFile.open(Services.databasePath(in: other))
                let coins = try await copy.read {
                    try String.fetchAll($0, sql: "SELECT coin_id FROM watchlist_items")
                }
                #expect(coins == ["bitcoin"])
                try copy.close()
            }
        }
    }

    @Test func `closing a second time does nothing`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try RoostSupport.Database.close(pool)
            try RoostSupport.Database.close(pool)
        }
    }

    @Test func `a command that ends does not disturb a running server`() async throws {
        try await withServices { serving in
            let owner = try await serving.owner(watching: "bitcoin")
            let command = try ServicesFixture(in: serving.folder)
            try await command.services.identity.accounts.load()
            try command.end()
            let problems = try await Services.problems(in: serving.folder)
            #expect(problems.isEmpty)
            try await serving.services.market.watchlist.add("solana", to: owner)
            let coins = try serving.sql(String.self, "SELECT coin_id FROM watchlist_items ORDER BY 1")
            #expect(coins == ["bitcoin", "solana"])
        }
    }

    // MARK: Versions and schema

    @Test func `a database of a newer version is refused with a message by the server and the check`()
        async throws
    {
        try await withClosed { folder, path in
            try change(path, "INSERT INTO grdb_migrations VALUES ('chat: rooms')")
            let refusals = [
                await refusal { _ = try RoostSupport.Database.open(in: folder) },
                await refusal { _ = try await Services.problems(in: folder) },
            ]
            for refusal in refusals {
                #expect(refusal?.message.contains("newer version of Roost") == true)
                #expect(refusal?.message.contains("“chat: rooms”") == true)
            }
        }
    }

    @Test(arguments: [
        ("DROP TABLE reset_links", "The table reset_links is missing."),
        ("DROP INDEX sessions_by_user", "The index sessions_by_user of the table sessions is missing."),
        ("ALTER TABLE join_links DROP COLUMN note", "The column note of the table join_links is missing."),
        (
            "ALTER TABLE users ADD COLUMN shoe_size INTEGER",
            "The column shoe_size of the table users is unknown to this version."
        ),
        ("CREATE TABLE rooms (id INTEGER)", "The table rooms is unknown to this version."),
        (
            "CREATE TRIGGER thief AFTER INSERT ON users BEGIN SELECT 1; END",
            "The trigger thief of the table users is unknown to this version."
        ),
        (
            "DROP INDEX sessions_by_user; CREATE INDEX sessions_by_user ON sessions (device)",
            "The index sessions_by_user of the table sessions is defined differently in this version."
        ),
    ])
    func `the check names the differences from this version's schema`(sql: String, problem: String)
        async throws
    {
        try await withClosed { folder, path in
            try change(path, sql)
            let problems = try await Services.problems(in: folder)
            #expect(problems == [problem])
        }
    }

    @Test func `the check changes no file and reports only real problems of an older database`()
        async throws
    {
        try await withClosed { folder, path in
            try FileManager.default.removeItem(atPath: path)
            let old = try DatabaseQueue(path: path)
            try Migrations.migrator.migrate(old, upTo: "repositories: details, READMEs and choices")
            try old.close()
            let before = try Data(contentsOf: URL(filePath: path))
            let problems = try await Services.problems(in: folder)
            #expect(problems.isEmpty)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test func `a file that is not a database is reported as a problem`() async throws {
        try await withClosed { folder, path in
            try Data(repeating: 7, count: 8_192).write(to: URL(filePath: path))
            let problems = try await Services.problems(in: folder)
            #expect(problems.first?.contains("is damaged or isn't a database") == true)
        }
    }

    // MARK: The lock

    @Test func `a second lock on a folder is refused with a message that names the holder's process`()
        async throws
    {
        try await withFolder { folder in
            let held = try DataFolderLock(folder: folder)
            let refusal = await refusal { _ = try DataFolderLock(folder: folder) }
            #expect(refusal?.message.contains("(process \(getpid()))") == true)
            #expect(refusal?.message.contains(folder) == true)
            withExtendedLifetime(held) {}
        }
    }

    @Test func `a lock ends with its holder, and a leftover lock file blocks no one`() async throws {
        try await withFolder { folder in
            do { withExtendedLifetime(try DataFolderLock(folder: folder)) {} }
            #expect(FileManager.default.fileExists(atPath: folder + "/" + DataFolderLock.fileName))
            withExtendedLifetime(try DataFolderLock(folder: folder)) {}
        }
    }

    // MARK: A full disk

    /// Services whose database cannot grow by a single page.
    private func withFull(_ body: (ServicesFixture, UserID) async throws -> Void) async throws {
        try await withServices({
            $0.maximumPages = 400
            $0.passwordCost = .cheap
        }) { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try fixture.change(
                "CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(4096 * 400))")
            try await body(fixture, owner)
        }
    }

    @Test func `a full disk gives a clear error, and lists can still be read`() async throws {
        try await withFull { fixture, owner in
            // Each row takes more than a hundredth of a page, so one of them needs a new page.
            var refused: RoostError?
            for number in 0..<100 where refused == nil {
                do {
                    _ = try await fixture.services.market.displays.add(
                        "A wall with a long name, \(number)", for: owner)
                } catch { refused = RoostError(storage: error) ?? error as? RoostError }
            }
            #expect(refused == .storageFull(RoostError.fullStorage))
            let list = try await fixture.services.market.watchlist.list(of: owner)
            #expect(list.entries.map(\.item.coinId) == ["bitcoin"])
        }
    }

    @Test(arguments: [
        ResultCode.SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMSIZE,
    ])
    func `every write error of the disk is reported as a full disk`(code: ResultCode) {
        #expect(RoostError(storage: DatabaseError(resultCode: code)) == .storageFull(RoostError.fullStorage))
    }

    @Test(arguments: [ResultCode.SQLITE_READONLY, .SQLITE_READONLY_DBMOVED])
    func `a read-only database is reported as a full disk`(code: ResultCode) {
        #expect(RoostError(storage: DatabaseError(resultCode: code)) == .storageFull(RoostError.fullStorage))
    }

    @Test(arguments: [ResultCode.SQLITE_CORRUPT, .SQLITE_CORRUPT_VTAB, .SQLITE_NOTADB])
    func `damage gives a clear error`(code: ResultCode) {
        #expect(
            RoostError(storage: DatabaseError(resultCode: code))
                == .databaseDamaged(RoostError.damagedDatabase))
    }

    @Test(arguments: [ResultCode.SQLITE_CONSTRAINT, .SQLITE_BUSY, .SQLITE_IOERR_READ])
    func `other errors are not reported as a full disk`(code: ResultCode) {
        #expect(RoostError(storage: DatabaseError(resultCode: code)) == nil)
    }

    @Test func `a backup that fails leaves no file`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let folder = fixture.folder + "/copies"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try damage(fixture)
            await #expect(throws: (any Error).self) {
                try await fixture.services.backup(to: folder + "/copy.sqlite")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    /// Closes the database under the services, so that every read fails.
    private func damage(_ fixture: ServicesFixture) throws { try fixture.services.close() }

    @Test func `a backup leaves no other files`() async throws {
        try await withServices { fixture in
            let folder = fixture.folder + "/copies"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await fixture.services.backup(to: folder + "/copy.sqlite")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy.sqlite"])
        }
    }

    @Test func `a folder that cannot be written counts as full, and one with room does not`() async throws {
        try await withFolder { folder in
            #expect(await StorageProbe(folder: folder + "/none").isFull)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(await !StorageProbe(folder: folder).isFull)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
