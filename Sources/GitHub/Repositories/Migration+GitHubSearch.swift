package import RoostSupport

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
