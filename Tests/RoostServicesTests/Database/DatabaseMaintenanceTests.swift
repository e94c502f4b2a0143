import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct DatabaseMaintenanceTests {
    @Test func `a sound database has no problems`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin", "solana")
            let problems = try await fixture.services.problems()
            #expect(problems.isEmpty)
        }
    }

    @Test func `a row with a broken reference is found and named`() async throws {
        try await withServices { fixture in
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder)) {
                $0.foreignKeysEnabled = false
            }
            try await file.write {
                try $0.execute(
                    sql: "INSERT INTO watchlists (user_id, name) VALUES (99, 'x')")
            }
            try file.close()
            let problems = try await fixture.services.problems()
            #expect(problems == ["A row of watchlists refers to a missing row of users."])
        }
    }

    @Test func `damage in the file is found`() async throws {
        try await withFolder { folder in
            let first = try ServicesFixture(in: folder)
            _ = try await first.owner(watching: "bitcoin")
            try first.end()
            let path = Services.databasePath(in: folder)
            let file = try DatabaseFile.open(path)
            // Overwrites the page of an index without SQLite's knowledge.
            let page = try await file.read {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'one_stand_in'")
            }
            let size = try await file.read { try Int.fetchOne($0, sql: "PRAGMA page_size") }
            try file.close()
            let handle = try FileHandle(forUpdating: URL(filePath: path))
            let (number, length) = (try #require(page), try #require(size))
            try handle.seek(toOffset: UInt64((number - 1) * length))
            try handle.write(contentsOf: Data([10, 0, 0, 0, 0, 0, 0, 0]))
            try handle.close()
            let second = try ServicesFixture(in: folder)
            let problems = try await second.services.problems()
            #expect(!problems.isEmpty)
            try second.end()
        }
    }

    @Test func `a backup made during use contains everything that was acknowledged`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum", "solana")
            let watchlist = fixture.services.market.watchlist
            let writer = Task {
                while !Task.isCancelled {
                    try await watchlist.move("solana", .up, for: owner)
                    try await watchlist.move("solana", .down, for: owner)
                }
            }
            let copy = fixture.folder + "/copy.sqlite"
            try await fixture.services.backup(to: copy)
            writer.cancel()
            _ = await writer.result
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let file = try DatabaseFile.open(copy)
            let coins = try await file.read {
                try String.fetchAll($0, sql: "SELECT coin_id FROM watchlist_items ORDER BY coin_id")
            }
            let check = try await file.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            #expect(coins == ["bitcoin", "ethereum", "solana"] && check == "ok")
            try file.close()
        }
    }

    @Test func `a backup works as a data folder`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try await withFolder { folder in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try await fixture.services.backup(to: Services.databasePath(in: folder))
                let restored = try ServicesFixture(in: folder)
                let list = try await restored.services.market.watchlist.list(of: owner)
                #expect(list.entries.map(\.item.coinId) == ["bitcoin"])
                try restored.end()
            }
        }
    }

    @Test func `a backup never overwrites a file`() async throws {
        try await withServices { fixture in
            let path = fixture.folder + "/precious"
            try Data("precious".utf8).write(to: URL(filePath: path))
            await #expect(
                throws: RoostError.conflict(field: "file", why: "There is already a file at \(path).")
            ) { try await fixture.services.backup(to: path) }
            let kept = try Data(contentsOf: URL(filePath: path))
            #expect(kept == Data("precious".utf8))
        }
    }

    @Test func `a backup into a missing folder is refused with a message`() async throws {
        try await withServices { fixture in
            await #expect(throws: RoostError.self) {
                try await fixture.services.backup(to: fixture.folder + "/no/such/folder/copy.sqlite")
            }
        }
    }
}
