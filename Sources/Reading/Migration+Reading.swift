package import RoostSupport

extension SearchIndex {
    package static let articles = SearchIndex(
        "reading_search", of: "articles", key: "id", viewKey: "id", columns: "title, text, gist, notes, owner"
    )
}

extension Migration {
    /// A deleted article has no `user_id` until the deletion can no longer be undone. That takes it out of all lists,
    /// indexes and counts without copying its text; `owner_id` still names its user.
    ///
    /// `article_addresses` has every address of a page: as given, and after redirects. `article_merges` maps an article
    /// that was merged to the one that remains.
    package static let reading = Migration(
        "reading: articles",
        sql: """
            CREATE TABLE articles (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                user_id INTEGER CHECK (user_id = owner_id),
                deleted_in INTEGER,
                given_url TEXT NOT NULL,
                final_url TEXT,
                normalized_url TEXT NOT NULL,
                title TEXT NOT NULL,
                title_key TEXT NOT NULL,
                title_is_given INTEGER NOT NULL CHECK (title_is_given IN (0, 1)),
                category TEXT NOT NULL CHECK (length(category) BETWEEN 1 AND 60),
                state TEXT NOT NULL DEFAULT 'unread' CHECK (state IN ('unread', 'archived')),
                is_favorite INTEGER NOT NULL DEFAULT 0 CHECK (is_favorite IN (0, 1)),
                site TEXT NOT NULL,
                author TEXT,
                published_at REAL,
                language TEXT,
                kind TEXT,
                media_type TEXT,
                word_count INTEGER CHECK (word_count >= 0),
                length_key INTEGER NOT NULL DEFAULT 1000000000,
                reverse_length_key INTEGER NOT NULL DEFAULT 0,
                image_url TEXT,
                excerpt TEXT,
                created_at REAL NOT NULL,
                updated_at REAL NOT NULL,
                saved_at REAL NOT NULL,
                archived_at REAL,
                opened_at REAL,
                progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
                fetch_state TEXT NOT NULL DEFAULT 'waiting'
                    CHECK (fetch_state IN ('waiting', 'fetched', 'failed', 'link')),
                error TEXT,
                error_status INTEGER,
                fetched_at REAL,
                auto_create_gist INTEGER NOT NULL DEFAULT 0 CHECK (auto_create_gist IN (0, 1)),
                source_application TEXT,
                UNIQUE (user_id, normalized_url)
            ) STRICT;
            CREATE INDEX articles_by_time ON articles (user_id, saved_at, id);
            CREATE INDEX articles_by_state ON articles (user_id, state, saved_at, id);
            CREATE INDEX articles_by_title ON articles (user_id, title_key, id);
            CREATE INDEX articles_by_state_and_title ON articles (user_id, state, title_key, id);
            CREATE INDEX articles_by_state_and_site ON articles (user_id, state, site, id);
            CREATE INDEX articles_by_length ON articles (user_id, length_key, id);
            CREATE INDEX articles_by_state_and_length ON articles (user_id, state, length_key, id);
            CREATE INDEX articles_by_category ON articles (user_id, category, saved_at, id, state);
            CREATE INDEX articles_by_category_and_title ON articles (user_id, category, title_key, id, state);
            CREATE INDEX articles_by_site ON articles (user_id, site, saved_at, id, state);
            CREATE INDEX articles_favorite ON articles (user_id, saved_at, id) WHERE is_favorite = 1;
            CREATE INDEX articles_failed ON articles (user_id, saved_at, id) WHERE fetch_state = 'failed';
            CREATE INDEX articles_by_site_name ON articles (user_id, site, id);
            CREATE INDEX articles_by_reverse_length ON articles (user_id, reverse_length_key, id);
            CREATE INDEX articles_by_state_and_reverse_length ON articles (user_id, state, reverse_length_key, id);
            CREATE INDEX articles_by_owner ON articles (owner_id);
            CREATE INDEX articles_deleted ON articles (deleted_in) WHERE deleted_in IS NOT NULL;
            CREATE INDEX articles_without_gist ON articles (id) WHERE auto_create_gist = 1 AND fetch_state = 'fetched';
            CREATE INDEX articles_read ON articles (user_id, opened_at) WHERE opened_at IS NOT NULL;
            CREATE TABLE article_addresses (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                address TEXT NOT NULL,
                article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
                PRIMARY KEY (user_id, address)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX article_addresses_by_article ON article_addresses (article_id);
            CREATE TABLE article_merges (
                former_id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX article_merges_by_article ON article_merges (article_id);
            CREATE INDEX article_merges_by_user ON article_merges (user_id);
            CREATE TABLE article_texts (
                article_id INTEGER PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
                text TEXT NOT NULL,
                markup TEXT NOT NULL
            ) STRICT;
            CREATE TABLE article_tags (
                article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
                place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 49),
                user_id INTEGER,
                tag TEXT NOT NULL CHECK (length(tag) BETWEEN 1 AND 40),
                folded TEXT NOT NULL,
                saved_at REAL NOT NULL,
                PRIMARY KEY (article_id, place),
                UNIQUE (article_id, folded)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX article_tags_by_name ON article_tags (user_id, folded, saved_at, article_id, tag);
            CREATE TRIGGER article_tags_in_order AFTER UPDATE OF saved_at ON articles
            WHEN OLD.saved_at <> NEW.saved_at BEGIN
                UPDATE article_tags SET saved_at = NEW.saved_at WHERE article_id = NEW.id;
            END;
            CREATE TRIGGER article_tags_follow AFTER UPDATE OF user_id ON articles
            WHEN OLD.user_id IS NOT NEW.user_id BEGIN
                UPDATE article_tags SET user_id = NEW.user_id WHERE article_id = NEW.id;
            END;
            CREATE TABLE article_highlights (
                id TEXT PRIMARY KEY CHECK (length(id) = 36),
                article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                start_offset INTEGER NOT NULL CHECK (start_offset >= 0),
                end_offset INTEGER NOT NULL CHECK (end_offset >= start_offset),
                quote TEXT NOT NULL,
                before TEXT NOT NULL,
                after TEXT NOT NULL,
                note TEXT NOT NULL,
                created_at REAL NOT NULL,
                updated_at REAL NOT NULL
            ) STRICT;
            CREATE INDEX article_highlights_by_article ON article_highlights (article_id, start_offset, id);
            CREATE INDEX article_highlights_by_user ON article_highlights (user_id);
            CREATE TABLE gists (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                article_id INTEGER UNIQUE REFERENCES articles (id) ON DELETE SET NULL,
                title TEXT NOT NULL,
                source_url TEXT,
                category TEXT,
                method TEXT NOT NULL CHECK (method IN ('extractive', 'model', 'own')),
                note TEXT,
                is_edited INTEGER NOT NULL DEFAULT 0 CHECK (is_edited IN (0, 1)),
                created_at REAL NOT NULL,
                updated_at REAL NOT NULL,
                share_hash BLOB UNIQUE CHECK (length(share_hash) = 32),
                share_sealed BLOB,
                content TEXT NOT NULL,
                model_length TEXT,
                model_text TEXT,
                CHECK ((share_hash IS NULL) = (share_sealed IS NULL))
            ) STRICT;
            CREATE INDEX gists_for_model ON gists (id) WHERE model_length IS NOT NULL;
            CREATE INDEX gists_by_time ON gists (user_id, created_at, id);
            CREATE TABLE shared_items (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                shared_with INTEGER REFERENCES users (id) ON DELETE CASCADE,
                url TEXT NOT NULL,
                title TEXT,
                source_application TEXT,
                created_at REAL NOT NULL,
                processed INTEGER NOT NULL DEFAULT 0 CHECK (processed IN (0, 1)),
                withdrawn_at REAL,
                error TEXT,
                attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                next_try_at REAL NOT NULL DEFAULT 0,
                is_import INTEGER NOT NULL DEFAULT 0 CHECK (is_import IN (0, 1)),
                article_id INTEGER REFERENCES articles (id) ON DELETE SET NULL,
                gist_id INTEGER REFERENCES gists (id) ON DELETE CASCADE,
                host TEXT NOT NULL DEFAULT '',
                html BLOB
            ) STRICT;
            CREATE INDEX shared_items_by_user ON shared_items (user_id, created_at, id);
            CREATE INDEX shared_items_with_user ON shared_items (shared_with, created_at, id)
                WHERE shared_with IS NOT NULL;
            CREATE INDEX shared_items_queue ON shared_items (is_import, next_try_at, id, host)
                WHERE processed = 0 AND shared_with IS NULL;
            CREATE INDEX shared_items_by_article ON shared_items (article_id) WHERE article_id IS NOT NULL;
            CREATE INDEX shared_items_by_gist ON shared_items (gist_id) WHERE gist_id IS NOT NULL;
            CREATE TABLE reading_choices (
                user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                preferences TEXT NOT NULL
            ) STRICT;
            CREATE TABLE reading_undos (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                made_at REAL NOT NULL
            ) STRICT;
            CREATE INDEX reading_undos_by_user ON reading_undos (user_id, made_at);
            CREATE INDEX reading_undos_by_time ON reading_undos (made_at);
            CREATE TABLE reading_undo_steps (
                id INTEGER PRIMARY KEY,
                undo INTEGER NOT NULL REFERENCES reading_undos (id) ON DELETE CASCADE,
                step TEXT NOT NULL
            ) STRICT;
            CREATE INDEX reading_undo_steps_by_undo ON reading_undo_steps (undo);
            """)

