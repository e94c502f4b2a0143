import GRDB
package import RoostSupport
import TextFormats

extension Migration {
    /// Repository details, READMEs and list settings.
    ///
    /// `viewer` is null for public rows. Otherwise the repository is private, and this user's account can see it.
    package static let repositories = Migration(
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

    /// Stores repositories in columns instead of JSON, so that SQLite can sort, group and filter them.
    ///
    /// `status` says who sees a row: everyone with access (`current`), only bookmarks that refer to it (`retained`:
    /// GitHub no longer shows it, or only a list has named it), or the one bookmark of an imported file (`claimed`).
    /// The detail's required columns are all set or all null. `search_text` is folded here, because SQLite folds only
    /// ASCII. `topics` has one topic per line.
    package static let repositoryColumns = Migration("repositories: columns") { database in
        database.add(function: foldText)
        try database.execute(
            sql: """
                CREATE TABLE repositories (
                    place INTEGER PRIMARY KEY,
                    id INTEGER NOT NULL CHECK (id > 0),
                    viewer INTEGER REFERENCES users (id) ON DELETE CASCADE,
                    status TEXT NOT NULL CHECK (status IN ('current', 'retained', 'claimed')),
                    node_id TEXT NOT NULL,
                    full_name TEXT NOT NULL COLLATE NOCASE CHECK (length(full_name) BETWEEN 3 AND 201),
                    owner TEXT NOT NULL,
                    owner_type TEXT NOT NULL CHECK (owner_type IN ('User', 'Organization')),
                    avatar_url TEXT,
                    description TEXT,
                    is_fork INTEGER NOT NULL CHECK (is_fork IN (0, 1)),
                    html_url TEXT NOT NULL,
                    is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
                    stars INTEGER CHECK (stars >= 0),
                    forks INTEGER CHECK (forks >= 0),
                    open_issues INTEGER CHECK (open_issues >= 0),
                    language TEXT,
                    licence TEXT,
                    topics TEXT,
                    is_archived INTEGER CHECK (is_archived IN (0, 1)),
                    default_branch TEXT,
                    pushed_at REAL,
                    created_at REAL,
                    homepage TEXT,
                    parent TEXT,
                    search_text TEXT NOT NULL,
                    etag TEXT,
                    fetched_at REAL,
                    used_at REAL NOT NULL,
                    CHECK (is_private = 0 OR viewer IS NOT NULL),
                    CHECK (status <> 'claimed' OR viewer IS NOT NULL),
                    CHECK (stars IS NULL OR (forks IS NOT NULL AND open_issues IS NOT NULL AND topics IS NOT NULL
                        AND is_archived IS NOT NULL AND default_branch IS NOT NULL AND pushed_at IS NOT NULL
                        AND created_at IS NOT NULL))
                ) STRICT;
                CREATE UNIQUE INDEX repositories_by_id ON repositories (id, coalesce(viewer, 0))
                    WHERE status <> 'claimed';
                CREATE INDEX repositories_by_number ON repositories (id);
                CREATE INDEX repositories_by_name ON repositories (full_name);
                CREATE INDEX repositories_by_viewer ON repositories (viewer) WHERE viewer IS NOT NULL;
                CREATE INDEX repositories_by_use ON repositories (used_at);
                """)
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO repositories (
                    viewer, status, etag, fetched_at, used_at, \(itemColumns))
                SELECT viewer, 'current', etag, fetched_at, used_at, \(itemValues)
                FROM repository_details WHERE json_valid(item);
                DROP TABLE repository_details;
                """)
        database.remove(function: foldText)
    }

    /// Makes `node_id` nullable: older Enterprise servers send none. SQLite cannot drop a NOT NULL constraint.
    package static let repositoryNodeIds = Migration(
        "repositories: without node ids",
        sql: """
            ALTER TABLE repositories ADD COLUMN optional_node_id TEXT;
            UPDATE repositories SET optional_node_id = node_id;
            ALTER TABLE repositories DROP COLUMN node_id;
            ALTER TABLE repositories RENAME COLUMN optional_node_id TO node_id;
            """)

    /// `fold(text)`, for migrations that fill in folded texts.
    static let foldText = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { text in
            String(
                decoding: FoldedText(lines: text.splitBytes(at: "\n").map(String.init)).bytes, as: UTF8.self)
        }
    }

    static let itemColumns = """
        id, node_id, full_name, owner, owner_type, avatar_url, description, is_fork, html_url, is_private, stars,
        forks, open_issues, language, licence, topics, is_archived, default_branch, pushed_at, created_at,
        homepage, parent, search_text
        """

    /// The columns' values in the JSON of `item`, whose dates count from 2001.
    static let itemValues = """
        CAST(json_extract(item, '$.repository.id') AS INTEGER),
        CAST(json_extract(item, '$.repository.nodeId') AS TEXT),
        CAST(json_extract(item, '$.repository.fullName') AS TEXT),
        CAST(json_extract(item, '$.repository.owner.login') AS TEXT),
        CAST(json_extract(item, '$.repository.owner.type') AS TEXT),
        CAST(json_extract(item, '$.repository.owner.avatarURL') AS TEXT),
        CAST(json_extract(item, '$.repository.description') AS TEXT),
        CAST(json_extract(item, '$.repository.fork') AS INTEGER),
        CAST(json_extract(item, '$.repository.htmlURL') AS TEXT),
        CAST(coalesce(json_extract(item, '$.repository.isPrivate'), 0) AS INTEGER),
        CAST(json_extract(item, '$.detail.stars') AS INTEGER),
        CAST(json_extract(item, '$.detail.forks') AS INTEGER),
        CAST(json_extract(item, '$.detail.openIssues') AS INTEGER),
        CAST(json_extract(item, '$.detail.language') AS TEXT),
        CAST(json_extract(item, '$.detail.licence') AS TEXT),
        iif(json_extract(item, '$.detail.stars') IS NULL, NULL, \(topics)),
        CAST(json_extract(item, '$.detail.archived') AS INTEGER),
        CAST(json_extract(item, '$.detail.defaultBranch') AS TEXT),
        CAST(json_extract(item, '$.detail.pushedAt') AS REAL) + 978307200.0,
        CAST(json_extract(item, '$.detail.createdAt') AS REAL) + 978307200.0,
        CAST(json_extract(item, '$.detail.homepage') AS TEXT),
        CAST(json_extract(item, '$.detail.parent') AS TEXT),
        fold(rtrim(json_extract(item, '$.repository.fullName')
            || char(10) || coalesce(json_extract(item, '$.repository.description'), '')
            || char(10) || coalesce(json_extract(item, '$.detail.language'), '')
            || char(10) || \(topics), char(10)))
        """

    private static let topics =
        "coalesce((SELECT group_concat(value, char(10)) FROM json_each(item, '$.detail.topics')), '')"

    package static let repositoryPreferences = preferences(
        "repositories", from: "repository_choices", value: "json_group_object(list, json(choices))",
        where: "json_valid(choices) GROUP BY user_id")
}

extension SearchIndex {
    package static let repositories = SearchIndex(
        "repository_search", of: "repositories", key: "place", viewKey: "id", columns: "text, owner")

    package static let bookmarks = SearchIndex(
        "bookmark_search", of: "bookmarks", key: "id", viewKey: "id", columns: "text, owner")
}

extension Migration {
    /// The full-text index of repositories, with a token for who may see each row: "v0" for everyone.
    package static let repositorySearch = Migration(
        "repositories: search",
        sql: index(
            "repository_search", of: "repositories", id: "place", owner: "'v' || coalesce(viewer, 0)",
            changing: "search_text, viewer"))

    /// The full-text index of bookmarks' names, tags and notes, with a token for each one's user.
    package static let bookmarkSearch = Migration(
        "bookmarks: search",
        sql: index(
            "bookmark_search", of: "bookmarks", id: "id", owner: "'u' || user_id",
            changing: "search_text, user_id"))

    /// The same for all scripts.
    package static let gitHubSearchInAllScripts = [
        searchIndex(
            .repositories,
            rows: """
                SELECT place AS id, search_text AS text, 'v' || coalesce(viewer, 0) AS owner FROM repositories
                WHERE place > \(SearchIndex.remaining(in: "repository_search"))
                """),
        searchIndex(
            .bookmarks,
            rows: """
                SELECT id, search_text AS text, 'u' || user_id AS owner FROM bookmarks
                WHERE id > \(SearchIndex.remaining(in: "bookmark_search"))
                """),
    ]

    /// The index's content comes from a view, so that the triggers delete exactly what they inserted before. Rows must
    /// never be replaced by a conflict clause, which would fire the triggers in another order.
    private static func index(
        _ name: String, of table: String, id: String, owner: String, changing columns: String
    ) -> String {
        let add = """
            INSERT INTO \(name) (rowid, text, owner) SELECT id, text, owner FROM \(name)_rows WHERE id = NEW.\(id);
            """
        let remove = """
            INSERT INTO \(name) (\(name), rowid, text, owner)
            SELECT 'delete', id, text, owner FROM \(name)_rows WHERE id = OLD.\(id);
            """
        return """
            CREATE VIEW \(name)_rows AS SELECT \(id) AS id, search_text AS text, \(owner) AS owner FROM \(table);
            CREATE VIRTUAL TABLE \(name) USING fts5(
                text, owner, content='\(name)_rows', content_rowid='id', columnsize=0, prefix='2 3',
                tokenize='unicode61 remove_diacritics 2'
            );
            CREATE TRIGGER \(name)_added AFTER INSERT ON \(table) BEGIN
                \(add)
            END;
            CREATE TRIGGER \(name)_changing BEFORE UPDATE OF \(columns) ON \(table) BEGIN
                \(remove)
            END;
            CREATE TRIGGER \(name)_changed AFTER UPDATE OF \(columns) ON \(table) BEGIN
                \(add)
            END;
            CREATE TRIGGER \(name)_removing BEFORE DELETE ON \(table) BEGIN
                \(remove)
            END;
            INSERT INTO \(name) (\(name)) VALUES ('rebuild');
            """
    }
}
