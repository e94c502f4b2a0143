package import RoostSupport

extension Migration {
    /// Name and symbol are stored when a coin is added, in case CoinGecko drops it.
    package static let watchlist = Migration(
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

    /// Several lists for each user, with holdings, notes, wallets and appearance.
    ///
    /// Removed lists, holdings and wallets stay for a day. Users who had not chosen an order keep the order by name
    /// that was shown; new users start with their own order.
    package static let watchlists = Migration(
        "watchlist: lists",
        sql: """
            CREATE TABLE watchlists (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
                place INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0),
                sort TEXT NOT NULL DEFAULT 'mine' CHECK (substr(sort, 1 + (sort LIKE '-%')) IN (
                    'name', 'price', 'change', 'mine', 'change1h', 'change7d', 'cap', 'volume', 'value')),
                shows_totals INTEGER NOT NULL DEFAULT 0 CHECK (shows_totals IN (0, 1)),
                removed_at REAL
            ) STRICT;
            CREATE INDEX watchlists_by_user ON watchlists (user_id, place);
            INSERT INTO watchlists (user_id, name, sort)
                SELECT users.id, 'Watchlist', coalesce(watchlist_choices.sort, 'name') FROM users
                LEFT JOIN watchlist_choices ON watchlist_choices.user_id = users.id ORDER BY users.id;
            CREATE TRIGGER users_first_watchlist AFTER INSERT ON users BEGIN
                INSERT INTO watchlists (user_id, name) VALUES (new.id, 'Watchlist');
            END;

            CREATE TABLE listed_items (
                list_id INTEGER NOT NULL REFERENCES watchlists (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL CHECK (coin_id <> ''),
                symbol TEXT NOT NULL,
                name TEXT NOT NULL,
                date_added REAL NOT NULL,
                sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order >= 0),
                PRIMARY KEY (list_id, coin_id)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO listed_items SELECT watchlists.id, coin_id, symbol, watchlist_items.name, date_added, sort_order
                FROM watchlist_items JOIN watchlists USING (user_id);
            DROP TABLE watchlist_items;
            ALTER TABLE listed_items RENAME TO watchlist_items;

            CREATE TABLE removed_items (
                list_id INTEGER NOT NULL REFERENCES watchlists (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL,
                symbol TEXT NOT NULL,
                name TEXT NOT NULL,
                date_added REAL NOT NULL,
                sort_order INTEGER NOT NULL,
                removed_at REAL NOT NULL,
                PRIMARY KEY (list_id, coin_id)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO removed_items SELECT watchlists.id, coin_id, symbol, watchlist_removed.name, date_added,
                    sort_order, watchlist_removed.removed_at
                FROM watchlist_removed JOIN watchlists USING (user_id);
            DROP TABLE watchlist_removed;
            ALTER TABLE removed_items RENAME TO watchlist_removed;

            DROP TABLE watchlist_choices;
            CREATE TABLE watchlist_choices (
                user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                columns TEXT NOT NULL,
                density TEXT NOT NULL CHECK (density IN ('comfortable', 'compact')),
                red_is_up INTEGER NOT NULL CHECK (red_is_up IN (0, 1)),
                currency TEXT CHECK (length(currency) BETWEEN 2 AND 10)
            ) STRICT;

            CREATE TABLE coin_notes (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL CHECK (coin_id <> ''),
                note TEXT NOT NULL,
                category TEXT NOT NULL,
                PRIMARY KEY (user_id, coin_id)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE coin_holdings (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL CHECK (coin_id <> ''),
                amount TEXT NOT NULL CHECK (amount <> ''),
                price TEXT CHECK (price <> ''),
                currency TEXT CHECK ((currency IS NULL) = (price IS NULL)),
                bought_on TEXT CHECK (length(bought_on) = 10),
                note TEXT NOT NULL DEFAULT '',
                removed_at REAL
            ) STRICT;
            CREATE INDEX coin_holdings_by_user ON coin_holdings (user_id, coin_id);
            CREATE TABLE coin_wallets (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL CHECK (coin_id <> ''),
                address TEXT NOT NULL CHECK (address <> ''),
                label TEXT NOT NULL DEFAULT '',
                removed_at REAL
            ) STRICT;
            CREATE INDEX coin_wallets_by_user ON coin_wallets (user_id, coin_id);
            """)

    package static let watchlistPreferences = preferences(
        "watchlist", from: "watchlist_choices",
        value: """
            json_object('columns', json(iif(columns = '', '[]', '["' || replace(columns, ',', '","') || '"]')),
                'density', density, 'redIsUp', json(iif(red_is_up, 'true', 'false')), 'currency', currency)
            """,
        where: "instr(columns, '\"') = 0")
}
