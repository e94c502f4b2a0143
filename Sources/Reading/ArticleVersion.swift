import Foundation
import GRDB
import RoostSupport

/// The text and metadata of a page from one fetch.
struct ArticleVersion: ColumnRecord, Codable, Sendable {
    var finalURL: String?
    var site = ""
    var canonicalURL: String?
    /// Nil for an article whose title is the user's.
    var title: String?
    var author: String?
    var publishedAt: Double?
    var language, kind, imageURL, excerpt: String?
    var words = 0
    /// Whether a paywall or a sign-in cut the text; nil if Roost did not look for one.
    var isPartial: Bool?
    var fetchedAt = 0.0
    var text = "", markup = ""
    /// Nil unless it is a PDF.
    var pages: Int?
    /// Nil for a web page.
    var mediaType: String?
    /// The readers' comments, as markup.
    var comments: String?

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("final_url", &finalURL)
        try columns.column("site", &site)
        try columns.column("canonical_url", &canonicalURL)
        try columns.column("author", &author)
        try columns.column("published_at", &publishedAt)
        try columns.column("language", &language)
        try columns.column("kind", &kind)
        try columns.column("image_url", &imageURL)
        try columns.column("excerpt", &excerpt)
        try columns.column("is_partial", &isPartial)
        try columns.column("own_title", sql: "iif(a.title_is_given, NULL, a.title)", &title)
        try columns.column("words", sql: "coalesce(a.word_count, 0)", &words)
        for name in ["word_count", "length_key", "reverse_length_key"] { columns.written(name, words) }
        try columns.column("fetch_time", sql: "coalesce(a.fetched_at, 0.0)", &fetchedAt)
        columns.written("fetched_at", fetchedAt)
        try columns.column("page_count", &pages)
        columns.written("media_type", mediaType ?? "text/html")
        columns.written("fetch_state", ArticleItem.FetchColumn.fetched)
        columns.written("error", String?.none)
        columns.written("error_status", Int?.none)
        try columns.column("text", sql: "body.text", &text)
        try columns.column("markup", sql: "body.markup", &markup)
        try columns.column("comments", sql: "body.comments", &comments)
    }

    fileprivate static let selection = selection(of: "a")
}

extension Reads {
    func articleVersion(of id: ArticleID) throws -> ArticleVersion? {
        try database.row(
            """
            SELECT \(ArticleVersion.selection)
            FROM articles AS a JOIN article_texts AS body ON body.article_id = a.id WHERE a.id = ?
            """, [id]
        ).map { try ArticleVersion($0) }
    }

    func newText(of id: ArticleID) throws -> (version: ArticleVersion, reason: ArticleItem.NewText.Reason)? {
        try database.row("SELECT reason, version FROM article_new_texts WHERE article_id = ?", [id]).map {
            (try $0.json("version"), try $0.choice("reason"))
        }
    }
}

extension Writes {
    func setNewText(
        _ version: ArticleVersion, _ reason: ArticleItem.NewText.Reason, of id: ArticleID
    ) throws {
        try removeNewText(of: id)
        let json = String(decoding: try JSONEncoder().encode(version), as: UTF8.self)
        try execute(
            """
            INSERT INTO article_new_texts (article_id, reason, fetched_at, title, word_count, version)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [id, reason.rawValue, version.fetchedAt, version.title, version.words, json])
    }

    func removeNewText(of id: ArticleID) throws {
        try execute("DELETE FROM article_new_texts WHERE article_id = ?", [id])
    }

    /// Records that the page was fetched again.
    func noteFetched(_ id: ArticleID, at now: Date) throws {
        try execute(
            """
            UPDATE articles SET error = NULL, error_status = NULL, updated_at = max(?, updated_at + 0.001),
                fetch_state = 'fetched'
            WHERE id = ?
            """, [now.stored, id])
    }

    func replaceText(
        of id: ArticleID, with version: ArticleVersion, of user: UserID, at now: Date
    ) throws {
        try describeArticle(id, as: version, of: user, at: now)
        try execute(
            "UPDATE article_texts SET text = ?, markup = ?, comments = ? WHERE article_id = ?",
            [version.text, version.markup, version.comments, id])
        try relocateHighlights(of: id)
    }

    /// Updates everything but the text, and drops a waiting text.
    func describeArticle(
        _ id: ArticleID, as version: ArticleVersion, of user: UserID, at now: Date
    ) throws {
        let item = try requiredArticle(id, of: user)
        try removeNewText(of: id)
        try setArticleAddress(version.finalURL, of: id, by: user)
        try update("articles", with: version, where: "id = ?", [id])
        try touchArticle(id, at: now)
        if !item.titleIsGiven, let title = version.title {
            var details = item.details
            details.title = title
            try setDetails(details, of: item)
        }
    }

    /// Registers the article under the address that its text comes from and releases the previous one, which may now
    /// lead to another page.
    func setArticleAddress(_ finalURL: String?, of id: ArticleID, by user: UserID) throws {
        guard
            let row = try database.row("SELECT given_url, final_url FROM articles WHERE id = ?", [id])
        else { return }
        let savedAddress = try ArticleAddress(try row.text("given_url"))
        let former = try row.textIfPresent("final_url").flatMap { try? ArticleAddress($0).normalized }
        let final = finalURL.flatMap { try? ArticleAddress($0).normalized } ?? savedAddress.normalized
        if let former, former != final, former != savedAddress.normalized {
            try execute(
                "DELETE FROM article_addresses WHERE user_id = ? AND address = ? AND article_id = ?",
                [user, former, id])
        }
        try registerAddress(final, as: id, of: user)
        try execute(
            """
            UPDATE articles SET normalized_url = :address
            WHERE id = :id AND NOT EXISTS (
                SELECT 1 FROM articles WHERE user_id = :user AND normalized_url = :address AND id <> :id)
            """, ["address": final, "user": user, "id": id])
    }

    func touchArticle(_ id: ArticleID, at now: Date) throws {
        try execute(
            "UPDATE articles SET updated_at = max(?, updated_at + 0.001) WHERE id = ?",
            [now.stored, id])
    }
}
