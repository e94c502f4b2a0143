package import RoostSupport

extension Migration {
    /// An alert stores its side and its last message, but no price. `crossings` counts its firings and is part of a
    /// post's id. Posts are deleted once delivered.
    ///
    /// `conversation_id` references no table: if the conversation is gone, the delivery reports it.
    package static let alerts = Migration(
        "alerts: alerts and their posts",
        sql: """
            CREATE TABLE coin_alerts (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                coin_id TEXT NOT NULL CHECK (coin_id <> ''),
                symbol TEXT NOT NULL,
                name TEXT NOT NULL,
                kind TEXT NOT NULL CHECK (kind IN ('above', 'below', 'change')),
                threshold TEXT NOT NULL,
                currency TEXT NOT NULL CHECK (currency <> ''),
                conversation_id TEXT,
                side TEXT CHECK (side IN ('above', 'below', 'within')),
                is_armed INTEGER NOT NULL DEFAULT 1 CHECK (is_armed IN (0, 1)),
                created_at REAL NOT NULL,
                crossings INTEGER NOT NULL DEFAULT 0 CHECK (crossings >= 0),
                fired_at REAL,
                fired_text TEXT,
                seen_at REAL,
                delivery_error TEXT,
                removed_at REAL,
                CHECK (is_armed = 1 OR side IS NOT NULL),
                CHECK ((fired_at IS NULL) = (fired_text IS NULL))
            ) STRICT;
            CREATE INDEX coin_alerts_by_user ON coin_alerts (user_id, id);
            CREATE INDEX coin_alerts_by_currency ON coin_alerts (currency, coin_id) WHERE removed_at IS NULL;
            CREATE INDEX coin_alerts_not_seen ON coin_alerts (user_id)
                WHERE fired_at IS NOT NULL AND seen_at IS NULL AND removed_at IS NULL;
            CREATE TABLE coin_alert_posts (
                alert_id INTEGER NOT NULL REFERENCES coin_alerts (id) ON DELETE CASCADE,
                crossing INTEGER NOT NULL,
                conversation_id TEXT NOT NULL,
                text TEXT NOT NULL,
                PRIMARY KEY (alert_id, crossing)
            ) STRICT, WITHOUT ROWID;
            """)
}
