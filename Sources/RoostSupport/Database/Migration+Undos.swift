extension Migration {
    /// Changes that can be undone, of all features. Their steps are JSON that only rare queries look into. `subject`
    /// says what was changed if the undo names that instead of the id.
    ///
    /// The row in `sqlite_sequence` lets features move their former undos without reusing ids.
    package static let undos = Migration(
        "undos",
        sql: """
            CREATE TABLE undos (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                feature TEXT NOT NULL,
                subject TEXT,
                made_at REAL NOT NULL,
                size INTEGER NOT NULL DEFAULT 0 CHECK (size >= 0),
                is_open INTEGER NOT NULL DEFAULT 0 CHECK (is_open IN (0, 1)),
                UNIQUE (user_id, feature, subject)
            ) STRICT;
            CREATE INDEX undos_by_time ON undos (made_at);
            CREATE TABLE undo_steps (
                id INTEGER PRIMARY KEY,
                undo INTEGER NOT NULL REFERENCES undos (id) ON DELETE CASCADE,
                step TEXT NOT NULL
            ) STRICT;
            CREATE INDEX undo_steps_by_undo ON undo_steps (undo);
            INSERT INTO sqlite_sequence (name, seq) VALUES ('undos', 0);
            """)
}
