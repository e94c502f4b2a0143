extension Migration {
    /// Deliveries refer to what an event is about by `subject`, such as a message's number in the log. Their body is
    /// made at the first attempt and repeated by the others.
    ///
    /// `webhook_subjects` has what a user was last notified of, for events about a state, such as a pull request that
    /// waits. An empty subject means that the list is complete.
    package static let outgoingWebhooks = Migration(
        "webhooks: outgoing",
        sql: """
            CREATE TABLE outgoing_webhooks (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
                is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
                created_at REAL NOT NULL
            ) STRICT;
            CREATE INDEX outgoing_webhooks_by_user ON outgoing_webhooks (user_id);
            CREATE TABLE outgoing_webhook_events (
                event TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 64),
                webhook_id INTEGER NOT NULL REFERENCES outgoing_webhooks (id) ON DELETE CASCADE,
                PRIMARY KEY (event, webhook_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX outgoing_webhook_events_by_webhook ON outgoing_webhook_events (webhook_id);
            CREATE TABLE webhook_deliveries (
                id INTEGER PRIMARY KEY,
                webhook_id INTEGER NOT NULL REFERENCES outgoing_webhooks (id) ON DELETE CASCADE,
                delivery_id TEXT NOT NULL UNIQUE CHECK (length(delivery_id) = 36),
                event TEXT NOT NULL,
                subject TEXT NOT NULL,
                created_at REAL NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                next_at REAL,
                last_at REAL,
                milliseconds INTEGER CHECK (milliseconds >= 0),
                status INTEGER,
                error TEXT,
                answer TEXT,
                body BLOB
            ) STRICT;
            CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id);
            CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE next_at IS NOT NULL;
            CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (subject, event);
            CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
            CREATE TABLE webhook_subjects (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                event TEXT NOT NULL,
                subject TEXT NOT NULL,
                PRIMARY KEY (user_id, event, subject)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE webhook_origins (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                origin TEXT NOT NULL UNIQUE CHECK (length(origin) BETWEEN 8 AND 300),
                created_at REAL NOT NULL
            ) STRICT;
            """)
}
