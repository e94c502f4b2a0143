extension Migration {
    /// Name and symbol are those of the day it was added: a coin that CoinGecko drops keeps its words.
    static let watchlist = Migration(
        "watchlist: items and choices",
        sql: """
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
            """)
}