    /// The number of articles per list, category, site and tag, so that pages need not count them.
    package static let readingCounts = Migration(
        "reading: counts",
        sql: """
            CREATE TABLE reading_counts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                kind TEXT NOT NULL CHECK (kind IN ('state', 'favorite', 'failed', 'category', 'site', 'tag')),
                name TEXT NOT NULL,
                count INTEGER NOT NULL CHECK (count >= 0),
                PRIMARY KEY (user_id, kind, name)
            ) STRICT, WITHOUT ROWID;
            CREATE TRIGGER reading_counts_added AFTER INSERT ON articles BEGIN
                \(added("NEW"))
            END;
            CREATE TRIGGER reading_counts_removed AFTER DELETE ON articles
            WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id) BEGIN
                \(removed("OLD"))
            END;
            CREATE TRIGGER reading_counts_changed
            AFTER UPDATE OF user_id, state, is_favorite, fetch_state, category, site ON articles BEGIN
                \(removed("OLD"))
                \(added("NEW"))
            END;
            CREATE TRIGGER reading_counts_tagged AFTER INSERT ON article_tags BEGIN
                \(count("NEW.user_id", "'tag'", "NEW.folded"))
            END;
            CREATE TRIGGER reading_counts_tags_moved AFTER UPDATE OF user_id ON article_tags BEGIN
                \(discount("OLD.user_id", "'tag'", "OLD.folded"))
                \(count("NEW.user_id", "'tag'", "NEW.folded"))
            END;
            CREATE TRIGGER reading_counts_untagged AFTER DELETE ON article_tags
            WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id) BEGIN
                \(discount("OLD.user_id", "'tag'", "OLD.folded"))
            END;
            """)

