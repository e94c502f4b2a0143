extension Migration {
    /// What is known of repositories, and how users like lists of them shown.
    ///
    /// `viewer` is null where everybody may know it; otherwise it is private, and this user's account sees it.
    static let repositories = Migration(
        "repositories: details, READMEs and choices",
        sql: """
            CREATE TABLE repository_details (
                place INTEGER PRIMARY KEY,
                id INTEGER NOT NULL CHECK (id > 0),
                viewer INTEGER REFERENCES users (id) ON DELETE CASCADE,
                full_name TEXT NOT NULL COLLATE NOCASE CHECK (length(full_name) BETWEEN 3 AND 201),
                item TEXT NOT NULL,
                etag TEXT,
                fetched_at REAL NOT NULL,
                used_at REAL NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX repository_details_by_id ON repository_details (id, coalesce(viewer, 0));
            CREATE INDEX repository_details_by_name ON repository_details (full_name);
            CREATE INDEX repository_details_by_viewer ON repository_details (viewer) WHERE viewer IS NOT NULL;
            CREATE INDEX repository_details_by_use ON repository_details (used_at);
            CREATE TABLE repository_readmes (
                place INTEGER PRIMARY KEY,
                id INTEGER NOT NULL CHECK (id > 0),
                viewer INTEGER REFERENCES users (id) ON DELETE CASCADE,
                readme TEXT,
                etag TEXT,
                fetched_at REAL NOT NULL,
                used_at REAL NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX repository_readmes_by_id ON repository_readmes (id, coalesce(viewer, 0));
            CREATE INDEX repository_readmes_by_viewer ON repository_readmes (viewer) WHERE viewer IS NOT NULL;
            CREATE INDEX repository_readmes_by_use ON repository_readmes (used_at);
            CREATE TABLE repository_choices (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                list TEXT NOT NULL CHECK (list IN ('browse', 'bookmarks')),
                choices TEXT NOT NULL,
                PRIMARY KEY (user_id, list)
            ) STRICT, WITHOUT ROWID;
            """)
}
