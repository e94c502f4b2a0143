import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(5))) struct DatabaseRestoreTests {
    private let files = FileManager.default

    /// Runs the body with a closed data folder in which someone watches these coins.
    private func withData(_ coins: String..., body: (String) async throws -> Void) async throws {
        try await withFolder { folder in
            let fixture = try ServicesFixture(in: folder)
            let owner = try await fixture.owner()
            await fixture.loadCoins()
            for coin in coins { try await fixture.services.market.watchlist.add(coin, to: owner) }
            try fixture.end()
            try await body(folder)
        }
    }

    private func coins(_ path: String) throws -> [String] {
        try DatabaseFile.open(path).read {
            try String.fetchAll($0, sql: "SELECT coin_id FROM watchlist_items ORDER BY 1")
        }
    }

    private func execute(_ sql: String, _ path: String) async throws {
        let queue = try DatabaseFile.open(path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func mode(_ path: String) throws -> Int? {
        (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `a backup becomes the database of an empty folder, with private modes`() async throws {
        try await withData("solana") { backup in
            try await withFolder { folder in
                let file = backup + "/roost.sqlite"
                try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                let former = try await Services.restore(file, into: folder + "/data", replaces: false)
                #expect(former == nil)
                #expect(try coins(folder + "/data/roost.sqlite") == ["solana"])
                #expect(try mode(folder + "/data") == 0o700)
                #expect(try mode(folder + "/data/roost.sqlite") == 0o600)
                #expect(files.fileExists(atPath: file))
            }
        }
    }

    @Test func `a database is replaced only by force, and is then moved aside`() async throws {
        try await withData("bitcoin") { folder in
            try await withData("solana") { backup in
                let (path, file) = (folder + "/roost.sqlite", backup + "/roost.sqlite")
                let refusal = await refusal {
                    _ = try await Services.restore(file, into: folder, replaces: false)
                }
                #expect(refusal?.message.contains("--force") == true)
                #expect(try coins(path) == ["bitcoin"])
                let former = try await Services.restore(file, into: folder, replaces: true)
                #expect(try coins(path) == ["solana"])
                #expect(try coins(#require(former)) == ["bitcoin"])
                #expect(try await Services.problems(in: folder).isEmpty)
            }
        }
    }

    @Test func `a log that has lost its database is not written into the copy`() async throws {
        try await withData("bitcoin") { folder in
            try await withData("solana") { backup in
                let path = folder + "/roost.sqlite"
                let queue = try DatabaseFile.open(path)
                try await queue.write {
                    try $0.execute(sql: "UPDATE watchlist_items SET coin_id = 'of-the-log'")
                }
                // As after a power cut: the log stays, and the operator removes the database.
                try files.copyItem(atPath: path + "-wal", toPath: path + "-kept")
                try queue.close()
                try files.removeItem(atPath: path)
                try files.moveItem(atPath: path + "-kept", toPath: path + "-wal")
                let former = try await Services.restore(
                    backup + "/roost.sqlite", into: folder, replaces: false)
                #expect(former == nil)
                #expect(!files.fileExists(atPath: path + "-wal"))
                #expect(try coins(path) == ["solana"])
            }
        }
    }

    @Test func `the log of the former database moves with it, and that of the backup is read`() async throws {
        try await withData("bitcoin") { folder in
            try await withData("solana") { backup in
                let change = "UPDATE watchlist_items SET coin_id = 'latest-' || coin_id"
                var open: [DatabaseQueue] = []
                for path in [folder, backup] {
                    let queue = try DatabaseFile.open(path + "/roost.sqlite")
                    try await queue.write { try $0.execute(sql: change) }
                    open.append(queue)
                }
                let former = try await Services.restore(
                    backup + "/roost.sqlite", into: folder, replaces: true)
                #expect(try coins(folder + "/roost.sqlite") == ["latest-solana"])
                #expect(try coins(#require(former)) == ["latest-bitcoin"])
                for queue in open { try queue.close() }
            }
        }
    }

    @Test(arguments: [
        ("damaged", "isn't a database"), ("foreign", "another program"), ("newer", "newer version"),
        ("empty", "empty database"), ("missing", "There is no file"), ("folder", "is a folder"),
        ("faulty", "The table reset_links is missing."),
    ])
    func `what is no good backup changes nothing`(kind: String, message: String) async throws {
        try await withData("bitcoin") { folder in
            let file = folder + "-\(kind)"
            defer { try? files.removeItem(atPath: file) }
            func change(_ sql: String) async throws {
                try files.copyItem(atPath: folder + "/roost.sqlite", toPath: file)
                try await execute(sql, file)
            }
            switch kind {
            case "damaged": try Data(repeating: 7, count: 50_000).write(to: URL(filePath: file))
            case "foreign":
                try await execute("CREATE TABLE recipes (id INTEGER)", file)
            case "newer": try await change("INSERT INTO grdb_migrations VALUES ('chat: rooms')")
            case "faulty": try await change("DROP TABLE reset_links")
            case "empty": try Data().write(to: URL(filePath: file))
            case "folder": try files.createDirectory(atPath: file, withIntermediateDirectories: true)
            default: break
            }
            let before = try files.contentsOfDirectory(atPath: folder).sorted()
            let refusal = await refusal { _ = try await Services.restore(file, into: folder, replaces: true) }
            let text = try #require(refusal?.message)
            #expect(text.contains(message) && text.contains(file), "\(text)")
            let after = try files.contentsOfDirectory(atPath: folder).sorted()
            #expect(after.filter { $0 != "roost.lock" } == before.filter { $0 != "roost.lock" })
            #expect(try coins(folder + "/roost.sqlite") == ["bitcoin"])
        }
    }

    @Test func `a restore is refused while a server uses the folder`() async throws {
        try await withData("bitcoin") { folder in
            let lock = try DataFolderLock(folder: folder)
            let refusal = await refusal {
                _ = try await Services.restore(folder + "/roost.sqlite", into: folder, replaces: true)
            }
            #expect(refusal?.message.contains("is running on the data folder") == true)
            withExtendedLifetime(lock) {}
        }
    }

    // MARK: At the start

    @Test func `a damaged file is reported with its path, the remedy and the newest backup`() async throws {
        try await withFolder { folder in
            let backups = folder + "/backups"
            try files.createDirectory(atPath: backups, withIntermediateDirectories: true)
            let newest = BackupFile(TestClock.start).name
            for name in [BackupFile(TestClock.start - 86_400).name, newest] {
                #expect(files.createFile(atPath: backups + "/" + name, contents: nil))
            }
            try Data(repeating: 7, count: 50_000).write(to: URL(filePath: folder + "/roost.sqlite"))
            let refusal = await refusal {
                _ = try RoostSupport.Database.open(in: folder, backups: .init(folder: backups))
            }
            let message = try #require(refusal?.message)
            #expect(message.contains(folder + "/roost.sqlite"))
            #expect(message.contains("roost restore FILE --force"))
            #expect(message.contains(backups + "/" + newest))
        }
    }

    @Test func `another program's database is not migrated`() async throws {
        try await withFolder { folder in
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let path = folder + "/roost.sqlite"
            try await execute("CREATE TABLE recipes (id INTEGER)", path)
            let refusal = await refusal { _ = try RoostSupport.Database.open(in: folder) }
            let message = try #require(refusal?.message)
            #expect(message.contains(path) && message.contains("recipes") && message.contains("--data"))
            let tables = try await DatabaseFile.open(path).read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            }
            #expect(tables == ["recipes"])
        }
    }
}
