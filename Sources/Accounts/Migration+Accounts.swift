import GRDB
package import RoostSupport

extension Migration {
    /// The row with `is_stand_in` is the placeholder owner; the first real owner replaces it and inherits its data.
    package static let users = Migration(
        "accounts: users and API tokens",
        sql: """
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
            """)

    /// Adds sessions, links and the audit log. Computes the keys of existing names, which SQL cannot do.
    package static let sessionsAndLinks = Migration("accounts: sessions, links and the audit log") {
        database in
        try database.execute(sql: sessionColumns)
        let users = try Row.fetchAll(database, sql: "SELECT id, username FROM users ORDER BY id")
        for (id, name) in renamed(users.map { ($0["id"], $0["username"]) }) {
            try database.execute(
                sql: "UPDATE users SET username = ?, name_key = ? WHERE id = ?",
                arguments: [name, Profile.key(name), id])
        }
        try database.execute(sql: sessionTables)
    }

    /// Of several names with the same key, the first stays and the others get a number: "Élan 2".
    private static func renamed(_ users: [(id: Int64, name: String)]) -> [(id: Int64, name: String)] {
        var keys: Set<String> = [""]
        let firsts = users.filter { keys.insert(Profile.key($0.name)).inserted }
        let duplicates = users.filter { user in !firsts.contains { $0.id == user.id } }.map { user in
            let beginning = String(String.UnicodeScalarView(user.name.unicodeScalars.prefix(56)))
            var number = 2
            while !keys.insert(Profile.key("\(beginning) \(number)")).inserted { number += 1 }
            return (id: user.id, name: "\(beginning) \(number)")
        }
        return firsts + duplicates
    }

    private static let sessionColumns = """
        ALTER TABLE users ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
        ALTER TABLE users ADD COLUMN email TEXT;
        ALTER TABLE users ADD COLUMN email_key TEXT;
        ALTER TABLE users ADD COLUMN display_name TEXT CHECK (length(display_name) BETWEEN 1 AND 64);
        ALTER TABLE users ADD COLUMN message TEXT NOT NULL DEFAULT '';
        ALTER TABLE users ADD COLUMN updated_at REAL;
        ALTER TABLE api_tokens ADD COLUMN name TEXT NOT NULL DEFAULT '' CHECK (length(name) <= 64);
        ALTER TABLE api_tokens ADD COLUMN expires_at REAL;
        ALTER TABLE api_tokens ADD COLUMN last_used_at REAL;
        """

    private static let sessionTables = """
        CREATE UNIQUE INDEX users_by_name ON users (name_key);
        CREATE UNIQUE INDEX users_by_email ON users (email_key);
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            created_at REAL NOT NULL,
            last_seen_at REAL NOT NULL,
            address TEXT NOT NULL,
            device TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sessions_by_user ON sessions (user_id);
        CREATE TABLE avatars (
            user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            media_type TEXT NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
            bytes BLOB NOT NULL,
            version TEXT NOT NULL
        ) STRICT;
        CREATE TABLE join_links (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            code_hash BLOB NOT NULL UNIQUE CHECK (length(code_hash) = 32),
            sealed_code BLOB NOT NULL,
            note TEXT NOT NULL CHECK (length(note) <= 64),
            created_at REAL NOT NULL,
            expires_at REAL NOT NULL,
            revoked_at REAL,
            uses_allowed INTEGER NOT NULL CHECK (uses_allowed BETWEEN 1 AND 100),
            uses INTEGER NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND uses_allowed),
            created_by INTEGER REFERENCES users (id) ON DELETE SET NULL
        ) STRICT;
        ALTER TABLE users ADD COLUMN joined_with INTEGER REFERENCES join_links (id) ON DELETE SET NULL;
        CREATE TABLE reset_links (
            user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            code_hash BLOB NOT NULL UNIQUE CHECK (length(code_hash) = 32),
            expires_at REAL NOT NULL
        ) STRICT;
        CREATE TABLE audit_entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at REAL NOT NULL,
            kind TEXT NOT NULL,
            actor TEXT NOT NULL,
            subject TEXT NOT NULL,
            address TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        """

    /// Shows the user name of members whose names look alike; `shown_name` is the name that pages display.
    package static let namesakes = Migration("accounts: names that look the same") { database in
        try database.execute(
            sql: """
                ALTER TABLE users ADD COLUMN shows_username INTEGER NOT NULL DEFAULT 0
                    CHECK (shows_username IN (0, 1));
                ALTER TABLE users ADD COLUMN shown_name TEXT GENERATED ALWAYS AS (
                    coalesce(display_name, username)
                        || CASE shows_username WHEN 1 THEN ' (@' || username || ')' ELSE '' END
                ) VIRTUAL;
                """)
        try Writes(database).updateShowsUsername()
    }

    package static let knownDevices = Migration(
        "accounts: known devices",
        sql: """
            CREATE TABLE known_devices (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
                created_at REAL NOT NULL,
                last_used_at REAL NOT NULL
            ) STRICT;
            CREATE INDEX known_devices_by_user ON known_devices (user_id, last_used_at);
            """)

    /// Adds the "metrics" scope, by copying the table because SQLite cannot change a CHECK. Ids of deleted tokens are
    /// not reused.
    package static let metricsTokens = Migration(
        "accounts: metrics tokens",
        sql: """
            CREATE TABLE new_api_tokens (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
                scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'metrics')),
                created_at REAL NOT NULL,
                name TEXT NOT NULL DEFAULT '' CHECK (length(name) <= 64),
                expires_at REAL,
                last_used_at REAL
            ) STRICT;
            INSERT INTO new_api_tokens
                SELECT id, user_id, token_hash, scope, created_at, name, expires_at, last_used_at FROM api_tokens;
            DELETE FROM sqlite_sequence WHERE name = 'new_api_tokens';
            UPDATE sqlite_sequence SET name = 'new_api_tokens' WHERE name = 'api_tokens';
            DROP TABLE api_tokens;
            ALTER TABLE new_api_tokens RENAME TO api_tokens;
            """)

    /// Limits tokens to areas. Existing tokens keep all rights of their scope.
    package static let tokenAreas = Migration(
        "accounts: areas of tokens",
        sql: "ALTER TABLE api_tokens ADD COLUMN areas TEXT NOT NULL DEFAULT ''")
}