    private static func groups(_ row: String) -> [(kind: String, name: String, condition: String)] {
        [
            ("'state'", "\(row).state", "1"), ("'favorite'", "''", "\(row).is_favorite = 1"),
            ("'failed'", "''", "\(row).fetch_state = 'failed'"), ("'category'", "\(row).category", "1"),
            ("'site'", "\(row).site", "1"),
        ]
    }

    private static func added(_ row: String) -> String {
        groups(row).map { count("\(row).user_id", $0.kind, $0.name, when: $0.condition) }
            .joined(separator: "\n")
    }

    private static func removed(_ row: String) -> String {
        groups(row).map { discount("\(row).user_id", $0.kind, $0.name, when: $0.condition) }
            .joined(separator: "\n")
    }

    private static func count(_ user: String, _ kind: String, _ name: String, when: String = "1") -> String {
        """
        INSERT INTO reading_counts (user_id, kind, name, count) SELECT \(user), \(kind), \(name), 1
        WHERE \(user) IS NOT NULL AND \(when)
        ON CONFLICT DO UPDATE SET count = count + 1;
        """
    }

    private static func discount(
        _ user: String, _ kind: String, _ name: String, when: String = "1"
    ) -> String {
        """
        UPDATE reading_counts SET count = count - 1
        WHERE user_id = \(user) AND kind = \(kind) AND name = \(name) AND \(when);
        DELETE FROM reading_counts WHERE user_id = \(user) AND kind = \(kind) AND name = \(name) AND count = 0;
        """
    }

