import Foundation
import GRDB
import RoostSupport

/// The text of a page as one fetch has brought it, with all that the page says of itself.
struct ArticleVersion: Codable, Sendable {
    let finalURL: String?
    let site: String
    let canonicalURL: String?
    /// Nil where the page has none.
    let title: String?
    let author: String?
    let publishedAt: Double?
    let language, kind, imageURL, excerpt: String?
    let words: Int
    let fetchedAt: Double
    let text, markup: String
}

/// The text that an article has, and the one that waits for its user's choice, within one transaction.
struct ArticleVersions {
    let reading: ReadingTransaction

    init(_ reading: ReadingTransaction) { self.reading = reading }

    private var database: GRDB.Database { reading.database }
    private var time: Double { reading.now.timeIntervalSince1970 }

    /// The article's own text; nil where it has none.
    private func version(of id: ArticleID) throws -> ArticleVersion? {
        guard let body = try reading.body(of: id) else { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT final_url, site, canonical_url, title, title_is_given, author, published_at, language, kind,
                        image_url, excerpt, word_count, fetched_at
                    FROM articles WHERE id = ?
                    """), arguments: [id]
        ).map { row in
            ArticleVersion(
                finalURL: try row.textIfPresent("final_url"), site: try row.text("site"),
                canonicalURL: try row.textIfPresent("canonical_url"),
                title: try row.value("title_is_given") ? nil : row.text("title"),
                author: try row.textIfPresent("author"), publishedAt: try row.value("published_at"),
                language: try row.textIfPresent("language"), kind: try row.textIfPresent("kind"),
                imageURL: try row.textIfPresent("image_url"), excerpt: try row.textIfPresent("excerpt"),
                words: try row.value("word_count") as Int? ?? 0,
                fetchedAt: try row.value("fetched_at") as Double? ?? 0,
                text: body.text, markup: body.markup)
        }
    }

    /// The text that waits.
    func newText(of id: ArticleID) throws -> (version: ArticleVersion, reason: ArticleItem.NewText.Reason)? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT reason, version FROM article_new_texts WHERE article_id = ?"),
            arguments: [id]
        ).map { (try $0.json("version"), try $0.choice("reason")) }
    }

    // MARK: Fetching

    /// True where the text may be no version of the one that the article has: then it waits.
    func setAsideIfSuspicious(_ version: ArticleVersion, of id: ArticleID) throws -> Bool {
        guard let old = try self.version(of: id),
            let reason = SuspiciousText.reason(against: version, inPlaceOf: old)
        else { return false }
        try setAside(version, reason, of: id)
        try reading.execute(
            """
            UPDATE articles SET error = NULL, error_status = NULL, updated_at = max(?, updated_at + 0.001),
                fetch_state = 'fetched'
            WHERE id = ?
            """, [time, id])
        return true
    }

    private func setAside(
        _ version: ArticleVersion, _ reason: ArticleItem.NewText.Reason, of id: ArticleID
    ) throws {
        try drop(of: id)
        let json = String(decoding: try JSONEncoder().encode(version), as: UTF8.self)
        try reading.execute(
            """
            INSERT INTO article_new_texts (article_id, reason, fetched_at, title, word_count, version)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [id, reason.rawValue, version.fetchedAt, version.title, version.words, json])
    }

    private func drop(of id: ArticleID) throws {
        try reading.execute("DELETE FROM article_new_texts WHERE article_id = ?", [id])
    }

    /// Makes this the article's text.
    private func put(_ version: ArticleVersion, into id: ArticleID, of user: UserID) throws {
        try describe(id, as: version, of: user)
        try reading.execute(
            "UPDATE article_texts SET text = ?, markup = ? WHERE article_id = ?",
            [version.text, version.markup, id])
        try reading.relocateHighlights(of: id)
    }

    /// Writes all but the text itself; another text that waited is dropped.
    func describe(_ id: ArticleID, as version: ArticleVersion, of user: UserID) throws {
        try drop(of: id)
        try setAddress(version.finalURL, of: id, by: user)
        try reading.execute(
            """
            UPDATE articles SET final_url = :final, canonical_url = :canonical, site = :site, author = :author,
                published_at = :published, language = :language, kind = :kind, media_type = 'text/html',
                word_count = :words, length_key = :words, reverse_length_key = :words, image_url = :image,
                excerpt = :excerpt, fetch_state = 'fetched', error = NULL, error_status = NULL,
                fetched_at = :fetched, updated_at = max(:now, updated_at + 0.001)
            WHERE id = :id
            """,
            [
                "final": version.finalURL, "canonical": version.canonicalURL, "site": version.site,
                "author": version.author, "published": version.publishedAt, "language": version.language,
                "kind": version.kind, "words": version.words, "image": version.imageURL,
                "excerpt": version.excerpt, "fetched": version.fetchedAt, "now": time, "id": id,
            ])
        let isTitleGiven = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT title_is_given FROM articles WHERE id = ?"), arguments: [id]
        )
        if isTitleGiven == false, let title = version.title {
            try reading.setTitle(title, of: id, isGiven: false)
        }
    }

    /// The article is known under the address that its text comes from, and no longer under the one before: a site that
    /// leads elsewhere now gives that one back.
    func setAddress(_ finalURL: String?, of id: ArticleID, by user: UserID) throws {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT given_url, final_url FROM articles WHERE id = ?"),
                arguments: [id])
        else { return }
        let given = try ArticleAddress(try row.text("given_url"))
        let former = try row.textIfPresent("final_url").flatMap { try? ArticleAddress($0).normalized }
        let final = finalURL.flatMap { try? ArticleAddress($0).normalized } ?? given.normalized
        if let former, former != final, former != given.normalized {
            try reading.execute(
                "DELETE FROM article_addresses WHERE user_id = ? AND address = ? AND article_id = ?",
                [user, former, id])
        }
        try reading.know(final, as: id, of: user)
        try reading.execute(
            """
            UPDATE articles SET normalized_url = :address
            WHERE id = :id AND NOT EXISTS (
                SELECT 1 FROM articles WHERE user_id = :user AND normalized_url = :address AND id <> :id)
            """, ["address": final, "user": user, "id": id])
    }

    // MARK: Choosing

    /// Throws `RoostError.notFound` where no text waits.
    func choose(
        isUsed: Bool, for id: ArticleID, of user: UserID
    ) throws -> ReadingUndoStep.NewTextChoice {
        guard let waiting = try newText(of: id), let old = try version(of: id) else {
            throw RoostError.notFound("No new text waits for a choice.")
        }
        if isUsed {
            try put(waiting.version, into: id, of: user)
        } else {
            try drop(of: id)
            try touch(id)
        }
        return ReadingUndoStep.NewTextChoice(
            article: id, version: isUsed ? old : waiting.version, reason: waiting.reason, isUsed: isUsed)
    }

    func takeBack(_ choice: ReadingUndoStep.NewTextChoice, of user: UserID) throws {
        guard let id = try reading.record(choice.article, of: user)?.item.id,
            let current = try version(of: id)
        else { return }
        if choice.isUsed {
            try put(choice.version, into: id, of: user)
            try setAside(current, choice.reason, of: id)
        } else {
            try setAside(choice.version, choice.reason, of: id)
            try touch(id)
        }
    }

    private func touch(_ id: ArticleID) throws {
        try reading.execute(
            "UPDATE articles SET updated_at = max(?, updated_at + 0.001) WHERE id = ?", [time, id])
    }
}
