import Foundation
import GRDB
package import RoostSupport

package enum ReadingStore {
    static let unknownArticle = RoostError.notFound("There is no such article.")

    package static let sealedValues = SealedColumn(
        sql: "SELECT id, user_id, share_sealed AS sealed FROM gists WHERE share_sealed IS NOT NULL"
    ) { GistService.context(try $0.id("id"), of: try $0.id("user_id")) }

    package static let stored = [
        StoredRows(
            "articles",
            sql: "SELECT \(ArticleItem.selection) FROM articles AS a"
        ) { _ = try ArticleItem($0) },
        StoredRows("article_texts") { row in
            _ = (
                try row.text("text", maximumBytes: maximumTextBytes),
                try row.text("markup", maximumBytes: maximumTextBytes),
                try row.textIfPresent("comments", maximumBytes: maximumTextBytes)
            )
        },
        StoredRows("article_new_texts") { row in
            _ = (
                try row.json("version") as ArticleVersion,
                try row.choice("reason") as ArticleItem.NewText.Reason, try row.time("fetched_at")
            )
        },
        StoredRows(
            "stored_pictures", sql: "SELECT name, media_type, fetched_at, byte_count FROM stored_pictures"
        ) { row in
            _ = (try row.text("media_type"), try row.time("fetched_at"))
        },
        StoredRows("article_pictures", ArticlePictureJob.self),
        StoredRows("article_pictures_due") { row in _ = try row.id("article_id") },
        StoredRows("article_addresses") { row in _ = (try row.text("address"), try row.id("article_id")) },
        StoredRows("article_merges") { row in _ = try row.id("article_id") },
        StoredRows("article_tags") { row in
            _ = (try row.text("tag"), try row.text("folded"), try row.time("saved_at"))
        },
        StoredRows("article_highlights", Highlight.self),
        StoredRows("gists", sql: GistItem.select) { _ = try GistItem($0) },
        StoredRows("shared_items", sql: SharedItemEntry.select) { _ = try SharedItemEntry($0) },
        ReadingUndoStep.stored,
        StoredRows("reading_search_held") { row in _ = try row.id("article_id") },
        StoredRows("reading_counts") { row in
            _ = (try row.text("name"), try row.number("count", in: 0...Int(Int32.max)))
        },
    ]

    /// Limit for each of text and markup.
    static let maximumTextBytes = 16 << 20
    /// Of the comments from a page, as markup. Their text is limited when they are extracted.
    static let maximumCommentBytes = 1 << 20
}

extension Reads {
    func readyArticleCount(since: Date, of user: UserID) throws -> Int {
        try database.value(
            Int.self,
            """
            SELECT count(*) FROM articles
            WHERE user_id = ? AND state = 'unread' AND saved_at > ? AND fetch_state = 'fetched'
            """, [user, since.stored]) ?? 0
    }

    func readingCounts(of user: UserID) throws -> ReadingCounts {
        let rows = try database.rows(
            """
            SELECT kind, name, count FROM reading_counts
            WHERE user_id = ? AND kind IN ('state', 'favorite', 'failed')
            """, [user])
        var counts = ReadingCounts()
        for row in rows {
            let count = try row.number("count", in: 0...Int(Int32.max))
            switch (try row.text("kind"), try row.text("name")) {
            case ("state", "unread"): counts.unread = count
            case ("state", "archived"): counts.archived = count
            case ("favorite", _): counts.favorites = count
            case ("failed", _): counts.failed = count
            default: break
            }
        }
        return counts
    }

    /// Categories are sorted by name, sites by the number of articles.
    func readingGroups(_ kind: String, of user: UserID, limit: Int = 1_000) throws -> [ReadingGroup] {
        let order = kind == "category" ? "name COLLATE NOCASE, name" : "count DESC, name"
        return try database.cursor(
            """
            SELECT name, count FROM reading_counts WHERE user_id = ? AND kind = ?
            ORDER BY \(order) LIMIT ?
            """, [user, kind, limit]
        ).readable { ReadingGroup(name: try $0.text("name"), count: try $0.value("count")) }
    }

    /// In the spelling of the latest article, most used first.
    func readingTags(of user: UserID, limit: Int = 1_000) throws -> [ReadingGroup] {
        try database.cursor(
            """
            SELECT count, (SELECT tag FROM article_tags
                WHERE article_tags.user_id = reading_counts.user_id AND folded = name
                ORDER BY saved_at DESC LIMIT 1) AS tag
            FROM reading_counts WHERE user_id = ? AND kind = 'tag'
            ORDER BY count DESC, name LIMIT ?
            """, [user, limit]
        ).readable { ReadingGroup(name: try $0.text("tag"), count: try $0.value("count")) }
    }

    func additionStamps(of articles: [ArticleID]) throws -> [ArticleID: String] {
        let rows = try database.rows(
            """
            SELECT value AS id,
                (SELECT count(*) || ' ' || coalesce(max(updated_at), '') FROM article_highlights
                    WHERE article_id = value)
                || ' ' || coalesce((SELECT updated_at FROM gists WHERE article_id = value), '') AS stamp
            FROM json_each(?)
            """, ["[\(articles.map(String.init).joined(separator: ","))]"])
        let stamps = rows.readable { (try $0.id("id") as ArticleID, try $0.text("stamp")) }
        return Dictionary(stamps, uniquingKeysWith: { first, _ in first })
    }
}

package struct ReadingCounts: Equatable, Sendable {
    package var unread = 0
    package var favorites = 0
    package var archived = 0
    package var failed = 0
    package var all: Int { unread + archived }
}

package struct ReadingGroup: Equatable, Sendable {
    package let name: String
    package let count: Int
}
