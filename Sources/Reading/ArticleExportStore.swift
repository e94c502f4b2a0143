import Foundation
package import GRDB
import RoostSupport

/// Articles in SQLite as exports have them.
package struct ArticleExportStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Of all articles, the newest first; by category the unsorted ones before the others.
    func ids(of user: UserID, byCategory: Bool) async throws -> [ArticleID] {
        let order = byCategory ? "category <> ?, category, saved_at DESC, id DESC" : "saved_at DESC, id DESC"
        return try await database.fetch { database in
            try Int64.fetchAll(
                database, sql: "SELECT id FROM articles WHERE user_id = ? ORDER BY \(order)",
                arguments: byCategory ? [user, Article.standardCategory] : [user])
        }
    }

    /// At most so many bytes each article takes in a file, by ids.
    func sizes(of user: UserID, withTexts: Bool) async throws -> [(id: ArticleID, bytes: Int)] {
        func bytes(_ columns: String...) -> String {
            columns.map { "coalesce(length(CAST(json_quote(\($0)) AS BLOB)), 0)" }.joined(separator: " + ")
        }
        let texts = withTexts ? " + " + bytes("body.markup", "body.text") : ""
        // The longest escape of HTML has six bytes; 50 tags have 40 characters each.
        let sql = """
            SELECT a.id, 2000 + 6 * (\(bytes("a.title", "a.excerpt", "a.category", "a.author"))) +
                2 * (\(bytes("a.given_url", "a.final_url", "a.image_url", "a.error"))) +
                \(bytes("g.title", "g.content", "g.note", "g.source_url"))\(texts) +
                (SELECT coalesce(sum(250 + 2 * (\(bytes("tag")))), 0) FROM article_tags WHERE article_id = a.id) +
                (SELECT coalesce(sum(300 + \(bytes("quote", "note", "before", "after"))), 0)
                    FROM article_highlights WHERE article_id = a.id) AS bytes
            FROM articles AS a LEFT JOIN article_texts AS body ON body.article_id = a.id
                LEFT JOIN gists AS g ON g.article_id = a.id
            WHERE a.user_id = ? ORDER BY a.id
            """
        return try await database.fetch { database in
            try Row.fetchAll(database, sql: sql, arguments: [user]).map { row in
                (id: try row.id("id"), bytes: try row.value("bytes"))
            }
        }
    }

    /// In the order of their ids' list; what cannot be read is left out.
    func articles(_ ids: [ArticleID], of user: UserID, withTexts: Bool) async throws -> [ExportedArticle] {
        try await database.fetch { database in
            let list = ids.jsonArray
            let highlights = try Self.highlights(list, database)
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: withTexts ? Self.selectWithTexts : Self.select),
                arguments: [list, user])
            return try rows.readable { row -> ExportedArticle in
                var article = try Self.article(row, withText: withTexts)
                article.highlights = highlights[try row.id("id")] ?? []
                return article
            }
        }
    }

    /// Gists that belong to no article, the oldest first.
    func gistsAlone(
        of user: UserID, after id: GistID, limit: Int
    ) async throws -> [(id: GistID, gist: ExportedArticle.Gist)] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, title AS gist_title, content AS gist_content, source_url, category AS gist_category,
                            method, note AS gist_note, is_edited, created_at AS gist_created_at,
                            updated_at AS gist_updated_at
                        FROM gists
                        WHERE user_id = ? AND id > ? AND (article_id IS NULL OR NOT EXISTS (
                            SELECT 1 FROM articles WHERE articles.id = article_id AND articles.user_id = gists.user_id))
                        ORDER BY id LIMIT ?
                        """),
                arguments: [user, id, limit]
            ).readable { (id: try $0.id("id"), gist: try Self.gist($0)) }
        }
    }

    private static let select = statement(columns: "")
    private static let selectWithTexts = statement(
        columns: ", body.markup, body.text",
        joining: "LEFT JOIN article_texts AS body ON body.article_id = a.id")

    private static func statement(columns: String, joining: String = "") -> String {
        """
        SELECT a.id, a.given_url, a.final_url, a.title, a.title_is_given, a.category, a.state, a.is_favorite,
            a.created_at, a.saved_at, a.updated_at, a.archived_at, a.opened_at, a.published_at, a.site, a.author,
            a.language, a.excerpt, a.image_url, a.progress, a.fetch_state, a.error, a.media_type, a.kind, a.fetched_at,
            (SELECT json_group_array(tag) FROM (
                SELECT tag FROM article_tags WHERE article_id = a.id ORDER BY place)) AS tags,
            g.title AS gist_title, g.content AS gist_content, g.source_url, g.category AS gist_category, g.method,
            g.note AS gist_note, g.is_edited, g.created_at AS gist_created_at, g.updated_at AS gist_updated_at\(columns)
        FROM json_each(?) AS asked CROSS JOIN articles AS a ON a.id = asked.value
            LEFT JOIN gists AS g ON g.article_id = a.id \(joining)
        WHERE a.user_id = ? ORDER BY asked.key
        """
    }

    private static func article(_ row: Row, withText: Bool) throws -> ExportedArticle {
        ExportedArticle(
            url: try row.text("given_url"), finalUrl: try row.textIfPresent("final_url"),
            title: try row.text("title"), titleIsGiven: try row.number("title_is_given", in: 0...1) == 1,
            category: try row.text("category"), tags: try row.json("tags"), state: try row.choice("state"),
            isFavorite: try row.number("is_favorite", in: 0...1) == 1, createdAt: try time(row, "created_at"),
            savedAt: try time(row, "saved_at"), updatedAt: try time(row, "updated_at"),
            archivedAt: try timeIfPresent(row, "archived_at"), openedAt: try timeIfPresent(row, "opened_at"),
            publishedAt: try timeIfPresent(row, "published_at"), site: try row.text("site"),
            author: try row.textIfPresent("author"), language: try row.textIfPresent("language"),
            excerpt: try row.textIfPresent("excerpt"), image: try row.textIfPresent("image_url"),
            progress: try row.value("progress"),
            gist: try row.textIfPresent("method") == nil ? nil : gist(row),
            fetchState: try row.text("fetch_state"), error: try row.textIfPresent("error"),
            mediaType: try row.textIfPresent("media_type"), kind: try row.textIfPresent("kind"),
            fetchedAt: try timeIfPresent(row, "fetched_at"),
            content: withText
                ? try row.textIfPresent("markup", maximumBytes: ReadingStore.maximumTextBytes) : nil,
            text: withText ? try row.textIfPresent("text", maximumBytes: ReadingStore.maximumTextBytes) : nil)
    }

    private static func gist(_ row: Row) throws -> ExportedArticle.Gist {
        ExportedArticle.Gist(
            title: try row.text("gist_title"), content: try row.text("gist_content", maximumBytes: 1 << 20),
            sourceUrl: try row.textIfPresent("source_url"), category: try row.textIfPresent("gist_category"),
            method: try row.text("method"), note: try row.textIfPresent("gist_note"),
            isEdited: try row.number("is_edited", in: 0...1) == 1,
            createdAt: try time(row, "gist_created_at"),
            updatedAt: try time(row, "gist_updated_at"))
    }

    private static func highlights(
        _ list: String, _ database: GRDB.Database
    ) throws -> [ArticleID: [ExportedArticle.Highlight]] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT h.* FROM json_each(?) AS asked CROSS JOIN article_highlights AS h ON h.article_id = asked.value
                    ORDER BY h.article_id, h.start_offset, h.id
                    """),
            arguments: [list])
        let found = try rows.readable { row in
            (
                article: try row.id("article_id"),
                highlight: ExportedArticle.Highlight(
                    quote: try row.text("quote", maximumBytes: 200_000),
                    note: try row.text("note", maximumBytes: 100_000),
                    start: try row.number("start_offset", in: 0...Int(Int32.max)),
                    end: try row.number("end_offset", in: 0...Int(Int32.max)), before: try row.text("before"),
                    after: try row.text("after"), createdAt: try time(row, "created_at"),
                    updatedAt: try time(row, "updated_at"))
            )
        }
        return Dictionary(grouping: found, by: \.article).mapValues { $0.map(\.highlight) }
    }

    private static func time(_ row: Row, _ column: String) throws -> JSONTime {
        JSONTime(try row.time(column))
    }

    private static func timeIfPresent(_ row: Row, _ column: String) throws -> JSONTime? {
        try row.timeIfPresent(column).map(JSONTime.init)
    }
}
