extension Migration {
    static let displays = Migration(
        "displays: screens",
        sql: """
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
            """)
    static let displaysByUser = Migration(
        "displays: by user", sql: "CREATE INDEX displays_by_user ON displays (user_id);")
}
