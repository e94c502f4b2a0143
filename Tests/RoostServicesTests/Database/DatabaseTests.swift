import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct DatabaseTests {
    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `a new folder and its files are readable only by their owner`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            #expect(try mode(fixture.folder) == 0o700)
            let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
            #expect(files.contains("roost.sqlite") && files.contains("roost.sqlite-wal"))
            for file in files { #expect(try mode(fixture.folder + "/" + file) == 0o600, "\(file)") }
        }
    }

    @Test func `missing parent folders are created`() async throws {
        try await withFolder { folder in
            let pool = try RoostSupport.Database.open(in: folder + "/a/b")
            try pool.close()
            #expect(try mode(folder + "/a/b") == 0o700)
        }
    }

    @Test func `a write is on the disk before it is acknowledged`() async throws {
        try await withFolder { folder in
            let pool = try RoostSupport.Database.open(in: folder)
            let journal = try await pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            let writer = try await pool.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA synchronous")
            }
            #expect(journal == "wal")
            #expect(writer == 2)
            try pool.close()
        }
    }

    @Test func `foreign keys are enforced`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            let isOn = try await pool.writeWithoutTransaction {
                try Bool.fetchOne($0, sql: "PRAGMA foreign_keys")
            }
            #expect(isOn == true)
            await #expect(throws: DatabaseError.self) {
                try await pool.write {
                    try $0.execute(
                        sql: "INSERT INTO watchlists (user_id, name) VALUES (99, 'x')")
                }
            }
            try pool.close()
        }
    }

    @Test func `running migrations twice does no harm`() async throws {
        try await withFolder { folder in
            var schemas: [[String]] = []
            for _ in 0..<2 {
                let pool = try RoostSupport.Database.open(in: folder)
                schemas.append(
                    try await pool.read {
                        try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql <> ''")
                    })
                if schemas.count == 1 {
                    try await pool.write {
                        try $0.execute(
                            sql: "INSERT INTO users (username, role, created_at) VALUES ('ada', 'owner', 1)")
                    }
                } else {
                    let users = try await pool.read {
                        try String.fetchAll($0, sql: "SELECT username FROM users")
                    }
                    #expect(users == ["ada"])
                }
                try pool.close()
            }
            #expect(schemas[0] == schemas[1] && schemas[0].count > 8)
        }
    }

    @Test(arguments: [
        ("users (username, role, created_at)", "('', 'owner', 1)"),
        ("users (username, role, created_at)", "('eve', 'god', 1)"),
        ("users (username, name_key, role, created_at)", "('ADA', 'x', 'member', 1)"),
        ("users (username, name_key, role, created_at)", "('eve', '', 'member', 1)"),
        (
            "users (username, name_key, role, is_stand_in, created_at)",
            "('a', 'a', 'owner', 1, 1), ('b', 'b', 'owner', 1, 1)"
        ),
        (
            "users (username, name_key, email, email_key, role, created_at)",
            "('a', 'a', 'A@x', 'a@x', 'member', 1), ('b', 'b', 'a@x', 'a@x', 'member', 1)"
        ),
        (
            "sessions (user_id, token_hash, created_at, last_seen_at, address, device)",
            "(1, zeroblob(31), 1, 1, '', '')"
        ),
        (
            "sessions (user_id, token_hash, created_at, last_seen_at, address, device)",
            "(9, zeroblob(32), 1, 1, '', '')"
        ),
        ("avatars (user_id, media_type, bytes, version)", "(1, 'text/html', x'00', 'v')"),
        (
            "join_links (code_hash, sealed_code, note, created_at, expires_at, uses_allowed, uses)",
            "(zeroblob(32), x'00', '', 1, 2, 5, 6)"
        ),
        (
            "join_links (code_hash, sealed_code, note, created_at, expires_at, uses_allowed)",
            "(zeroblob(32), x'00', '', 1, 2, 101)"
        ),
        ("reset_links (user_id, code_hash, expires_at)", "(1, zeroblob(32), 1), (1, randomblob(32), 1)"),
        ("watchlist_items (list_id, coin_id, symbol, name, date_added)", "(1, '', 's', 'n', 1)"),
        (
            "watchlist_items (list_id, coin_id, symbol, name, date_added)",
            "(1, 'btc', 's', 'n', 1), (1, 'btc', 's', 'n', 1)"
        ),
        (
            "watchlist_items (list_id, coin_id, symbol, name, date_added, sort_order)",
            "(1, 'b', 's', 'n', 1, -1)"
        ),
        ("watchlist_items (list_id, coin_id, symbol, name, date_added)", "(2, 'b', 's', 'n', 1)"),
        ("watchlists (user_id, name, sort)", "(1, 'x', 'best')"),
        ("watchlists (user_id, name, sort)", "(1, 'x', '--name')"),
        ("watchlists (user_id, name)", "(1, '')"),
        ("preferences (user_id, name, value)", "(1, '', '{}')"),
        ("preferences (user_id, name, value)", "(1, 'watchlist', '[]')"),
        ("coin_notes (user_id, coin_id, note, category)", "(1, '', 'n', '')"),
        ("coin_holdings (user_id, coin_id, amount)", "(1, 'btc', '')"),
        ("coin_holdings (user_id, coin_id, amount, price)", "(1, 'btc', '1', '2')"),
        ("coin_wallets (user_id, coin_id, address)", "(1, 'btc', '')"),
        ("displays (user_id, name, token_hash, created_at)", "(1, 'x', x'00', 1)"),
        (
            "displays (user_id, name, token_hash, seconds_per_page, created_at)",
            "(1, 'x', zeroblob(32), 4, 1)"
        ),
        ("displays (user_id, name, token_hash, per_page, created_at)", "(1, 'x', zeroblob(32), 25, 1)"),
        ("displays (user_id, name, token_hash, dimming, created_at)", "(1, 'x', zeroblob(32), 91, 1)"),
        ("displays (user_id, name, token_hash, style, created_at)", "(1, 'x', zeroblob(32), 'big', 1)"),
        (
            "display_pairings (secret_hash, code, created_at, expires_at)",
            "(zeroblob(32), 'ABCDEF', 1, 2), (randomblob(32), 'ABCDEF', 1, 2)"
        ),
        (
            "display_keys (key_hash, display_id, created_at, pairing_hash)",
            "(zeroblob(32), 9, 1, zeroblob(32))"
        ),
        ("api_tokens (user_id, token_hash, scope, created_at)", "(1, zeroblob(32), 'admin', 1)"),
        ("coin_list (id, symbol, name, rank)", "('a', 'b', 'c', 0)"),
        ("upstream_calls (source, month, calls)", "('demo', '2026-11', -1)"),
    ])
    func `the schema rejects invalid rows`(table: String, values: String) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write {
                try $0.execute(
                    sql: "INSERT INTO users (username, role, created_at) VALUES ('ada', 'owner', 1)")
            }
            let error = await #expect(throws: DatabaseError.self) {
                try await pool.write { try $0.execute(sql: "INSERT INTO \(table) VALUES \(values)") }
            }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            try pool.close()
        }
    }

    @Test func `deleting a user deletes their rows`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            _ = try await fixture.services.token(for: "owner", scope: .read)
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await file.write { try $0.execute(sql: "DELETE FROM users") }
            let left = try await file.read {
                try Int.fetchOne(
                    $0,
                    sql: "SELECT (SELECT count(*) FROM watchlist_items) + (SELECT count(*) FROM api_tokens)")
            }
            #expect(left == 0)
            try file.close()
        }
    }
}