    /// The full-text index, with a token for each article's owner. Its content comes from a view, so that the triggers
    /// delete exactly what they inserted before. Rows must never be replaced by a conflict clause, which would fire the
    /// triggers in another order.
    ///
    /// An article in `reading_search_held` stays out of the index until its row is deleted: a long text with a thousand
    /// notes is then indexed once per transaction, not after each note.
    package static let readingSearch = Migration(
        "reading: search",
        sql: """
            CREATE TABLE reading_search_held (article_id INTEGER PRIMARY KEY) STRICT;
            CREATE VIEW reading_search_rows AS
            SELECT article.id AS id, article.title AS title, coalesce(body.text, '') AS text,
                coalesce((SELECT title || char(10) || content FROM gists WHERE article_id = article.id), '') AS gist,
                coalesce((SELECT group_concat(note, char(10)) FROM (
                    SELECT note FROM article_highlights WHERE article_id = article.id AND note <> '' ORDER BY id
                )), '') AS notes,
                'u' || article.owner_id AS owner
            FROM articles AS article LEFT JOIN article_texts AS body ON body.article_id = article.id
            WHERE NOT EXISTS (SELECT 1 FROM reading_search_held WHERE article_id = article.id);
            CREATE VIRTUAL TABLE reading_search USING fts5(
                title, text, gist, notes, owner, content='reading_search_rows', content_rowid='id', columnsize=0,
                prefix='2 3', tokenize='unicode61 remove_diacritics 2'
            );
            CREATE TRIGGER reading_search_added AFTER INSERT ON articles BEGIN
                \(index("NEW.id"))
            END;
            CREATE TRIGGER reading_search_changing BEFORE UPDATE OF title ON articles BEGIN
                \(unindex("OLD.id"))
            END;
            CREATE TRIGGER reading_search_changed AFTER UPDATE OF title ON articles BEGIN
                \(index("NEW.id"))
            END;
            CREATE TRIGGER reading_search_removing BEFORE DELETE ON articles BEGIN
                \(unindex("OLD.id"))
            END;
            CREATE TRIGGER reading_search_holding BEFORE INSERT ON reading_search_held BEGIN
                \(unindex("NEW.article_id"))
            END;
            CREATE TRIGGER reading_search_released AFTER DELETE ON reading_search_held BEGIN
                \(index("OLD.article_id"))
            END;
            \(indexed("article_texts", columns: "text, article_id"))
            \(indexed("gists", columns: "title, content, article_id"))
            \(indexed("article_highlights", columns: "note, article_id"))
            """)

    /// The same for all scripts.
    package static let readingSearchInAllScripts = searchIndex(
        .articles,
        rows: """
            SELECT article.id AS id, article.title AS title, coalesce(body.text, '') AS text,
                coalesce((SELECT title || char(10) || content FROM gists WHERE article_id = article.id), '') AS gist,
                coalesce((SELECT group_concat(note, char(10)) FROM (
                    SELECT note FROM article_highlights WHERE article_id = article.id AND note <> '' ORDER BY id
                )), '') AS notes,
                'u' || article.owner_id AS owner
            FROM articles AS article LEFT JOIN article_texts AS body ON body.article_id = article.id
            WHERE NOT EXISTS (SELECT 1 FROM reading_search_held WHERE article_id = article.id)
                AND article.id > \(SearchIndex.remaining(in: "reading_search"))
            """)

    private static let columns = "rowid, title, text, gist, notes, owner"

    private static func index(_ id: String) -> String {
        """
        INSERT INTO reading_search (\(columns))
        SELECT id, title, text, gist, notes, owner FROM reading_search_rows WHERE id = \(id);
        """
    }

    private static func unindex(_ id: String) -> String {
        """
        INSERT INTO reading_search (reading_search, \(columns))
        SELECT 'delete', id, title, text, gist, notes, owner FROM reading_search_rows WHERE id = \(id);
        """
    }

    private static func indexed(_ table: String, columns: String) -> String {
        """
        CREATE TRIGGER reading_search_adding_\(table) BEFORE INSERT ON \(table) BEGIN
            \(unindex("NEW.article_id"))
        END;
        CREATE TRIGGER reading_search_added_\(table) AFTER INSERT ON \(table) BEGIN
            \(index("NEW.article_id"))
        END;
        CREATE TRIGGER reading_search_changing_\(table) BEFORE UPDATE OF \(columns) ON \(table) BEGIN
            \(unindex("OLD.article_id"))
            \(unindex("nullif(NEW.article_id, OLD.article_id)"))
        END;
        CREATE TRIGGER reading_search_changed_\(table) AFTER UPDATE OF \(columns) ON \(table) BEGIN
            \(index("OLD.article_id"))
            \(index("nullif(NEW.article_id, OLD.article_id)"))
        END;
        CREATE TRIGGER reading_search_removing_\(table) BEFORE DELETE ON \(table) BEGIN
            \(unindex("OLD.article_id"))
        END;
        CREATE TRIGGER reading_search_removed_\(table) AFTER DELETE ON \(table) BEGIN
            \(index("OLD.article_id"))
        END;
        """
    }

    package static let readingPreferences = preferences(
        "reading", from: "reading_choices", value: "preferences", where: "json_valid(preferences)")
}
