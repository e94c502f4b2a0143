import Foundation
import GRDB
import RoostSupport

enum ArticleExportStore {
    fileprivate static let select = statement(columns: "")

    fileprivate static let selectWithTexts = statement(
        columns: ", body.markup, body.text, body.comments",
        joining: "LEFT JOIN article_texts AS body ON body.article_id = a.id")

    /// An article, its gist, and its text.
    private static func statement(columns: String, joining: String = "") -> String {
        """
        SELECT \(ArticleItem.selection), \(GistDetails.selection(of: "g"))\(columns)
        FROM json_each(?) AS asked CROSS JOIN articles AS a ON a.id = asked.value
            LEFT JOIN gists AS g ON g.article_id = a.id \(joining)
        WHERE a.user_id = ? ORDER BY asked.key
        """
    }

    private static let gistIndex = ArticleItem.columnCount
    private static let textIndex = gistIndex + GistDetails.columnCount

    fileprivate static func article(_ row: Row, withText: Bool) throws -> ExportedArticle {
        ExportedArticle(
            item: try ArticleItem(row),
            gist: row.hasNull(atIndex: gistIndex) ? nil : try GistDetails(row, at: gistIndex),
            content: withText ? String.read(row, at: textIndex) : nil,
            text: withText ? String.read(row, at: textIndex + 1) : nil,
            comments: withText ? String.read(row, at: textIndex + 2) : nil)
    }
}

extension Reads {
    /// Newest first; by category, "Unsorted" comes first.
    func exportedArticleIDs(of user: UserID, byCategory: Bool) throws -> [ArticleID] {
        let order = byCategory ? "category <> ?, category, saved_at DESC, id DESC" : "saved_at DESC, id DESC"
        return try Int64.fetchAll(
            database, sql: "SELECT id FROM articles WHERE user_id = ? ORDER BY \(order)",
            arguments: byCategory ? [user, Article.standardCategory] : [user])
    }

    /// Returns an upper bound of each article's size in an export, in bytes, ordered by id.
    func exportSizes(of user: UserID, withTexts: Bool) throws -> [(id: ArticleID, bytes: Int)] {
        func bytes(_ columns: String...) -> String {
            columns.map { "coalesce(length(CAST(json_quote(\($0)) AS BLOB)), 0)" }.joined(separator: " + ")
        }
        let texts = withTexts ? " + " + bytes("body.markup", "body.text", "body.comments") : ""
        // The longest HTML escape has six bytes; 50 tags have 40 characters each.
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
        return try Row.fetchAll(database, sql: sql, arguments: [user]).map { row in
            (id: try row.id("id"), bytes: try row.value("bytes"))
        }
    }

    /// In the order of `ids`; unreadable rows are skipped.
    func exportedArticles(_ ids: [ArticleID], of user: UserID, withTexts: Bool) throws -> [ExportedArticle] {
        let list = ids.jsonArray
        let highlights = try exportedHighlights(list)
        let rows = try database.cursor(
            withTexts ? ArticleExportStore.selectWithTexts : ArticleExportStore.select, [list, user])
        return try rows.readable { row -> ExportedArticle in
            var article = try ArticleExportStore.article(row, withText: withTexts)
            article.highlights = highlights[article.item.id] ?? []
            return article
        }
    }

    func standaloneGists(
        of user: UserID, after id: GistID, limit: Int
    ) throws -> [(id: GistID, gist: GistDetails)] {
        try database.rows(
            """
            SELECT id, \(GistDetails.selection(of: "gists")) FROM gists
            WHERE user_id = ? AND id > ? AND (article_id IS NULL OR NOT EXISTS (
                SELECT 1 FROM articles WHERE articles.id = article_id AND articles.user_id = gists.user_id))
            ORDER BY id LIMIT ?
            """, [user, id, limit]
        ).readable { (id: try $0.id("id"), gist: try GistDetails($0, at: 1)) }
    }

    fileprivate func exportedHighlights(_ list: String) throws -> [ArticleID: [Highlight]] {
        let rows = try database.cursor(
            """
            SELECT \(Highlight.selection(of: "h"))
            FROM json_each(?) AS asked CROSS JOIN article_highlights AS h ON h.article_id = asked.value
            ORDER BY h.article_id, h.start_offset, h.id
            """, [list])
        return Dictionary(grouping: try rows.readable { try Highlight($0) }, by: \.articleId)
    }
}
