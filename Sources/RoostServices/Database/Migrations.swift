import GRDB

/// The schema, as steps that are only ever added to; each is named for its feature.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accounts: users and API tokens") { try $0.execute(sql: accounts) }
        migrator.registerMigration("coingecko: coin list and calls") { try $0.execute(sql: coinGecko) }
        migrator.registerMigration("watchlist: items and choices") { try $0.execute(sql: watchlist) }
        migrator.registerMigration("displays: screens") { try $0.execute(sql: displays) }
        migrator.registerMigration(
            "accounts: sessions, links and the audit log", migrate: AccountMigration.run)
        migrator.registerMigration("secrets: sealed") { try $0.execute(sql: sealedSecrets) }
        migrator.registerMigration("github: accounts") { try $0.execute(sql: GitHubMigration.sql) }
        migrator.registerMigration("pulls: marks, choices and sections", migrate: PullMigration.run)
        migrator.registerMigration("repositories: details, READMEs and choices") {
            try $0.execute(sql: RepositoryMigration.sql)
        }
        migrator.registerMigration("bookmarks: repositories, tags and notes") {
            try $0.execute(sql: BookmarkMigration.sql)
        }
        migrator.registerMigration("accounts: known devices") { try $0.execute(sql: knownDevices) }
        return migrator
    }

    /// The row with `is_stand_in` is the local owner until the first real one takes his place, and his rows.
    private static let accounts = """
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
        """

    private static let coinGecko = """
        CREATE TABLE coin_list (
            id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
            symbol TEXT NOT NULL,
            name TEXT NOT NULL,
            rank INTEGER CHECK (rank > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE coin_list_state (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            fetched_at REAL NOT NULL,
            etag TEXT
        ) STRICT;
        CREATE TABLE upstream_calls (
            source TEXT NOT NULL,
            month TEXT NOT NULL,
            calls INTEGER NOT NULL CHECK (calls >= 0),
            PRIMARY KEY (source, month)
        ) STRICT, WITHOUT ROWID;
        """

    /// Name and symbol are those of the day it was added: a coin that CoinGecko drops keeps its words.
    private static let watchlist = """
        CREATE TABLE watchlist_items (
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            coin_id TEXT NOT NULL CHECK (coin_id <> ''),
            symbol TEXT NOT NULL,
            name TEXT NOT NULL,
            date_added REAL NOT NULL,
            sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order >= 0),
            PRIMARY KEY (user_id, coin_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE watchlist_removed (
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            coin_id TEXT NOT NULL,
            symbol TEXT NOT NULL,
            name TEXT NOT NULL,
            date_added REAL NOT NULL,
            sort_order INTEGER NOT NULL,
            removed_at REAL NOT NULL,
            PRIMARY KEY (user_id, coin_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE watchlist_choices (
            user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            sort TEXT NOT NULL CHECK (sort IN ('name', 'price', 'change', 'mine'))
        ) STRICT;
        """

    private static let displays = """
        CREATE TABLE displays (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            seconds_per_page INTEGER NOT NULL DEFAULT 20 CHECK (seconds_per_page BETWEEN 5 AND 3600),
            red_is_up INTEGER NOT NULL DEFAULT 0 CHECK (red_is_up IN (0, 1)),
            created_at REAL NOT NULL,
            last_seen_at REAL
        ) STRICT;
        """

    /// Browsers that have signed in, by user; see `KnownDeviceStore`.
    private static let knownDevices = """
        CREATE TABLE known_devices (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            created_at REAL NOT NULL,
            last_used_at REAL NOT NULL
        ) STRICT;
        CREATE INDEX known_devices_by_user ON known_devices (user_id, last_used_at);
        """

    private static let sealedSecrets = """
        CREATE TABLE sealed_secrets (
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            sealed BLOB NOT NULL CHECK (length(sealed) >= 29),
            created_at REAL NOT NULL,
            PRIMARY KEY (user_id, name)
        ) STRICT, WITHOUT ROWID;
        """
}
