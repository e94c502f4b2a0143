package import RoostSupport

extension Migration {
    package static let displays = Migration(
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
    package static let displaysByUser = Migration(
        "displays: by user", sql: "CREATE INDEX displays_by_user ON displays (user_id);")
    package static let displaySettings = Migration(
        "displays: settings",
        sql: """
            -- Sealed, so that its owner can copy the link again; NULL for links from before.
            ALTER TABLE displays ADD COLUMN token_sealed BLOB;
            -- NULL, and the number of a list that is gone: the owner's first list.
            ALTER TABLE displays ADD COLUMN list_id INTEGER;
            -- A JSON array of ids; empty: all coins of the list.
            ALTER TABLE displays ADD COLUMN coins TEXT NOT NULL DEFAULT '[]';
            -- NULL: as the list is sorted.
            ALTER TABLE displays ADD COLUMN sort TEXT CHECK (length(sort) BETWEEN 1 AND 16);
            ALTER TABLE displays ADD COLUMN per_page INTEGER NOT NULL DEFAULT 0
                CHECK (per_page BETWEEN 0 AND 24);
            ALTER TABLE displays ADD COLUMN style TEXT NOT NULL DEFAULT 'line'
                CHECK (style IN ('price', 'line', 'cap'));
            ALTER TABLE displays ADD COLUMN currency TEXT CHECK (length(currency) BETWEEN 2 AND 10);
            ALTER TABLE displays ADD COLUMN theme TEXT NOT NULL DEFAULT 'dark'
                CHECK (theme IN ('dark', 'light', 'time'));
            ALTER TABLE displays ADD COLUMN dimming INTEGER NOT NULL DEFAULT 0
                CHECK (dimming BETWEEN 0 AND 90);
            ALTER TABLE displays ADD COLUMN dim_from INTEGER NOT NULL DEFAULT 1320
                CHECK (dim_from BETWEEN 0 AND 1439);
            ALTER TABLE displays ADD COLUMN dim_until INTEGER NOT NULL DEFAULT 420
                CHECK (dim_until BETWEEN 0 AND 1439);
            -- A JSON array of seven ranges or nulls, Monday first; NULL: never.
            ALTER TABLE displays ADD COLUMN black_hours TEXT;
            ALTER TABLE displays ADD COLUMN orientation TEXT NOT NULL DEFAULT 'auto'
                CHECK (orientation IN ('auto', 'landscape', 'portrait', 'portrait-left'));
            ALTER TABLE displays ADD COLUMN language TEXT NOT NULL DEFAULT 'en'
                CHECK (length(language) BETWEEN 2 AND 8);
            ALTER TABLE displays ADD COLUMN shows_clock INTEGER NOT NULL DEFAULT 1
                CHECK (shows_clock IN (0, 1));
            ALTER TABLE displays ADD COLUMN headline TEXT NOT NULL DEFAULT '' CHECK (length(headline) <= 200);
            ALTER TABLE displays ADD COLUMN reload_at INTEGER DEFAULT 240
                CHECK (reload_at BETWEEN 0 AND 1439);
            -- What the screen said when it was last seen.
            ALTER TABLE displays ADD COLUMN screen_version TEXT;
            ALTER TABLE displays ADD COLUMN screen_address TEXT;
            ALTER TABLE displays ADD COLUMN screen_reloads INTEGER CHECK (screen_reloads >= 0);
            """)
    package static let displayPairing = Migration(
        "displays: pairing",
        sql: """
            CREATE TABLE display_pairings (
                secret_hash BLOB PRIMARY KEY CHECK (length(secret_hash) = 32),
                code TEXT NOT NULL UNIQUE CHECK (length(code) = 6),
                created_at REAL NOT NULL,
                expires_at REAL NOT NULL,
                display_id INTEGER REFERENCES displays (id) ON DELETE CASCADE,
                -- The neighbour who asked for the code: he pushes out only his own.
                origin TEXT
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX display_pairings_by_display ON display_pairings (display_id);
            CREATE TABLE display_keys (
                key_hash BLOB PRIMARY KEY CHECK (length(key_hash) = 32),
                display_id INTEGER NOT NULL REFERENCES displays (id) ON DELETE CASCADE,
                created_at REAL NOT NULL,
                -- The secret of the pairing that it was made for.
                pairing_hash BLOB NOT NULL UNIQUE CHECK (length(pairing_hash) = 32)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX display_keys_by_display ON display_keys (display_id);
            """)
    package static let displayPages = Migration(
        "displays: pages",
        sql: """
            ALTER TABLE displays ADD COLUMN pages TEXT NOT NULL DEFAULT 'coins'
                CHECK (length(pages) BETWEEN 1 AND 40);
            """)
    package static let displayToday = Migration(
        "displays: today",
        sql: """
            -- Kinds of pages, separated by commas.
            UPDATE displays SET pages = 'coins,pulls' WHERE pages = 'both';
            -- A JSON array of features whose changes the owner shows to everyone.
            ALTER TABLE displays ADD COLUMN today_parts TEXT NOT NULL DEFAULT '[]'
                CHECK (length(today_parts) BETWEEN 2 AND 80);
            """)
}
