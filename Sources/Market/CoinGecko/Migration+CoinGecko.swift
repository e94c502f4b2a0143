package import RoostSupport

extension Migration {
    package static let coinGecko = Migration(
        "coingecko: coin list and calls",
        sql: """
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
            """)
}
