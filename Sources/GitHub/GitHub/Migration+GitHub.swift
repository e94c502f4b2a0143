package import RoostSupport

extension Migration {
    /// Users' GitHub accounts; their tokens lie in `sealed_secrets` alone.
    package static let gitHubAccounts = Migration(
        "github: accounts",
        sql: """
            CREATE TABLE github_accounts (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL CHECK (length(host) BETWEEN 1 AND 300),
                login TEXT NOT NULL COLLATE NOCASE CHECK (length(login) BETWEEN 1 AND 200),
                connected_at REAL NOT NULL,
                UNIQUE (user_id, host, login)
            ) STRICT;
            """)
}
