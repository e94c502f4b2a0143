import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// Migrates a database of the first version, which had only users and tokens.
@Suite struct AccountMigrationTests {
    /// The first version's schema of accounts, the watchlist and displays.
    private static let schema = """
        CREATE TABLE users (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            username TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(username) BETWEEN 1 AND 64),
            role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
            is_stand_in INTEGER NOT NULL DEFAULT 0 CHECK (is_stand_in IN (0, 1)),
            password_hash TEXT,
            created_at REAL NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX one_stand_in ON users (is_stand_in) WHERE is_stand_in = 1;
        CREATE TABLE api_tokens (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
            created_at REAL NOT NULL
        ) STRICT;
        CREATE TABLE coin_list (
            id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''), symbol TEXT NOT NULL, name TEXT NOT NULL,
            rank INTEGER CHECK (rank > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE coin_list_state (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1), fetched_at REAL NOT NULL, etag TEXT
        ) STRICT;
        CREATE TABLE upstream_calls (
            source TEXT NOT NULL, month TEXT NOT NULL, calls INTEGER NOT NULL CHECK (calls >= 0),
            PRIMARY KEY (source, month)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE watchlist_items (
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            coin_id TEXT NOT NULL CHECK (coin_id <> ''), symbol TEXT NOT NULL, name TEXT NOT NULL,
            date_added REAL NOT NULL, sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order >= 0),
            PRIMARY KEY (user_id, coin_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE watchlist_removed (
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            coin_id TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL, date_added REAL NOT NULL,
            sort_order INTEGER NOT NULL, removed_at REAL NOT NULL, PRIMARY KEY (user_id, coin_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE watchlist_choices (
            user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            sort TEXT NOT NULL CHECK (sort IN ('name', 'price', 'change', 'mine'))
        ) STRICT;
        CREATE TABLE displays (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            seconds_per_page INTEGER NOT NULL DEFAULT 20 CHECK (seconds_per_page BETWEEN 5 AND 3600),
            red_is_up INTEGER NOT NULL DEFAULT 0 CHECK (red_is_up IN (0, 1)),
            created_at REAL NOT NULL, last_seen_at REAL
        ) STRICT;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('accounts: users and API tokens'),
            ('coingecko: coin list and calls'), ('watchlist: items and choices'), ('displays: screens');
        """

    /// A hash of six parts, as in the first version.
    private static func oldHash(_ password: String) throws -> String {
        let hash = try Password.hash(password, cost: .cheap)
        return String(hash.dropLast("$nfkc".count))
    }

