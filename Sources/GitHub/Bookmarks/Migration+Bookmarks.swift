import GRDB
package import RoostSupport

extension Migration {
    /// Users' bookmarked repositories.
    ///
    /// `repository_id` is set once GitHub has confirmed it. A repository that is gone frees its name, hence the partial
    /// unique index. `item` and `seen` are JSON: the latest known data, and the data when the user last looked.
    /// `fetched_at` is the item's; it has a column because it changes most often.
    package static let bookmarks = Migration(
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

    /// Bookmarks refer to their repositories instead of keeping a copy.
    ///
    /// `repository_id` is set once GitHub has confirmed it; `repository` is the row that this user may see. The `seen`
    /// columns have the state when the user last looked. Triggers compare them and set `is_changed` in the same commit.
    /// `search_text` has the folded name, tags and note; `key` is a tag in lower case.
    package static let bookmarkColumns = Migration("bookmarks: columns") { database in
        database.add(function: foldText)
        database.add(function: tagKey)
        try database.execute(sql: bookmarkTables)
        try database.execute(sql: bookmarkItems)
        try database.execute(sql: bookmarkRows)
        try database.execute(sql: bookmarkTriggers)
        // Fires the triggers for all rows.
        try database.execute(sql: "UPDATE bookmarks SET state = state")
        database.remove(function: foldText)
        database.remove(function: tagKey)
    }

    /// Counts of each user's bookmarks and tags, because SQLite would count ten thousand rows for each page.
    ///
    /// The key is a tag's, or empty for all bookmarks.
    package static let bookmarkCounts = Migration(
        "bookmarks: counts",
        sql: """
            CREATE TABLE bookmark_counts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                key TEXT NOT NULL,
                count INTEGER NOT NULL CHECK (count > 0),
                PRIMARY KEY (user_id, key)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO bookmark_counts (user_id, key, count)
            SELECT user_id, '', count(*) FROM bookmarks GROUP BY user_id;
            INSERT INTO bookmark_counts (user_id, key, count)
            SELECT user_id, key, count(*) FROM bookmark_tags GROUP BY user_id, key;
            CREATE TRIGGER bookmarks_count AFTER INSERT ON bookmarks BEGIN
                INSERT INTO bookmark_counts (user_id, key, count) VALUES (new.user_id, '', 1)
                ON CONFLICT DO UPDATE SET count = count + 1;
            END;
            CREATE TRIGGER bookmarks_discount AFTER DELETE ON bookmarks BEGIN
                DELETE FROM bookmark_counts WHERE user_id = old.user_id AND key = '' AND count = 1;
                UPDATE bookmark_counts SET count = count - 1 WHERE user_id = old.user_id AND key = '';
            END;
            CREATE TRIGGER bookmark_tags_count AFTER INSERT ON bookmark_tags BEGIN
                INSERT INTO bookmark_counts (user_id, key, count) VALUES (new.user_id, new.key, 1)
                ON CONFLICT DO UPDATE SET count = count + 1;
            END;
            CREATE TRIGGER bookmark_tags_discount AFTER DELETE ON bookmark_tags BEGIN
                DELETE FROM bookmark_counts WHERE user_id = old.user_id AND key = old.key AND count = 1;
                UPDATE bookmark_counts SET count = count - 1 WHERE user_id = old.user_id AND key = old.key;
            END;
            """)

    /// Changes that can be undone for an hour. Steps are JSON that no query looks into.
    package static let bookmarkUndos = Migration(
        "bookmarks: undo",
        sql: """
            CREATE TABLE bookmark_undos (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                made_at REAL NOT NULL,
                size INTEGER NOT NULL CHECK (size > 0)
            ) STRICT;
            CREATE INDEX bookmark_undos_by_user ON bookmark_undos (user_id);
            CREATE INDEX bookmark_undos_by_time ON bookmark_undos (made_at);
            CREATE TABLE bookmark_undo_steps (
                id INTEGER PRIMARY KEY,
                undo INTEGER NOT NULL REFERENCES bookmark_undos (id) ON DELETE CASCADE,
                step TEXT NOT NULL
            ) STRICT;
            CREATE INDEX bookmark_undo_steps_by_undo ON bookmark_undo_steps (undo);
            """)

    /// The progress of each user's import of stars, so that it continues after a restart.
    package static let bookmarkStarImports = Migration(
        "bookmarks: import of stars",
        sql: """
            CREATE TABLE bookmark_star_imports (
                user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
                next_page TEXT,
                read INTEGER NOT NULL CHECK (read >= 0),
                added INTEGER NOT NULL CHECK (added >= 0),
                failure TEXT CHECK ((failure IS NOT NULL) = (state = 'failed')),
                ended_at REAL CHECK ((ended_at IS NOT NULL) = (state = 'done')),
                undo INTEGER REFERENCES bookmark_undos (id) ON DELETE SET NULL
            ) STRICT;
            CREATE INDEX bookmark_star_imports_running ON bookmark_star_imports (user_id) WHERE state = 'running';
            CREATE INDEX bookmark_star_imports_by_undo ON bookmark_star_imports (undo);
            """)

    /// Sorts due times by user. With the former index, a search for one user's due bookmark read those of all users.
    package static let bookmarkDueTimes = Migration(
        "bookmarks: due times by user",
        sql: """
            DROP INDEX bookmarks_by_due_time;
            CREATE INDEX bookmarks_by_user_and_due_time ON bookmarks (user_id, due_at);
            """)

    /// Stars that could not be bookmarked: their number, and the first few with reasons, as JSON that no query looks
    /// into.
    package static let bookmarkStarRefusals = Migration(
        "bookmarks: refused stars",
        sql: """
            ALTER TABLE bookmark_star_imports ADD COLUMN refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0);
            ALTER TABLE bookmark_star_imports ADD COLUMN refusals TEXT;
            """)

    /// Moves changes that can be undone to `undos`, with their ids.
    package static let bookmarkUndosMoved = Migration(
        "bookmarks: undos of all features",
        sql: """
            INSERT INTO undos (id, user_id, feature, made_at, size, is_open)
            SELECT id, user_id, 'bookmarks', made_at, size, EXISTS (
                SELECT 1 FROM bookmark_star_imports WHERE undo = bookmark_undos.id AND state = 'running')
            FROM bookmark_undos;
            INSERT INTO undo_steps (undo, step)
            SELECT undo, step FROM bookmark_undo_steps JOIN bookmark_undos ON bookmark_undos.id = undo
            ORDER BY bookmark_undo_steps.id;
            UPDATE sqlite_sequence SET seq = max(seq, (
                SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'bookmark_undos'))
            WHERE name = 'undos';
            CREATE TABLE star_imports (
                user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
                next_page TEXT,
                read INTEGER NOT NULL CHECK (read >= 0),
                added INTEGER NOT NULL CHECK (added >= 0),
                failure TEXT CHECK ((failure IS NOT NULL) = (state = 'failed')),
                ended_at REAL CHECK ((ended_at IS NOT NULL) = (state = 'done')),
                undo INTEGER REFERENCES undos (id) ON DELETE SET NULL,
                refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0),
                refusals TEXT
            ) STRICT;
            INSERT INTO star_imports
            SELECT user_id, state, next_page, read, added, failure, ended_at, undo, refused, refusals
            FROM bookmark_star_imports;
            DROP TABLE bookmark_star_imports;
            ALTER TABLE star_imports RENAME TO bookmark_star_imports;
            CREATE INDEX bookmark_star_imports_running ON bookmark_star_imports (user_id) WHERE state = 'running';
            CREATE INDEX bookmark_star_imports_by_undo ON bookmark_star_imports (undo);
            DROP TABLE bookmark_undo_steps;
            DROP TABLE bookmark_undos;
            """)

    private static let tagKey = DatabaseFunction("tag_key", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0])?.lowercased()
    }

    private static let bookmarkTables = """
        ALTER TABLE bookmarks RENAME TO former_bookmarks;
        ALTER TABLE bookmark_tags RENAME TO former_bookmark_tags;
        DROP INDEX bookmarks_by_name;
        DROP INDEX bookmarks_by_any_name;
        DROP INDEX bookmarks_by_due_time;
        CREATE TABLE bookmarks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            repository_id INTEGER CHECK (repository_id > 0),
            repository INTEGER REFERENCES repositories (place),
            full_name TEXT NOT NULL COLLATE NOCASE CHECK (length(full_name) BETWEEN 3 AND 201),
            state TEXT NOT NULL CHECK (state IN ('unresolved', 'present', 'gone')),
            is_changed INTEGER NOT NULL DEFAULT 0 CHECK (is_changed IN (0, 1)),
            seen_name TEXT NOT NULL,
            seen_state TEXT NOT NULL CHECK (seen_state IN ('unresolved', 'present', 'gone')),
            seen_stars INTEGER CHECK (seen_stars >= 0),
            seen_archived INTEGER CHECK (seen_archived IN (0, 1)),
            seen_private INTEGER CHECK (seen_private IN (0, 1)),
            note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
            search_text TEXT NOT NULL,
            added_at REAL NOT NULL,
            checked_at REAL,
            due_at REAL NOT NULL,
            UNIQUE (user_id, repository_id)
        ) STRICT;
        CREATE UNIQUE INDEX bookmarks_by_name ON bookmarks (user_id, full_name) WHERE state <> 'gone';
        CREATE INDEX bookmarks_by_any_name ON bookmarks (user_id, full_name);
        CREATE INDEX bookmarks_by_time ON bookmarks (user_id, added_at DESC, id, repository);
        CREATE INDEX bookmarks_changed ON bookmarks (user_id, added_at DESC, id) WHERE is_changed = 1;
        CREATE INDEX bookmarks_by_due_time ON bookmarks (due_at, user_id);
        CREATE INDEX bookmarks_by_repository ON bookmarks (repository) WHERE repository IS NOT NULL;
        CREATE INDEX bookmarks_by_repository_id ON bookmarks (repository_id) WHERE repository_id IS NOT NULL;
        CREATE INDEX bookmarks_unconfirmed ON bookmarks (full_name) WHERE repository_id IS NULL;
        CREATE TABLE bookmark_tags (
            bookmark_id INTEGER NOT NULL REFERENCES bookmarks (id) ON DELETE CASCADE,
            place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 19),
            user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
            key TEXT NOT NULL,
            PRIMARY KEY (bookmark_id, place),
            UNIQUE (bookmark_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bookmark_tags_by_key ON bookmark_tags (user_id, key, bookmark_id, name);
        """

    /// The latest copy of each repository becomes its row, unless GitHub has returned newer data. Each bookmark keeps
    /// its own data from a file.
    private static let bookmarkItems = """
        INSERT OR IGNORE INTO repositories (viewer, status, fetched_at, used_at, \(itemColumns))
        SELECT iif(json_extract(item, '$.repository.isPrivate'), user_id, NULL), 'retained', fetched_at,
            coalesce(fetched_at, 0), \(itemValues)
        FROM former_bookmarks
        WHERE repository_id = iif(json_valid(item), json_extract(item, '$.repository.id'), NULL)
        ORDER BY coalesce(fetched_at, 0) DESC;
        INSERT OR IGNORE INTO repositories (viewer, status, fetched_at, used_at, \(itemColumns))
        SELECT user_id, 'claimed', fetched_at, coalesce(fetched_at, 0), \(itemValues)
        FROM former_bookmarks WHERE repository_id IS NULL AND json_valid(item);
        """

    private static let bookmarkRows = """
        INSERT OR IGNORE INTO bookmarks (id, user_id, repository_id, repository, full_name, state, seen_name, seen_state,
            seen_stars, seen_archived, seen_private, note, search_text, added_at, checked_at, due_at)
        SELECT id, user_id, repository_id,
            iif(repository_id IS NULL,
                (SELECT place FROM repositories AS claimed WHERE claimed.status = 'claimed'
                    AND claimed.viewer = former.user_id AND claimed.full_name = former.full_name LIMIT 1),
                (SELECT place FROM repositories AS known WHERE known.status <> 'claimed'
                    AND known.id = former.repository_id
                    AND coalesce(known.viewer, 0) = iif(json_valid(former.item)
                        AND json_extract(former.item, '$.repository.isPrivate'), former.user_id, 0))),
            full_name, state, coalesce(json_extract(seen, '$.fullName'), full_name),
            coalesce(json_extract(seen, '$.state'), state), CAST(json_extract(seen, '$.stars') AS INTEGER),
            CAST(json_extract(seen, '$.archived') AS INTEGER), CAST(json_extract(seen, '$.isPrivate') AS INTEGER),
            note,
            fold(full_name || char(10) || coalesce((SELECT group_concat(name, char(10)) FROM
                (SELECT name FROM former_bookmark_tags WHERE bookmark_id = former.id ORDER BY place)) || char(10), '')
                || note),
            added_at, checked_at, due_at
        FROM former_bookmarks AS former WHERE json_valid(seen);
        INSERT OR IGNORE INTO bookmark_tags (bookmark_id, place, user_id, name, key)
        SELECT bookmark_id, place, user_id, name, tag_key(name)
        FROM former_bookmark_tags JOIN bookmarks ON bookmarks.id = bookmark_id;
        DROP TABLE former_bookmark_tags;
        DROP TABLE former_bookmarks;
        """

    private static let bookmarkTriggers = """
        CREATE TRIGGER bookmarks_compare_new AFTER INSERT ON bookmarks BEGIN
            \(comparison);
        END;
        CREATE TRIGGER bookmarks_compare AFTER UPDATE OF repository, full_name, state, seen_name, seen_state,
            seen_stars, seen_archived, seen_private ON bookmarks
        BEGIN
            \(comparison);
        END;
        CREATE TRIGGER bookmarks_follow AFTER UPDATE OF stars, is_archived, is_private ON repositories BEGIN
            UPDATE bookmarks SET seen_stars = coalesce(seen_stars, new.stars),
                seen_archived = coalesce(seen_archived, new.is_archived),
                seen_private = coalesce(seen_private, new.is_private)
            WHERE repository = new.place;
        END;
        CREATE TRIGGER bookmarks_release AFTER UPDATE OF repository ON bookmarks
        WHEN old.repository IS NOT new.repository BEGIN
            \(release);
        END;
        CREATE TRIGGER bookmarks_remove AFTER DELETE ON bookmarks BEGIN
            \(release);
        END;
        """

    /// Compares with the state that the user last saw. Values that were unknown then don't count.
    private static let comparison = """
        UPDATE bookmarks SET is_changed = (state = 'gone' AND seen_state <> 'gone')
            OR (state = 'present' AND seen_state = 'gone') OR full_name <> seen_name
            OR EXISTS (SELECT 1 FROM repositories WHERE place = bookmarks.repository
                AND (seen_private < is_private OR seen_archived <> is_archived OR seen_stars <> stars))
        WHERE id = new.id
        """

    /// Removes rows that no bookmark refers to and that GitHub does not show.
    private static let release = """
        DELETE FROM repositories WHERE place = old.repository AND status <> 'current'
            AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE repository = old.repository)
        """
}
