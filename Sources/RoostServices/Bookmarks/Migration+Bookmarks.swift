extension Migration {
    /// Users' bookmarked repositories.
    ///
    /// `repository_id` is set once GitHub has confirmed it. A repository that is gone leaves its name to a
    /// new one, hence the index over a part. `item` and `seen` are JSON: what was known last, and when the
    /// user last looked; `fetched_at` is the item's, apart from it because it changes most often.
    static let bookmarks = Migration(
        "bookmarks: repositories, tags and notes",
        sql: """
            CREATE TABLE bookmarks (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                repository_id INTEGER CHECK (repository_id > 0),
                full_name TEXT NOT NULL COLLATE NOCASE CHECK (length(full_name) BETWEEN 3 AND 201),
                item TEXT CHECK (item IS NOT NULL OR repository_id IS NULL),
                fetched_at REAL,
                seen TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('unresolved', 'present', 'gone')),
                is_changed INTEGER NOT NULL CHECK (is_changed IN (0, 1)),
                note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
                added_at REAL NOT NULL,
                checked_at REAL,
                due_at REAL NOT NULL,
                UNIQUE (user_id, repository_id)
            ) STRICT;
            CREATE UNIQUE INDEX bookmarks_by_name ON bookmarks (user_id, full_name) WHERE state <> 'gone';
            CREATE INDEX bookmarks_by_any_name ON bookmarks (user_id, full_name);
            CREATE INDEX bookmarks_by_due_time ON bookmarks (due_at, user_id);
            CREATE TABLE bookmark_tags (
                bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
                place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 19),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 40),
                PRIMARY KEY (bookmark_id, place),
                UNIQUE (bookmark_id, name)
            ) STRICT, WITHOUT ROWID;
            """)
}