    /// A folder with an old database, opened by this version.
    private func withOld(
        _ fill: (GRDB.Database) throws -> Void, _ body: (ServicesFixture) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = try DatabaseFile.open(Services.databasePath(in: folder))
            try file.inDatabase {
                try $0.execute(sql: Self.schema)
                try fill($0)
            }
            try file.close()
            let fixture = try ServicesFixture(in: folder) { $0.passwordCost = .cheap }
            let result: Result<Void, any Error>
            do {
                try await fixture.services.load()
                result = .success(try await body(fixture))
            } catch { result = .failure(error) }
            try fixture.end()
            try result.get()
        }
    }

    private static func insert(_ names: [String], _ database: GRDB.Database) throws {
        for name in names {
            try database.execute(
                sql:
                    "INSERT INTO users (username, role, password_hash, created_at) VALUES (?, 'owner', ?, 1)",
                arguments: [name, try oldHash(Cast.password)])
        }
    }

    @Test func `users of the first version can sign in, and their hashes are upgraded`() async throws {
        try await withOld({ try Self.insert(["Ada", "grace"], $0) }) { fixture in
            let ada = try #require(try await fixture.services.identity.accounts.users.first)
            #expect(
                ada
                    == User(
                        userId: 1, username: "Ada", role: .owner,
                        createdAt: Date(timeIntervalSince1970: 1)))
            #expect(
                !fixture.services.identity.accounts.needsOwner
                    && fixture.services.identity.invitations.setupCode == nil)
            for _ in 0..<2 {
                let begun = try await fixture.signIn("ADA")
                #expect(fixture.isSignedIn(begun))
            }
            let hash = try fixture.sql(String.self, "SELECT password_hash FROM users WHERE id = 1").first
            #expect(hash?.hasSuffix("$nfkc") == true)
            let wrong = await refusal { _ = try await fixture.signIn("grace", "wrong") }
            #expect(wrong == .unknownVisitor(SessionService.refusal))
        }
    }

    @Test func `the placeholder keeps its list, screen, link and token, which the owner then inherits`()
        async throws
    {
        let (link, token) = (Secret.make(bytes: 16), "roost_" + Secret.make(bytes: 32))
        try await withOld({ database in
            try database.execute(
                sql: """
                    INSERT INTO users (username, role, is_stand_in, created_at) VALUES ('owner', 'owner', 1, 1);
                    INSERT INTO watchlist_items (user_id, coin_id, symbol, name, date_added)
                        VALUES (1, 'bitcoin', 'btc', 'Bitcoin', 1);
                    INSERT INTO displays (user_id, name, token_hash, created_at) VALUES (1, 'Kitchen', ?, 1);
                    INSERT INTO api_tokens (user_id, token_hash, scope, created_at) VALUES (1, ?, 'write', 1);
                    """, arguments: [Data(Secret.hash(link)), Data(Secret.hash(token))])
        }) { fixture in
            let services = fixture.services
            #expect(try await services.market.displays.display(.link(link))?.name == "Kitchen")
            let bearer = try #require(services.identity.tokens.bearer(of: token))
            #expect(bearer.user.isPlaceholder && bearer.token.name.isEmpty && bearer.token.expiresAt == nil)
            #expect(bearer.token.scopes == "write" && !bearer.token.isLimited)
            let code = try #require(services.identity.invitations.setupCode)
            let ada = try await services.identity.invitations.setUp(
                code: "\(code)", Profile(username: "ada"), password: Cast.password, from: Cast.here)
            #expect(ada.userId == 1)
            #expect(try await services.market.displays.display(.link(link))?.userId == 1)
            #expect(services.identity.tokens.bearer(of: token)?.user == ada)
            let coins = try await services.market.watchlist.coinIds(of: 1)
            #expect(coins == ["bitcoin"])
        }
    }

    @Test func `of names that now count as the same, the first stays and the others get a number`()
        async throws
    {
        let long = String(repeating: "É", count: 64)
        let names = [
            "élan", "Élan", "e\u{301}LAN", "ÉLAN 2", "Straße", "STRASSE", long, long.lowercased(), "ada@home",
            "\u{3164}",
        ]
        try await withOld({ try Self.insert(names, $0) }) { fixture in
            let users = try await fixture.services.identity.accounts.users
            #expect(
                users.map(\.username) == [
                    "élan", "Élan 3", "e\u{301}LAN 4", "ÉLAN 2", "Straße", "STRASSE 2", long,
                    String(repeating: "é", count: 56) + " 2", "ada@home", "\u{3164} 2",
                ])
            #expect(Set(users.map { Profile.key($0.username) }).count == names.count)
            for user in users {
                let origin = ClientInfo(address: "10.0.0.\(user.userId)")
                let begun = try await fixture.signIn(user.username, from: origin)
                #expect(begun.user == user)
            }
        }
    }

    @Test func `a user whose name is no longer allowed can still change everything else`() async throws {
        try await withOld({ try Self.insert(["ada@home", "grace"], $0) }) { fixture in
            let ada = try await fixture.services.identity.accounts.user(named: "ada@home")
            let begun = try await fixture.services.identity.sessions.changePassword(
                of: ada, current: Cast.password, to: Cast.otherPassword, from: Cast.desk)
            #expect(fixture.isSignedIn(begun))
            try await fixture.services.identity.accounts.change(
                ada.userId, email: "ada@example.org", displayName: "Ada")
            let code = try await fixture.services.identity.resets.makeLink(for: ada.userId, by: nil)
            _ = try await fixture.services.identity.resets.reset(
                code: "\(code)", password: Cast.password, from: Cast.desk)
            #expect(try await fixture.signIn("ada@example.org").user.username == "ada@home")
            // A name equal to another user's address is changed, or two users could sign in with it.
            let grace = try await fixture.services.identity.accounts.user(named: "grace")
            let error = await refusal {
                try await fixture.services.identity.accounts.change(
                    grace.userId, email: "ADA@home", displayName: nil)
            }
            #expect(error?.field == "email")
        }
    }
}
