package import RoostSupport

extension Migration {
    /// Stores an import's changes to existing articles, for undoing them.
    package static let readingMerges = Migration(
        "reading: merged imports",
        sql: """
            ALTER TABLE reading_imports ADD COLUMN merged INTEGER NOT NULL DEFAULT 0 CHECK (merged >= 0);
            ALTER TABLE reading_import_rows ADD COLUMN merge TEXT;
            CREATE INDEX reading_import_rows_merged ON reading_import_rows (import_id, number)
                WHERE merge IS NOT NULL;
            CREATE INDEX reading_import_rows_by_article ON reading_import_rows (article_id)
                WHERE article_id IS NOT NULL;
            """)

    /// Stores an import's rows as soon as the file is accepted, so that a crash neither loses nor repeats one. Large
    /// columns go last: SQLite walks their overflow pages to reach any later column.
    package static let readingFiles = Migration(
        "reading: imports and feeds",
        sql: """
            CREATE TABLE reading_imports (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                file_name TEXT NOT NULL,
                format TEXT NOT NULL CHECK (
                    format IN ('roost', 'pocket', 'instapaper', 'omnivore', 'wallabag', 'netscape', 'other')
                ),
                fetches INTEGER NOT NULL CHECK (fetches IN (0, 1)),
                state TEXT NOT NULL DEFAULT 'running'
                    CHECK (state IN ('running', 'done', 'cancelled', 'undoing', 'undone')),
                total INTEGER NOT NULL CHECK (total >= 0),
                added INTEGER NOT NULL DEFAULT 0 CHECK (added >= 0),
                known INTEGER NOT NULL DEFAULT 0 CHECK (known >= 0),
                failed INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
                removed INTEGER NOT NULL DEFAULT 0 CHECK (removed >= 0),
                started_at REAL NOT NULL,
                ended_at REAL,
                CHECK (added + known + failed <= total)
            ) STRICT;
            CREATE INDEX reading_imports_by_user ON reading_imports (user_id, id);
            CREATE INDEX reading_imports_open ON reading_imports (id) WHERE state IN ('running', 'undoing');
            CREATE TABLE reading_import_rows (
                import_id INTEGER NOT NULL REFERENCES reading_imports (id) ON DELETE CASCADE,
                number INTEGER NOT NULL CHECK (number > 0),
                line INTEGER NOT NULL CHECK (line > 0),
                part TEXT NOT NULL,
                url TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('waiting', 'added', 'known', 'failed', 'removed', 'kept')),
                why TEXT,
                article_id INTEGER,
                gist_id INTEGER,
                entry TEXT,
                PRIMARY KEY (import_id, number)
            ) STRICT;
            CREATE INDEX reading_import_rows_by_state ON reading_import_rows (import_id, state, number);
            CREATE INDEX reading_import_rows_to_report ON reading_import_rows (import_id, number)
                WHERE why IS NOT NULL;
            CREATE TABLE reading_feeds (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                list TEXT NOT NULL,
                category TEXT NOT NULL,
                tag TEXT NOT NULL,
                site TEXT NOT NULL,
                words TEXT NOT NULL,
                token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
                token_sealed BLOB NOT NULL,
                created_at REAL NOT NULL,
                UNIQUE (user_id, list, category, tag, site, words)
            ) STRICT;
            """)
}
