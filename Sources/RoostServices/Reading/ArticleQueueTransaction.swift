import Foundation
import GRDB

/// A page that is to be fetched.
struct ArticleJob: Sendable {
    /// The shared item's number.
    let id: Int64
    let user: UserID
    let article: ArticleID?
    let url: String
    let host: String
}

/// What came of a page, ready for the database.
struct FetchedArticle: Sendable {
    enum Content: Sendable {
        case text(ExtractedArticle)
        /// A PDF, an image ...: its type.
        case link(String)
    }

    let content: Content
    /// Where it really is; nil for a page that a browser handed over.
    let finalURL: String?
}

/// The durable queue of pages, within one transaction.
struct ArticleQueueTransaction {
    let reading: ReadingTransaction

    init(_ reading: ReadingTransaction) { self.reading = reading }

    private var database: GRDB.Database { reading.database }
    private var time: Double { reading.now.timeIntervalSince1970 }

    /// Seconds until the next try, after so many.
    private static let delays: [TimeInterval] = [30, 120, 600, 3_600]

    static let nextSQL = """
        SELECT id, user_id, article_id, url, host FROM shared_items INDEXED BY shared_items_queue
        WHERE processed = 0 AND shared_with IS NULL AND (next_try_at <= :now OR next_try_at > :latest)
            AND host NOT IN (SELECT value FROM json_each(:busy))
        ORDER BY is_import, next_try_at, id LIMIT 1
        """

    /// What is due, people's own saves before imports, of a host that none of the others is fetched from.
    func next(busy: Set<String>) throws -> ArticleJob? {
        let hosts = String(decoding: try JSONEncoder().encode(busy.sorted()), as: UTF8.self)
        // A time that lies further ahead than any delay was written by a clock that has been put back.
        return try Row.fetchOne(
            database.cachedStatement(sql: Self.nextSQL),
            arguments: ["now": time, "latest": time + 2 * 3_600, "busy": hosts]
        ).map { row in
            ArticleJob(
                id: try row.id("id"), user: try row.id("user_id"), article: try row.idIfPresent("article_id"),
                url: try row.text("url"), host: try row.text("host"))
        }
    }

    /// When the next one is due; nil: none waits.
    func nextTry() throws -> Date? {
        try Double.fetchOne(
            database,
            sql: """
                SELECT min(next_try_at) FROM shared_items INDEXED BY shared_items_queue
                WHERE processed = 0 AND shared_with IS NULL
                """
        ).map(Date.init(timeIntervalSince1970:))
    }

    /// Counts the try before it is made: what ends the process does so a few times only. Nil where there is nothing to do
    /// any more.
    func begin(_ job: ArticleJob) throws -> (article: ArticleID, html: [UInt8]?)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT article_id, attempts, html FROM shared_items WHERE id = ? AND processed = 0"),
            arguments: [job.id])
        guard let row else { return nil }
        guard let article = try row.idIfPresent("article_id"),
            try reading.record(article, of: job.user) != nil
        else {
            try reading.execute("DELETE FROM shared_items WHERE id = ?", [job.id])
            return nil
        }
        guard try row.number("attempts", in: 0...Int(Int32.max)) <= Self.delays.count else {
            // No try was left, and the last one told nothing.
            try failed(job, ArticlePageFailure(reason: "Roost stopped each time that it read this page."))
            return nil
        }
        try reading.execute("UPDATE shared_items SET attempts = attempts + 1 WHERE id = ?", [job.id])
        let html: Data? = try row.value("html")
        return (article, html.map { Array($0) })
    }

    /// The try does not count: Roost was stopped meanwhile.
    func interrupted(_ job: ArticleJob) throws {
        try reading.execute("UPDATE shared_items SET attempts = max(0, attempts - 1) WHERE id = ?", [job.id])
    }

    /// Tries again later, or gives up; the article stays, with the reason.
    func failed(_ job: ArticleJob, _ failure: ArticlePageFailure) throws {
        let attempts =
            try Int.fetchOne(
                database, sql: "SELECT attempts FROM shared_items WHERE id = ?", arguments: [job.id]) ?? 0
        let isLast = !failure.isTemporary || attempts > Self.delays.count
        let delay = max(Self.delays[min(max(attempts, 1), Self.delays.count) - 1], failure.retryAfter ?? 0)
        // A page that a browser handed over is nowhere else: it stays as long as it is tried again.
        try reading.execute(
            """
            UPDATE shared_items SET error = ?, processed = ?, next_try_at = ?,
                html = CASE WHEN ? THEN NULL ELSE html END
            WHERE id = ?
            """, [failure.reason, isLast, time + delay, isLast, job.id])
        // A text that is there stays.
        try reading.execute(
            """
            UPDATE articles SET error = ?, error_status = ?, updated_at = max(?, updated_at + 0.001),
                fetch_state = CASE WHEN ? AND fetch_state = 'waiting' THEN
                    CASE WHEN EXISTS (SELECT 1 FROM article_texts WHERE article_id = articles.id)
                        THEN 'fetched' ELSE 'failed' END
                    ELSE fetch_state END
            WHERE id = (SELECT article_id FROM shared_items WHERE id = ?)
            """, [failure.reason, failure.status, time, isLast, job.id])
    }

    /// Puts what was fetched into its article, or into the one that it turned out to be. Answers which.
    @discardableResult
    func succeeded(_ job: ArticleJob, article: ArticleID, _ fetched: FetchedArticle) throws -> ArticleID? {
        try reading.execute(
            "UPDATE shared_items SET processed = 1, error = NULL, html = NULL WHERE id = ?", [job.id])
        guard let item = try reading.record(article, of: job.user)?.item else { return nil }
        let given = try ArticleAddress(item.article.url)
        var final = fetched.finalURL.flatMap { try? ArticleAddress($0) } ?? given
        if final.isGeneric, !given.isGeneric { final = given }
        var id = item.id
        if let other = try reading.article(at: final.normalized, of: job.user), other != id {
            id = try one(of: id, other, user: job.user)
        }
        try reading.know(final.normalized, as: id, of: job.user)
        var normalized = final.normalized
        if case .text(let text) = fetched.content, let canonical = Self.canonical(of: text, final) {
            let other = try reading.article(at: canonical, of: job.user)
            if let other, other != id {
                if try isSamePage(other, text, user: job.user) {
                    id = try one(of: id, other, user: job.user)
                    normalized = canonical
                }
            } else {
                try reading.know(canonical, as: id, of: job.user)
                normalized = canonical
            }
        }
        let isTaken = try Bool.fetchOne(
            database,
            sql:
                "SELECT EXISTS (SELECT 1 FROM articles WHERE user_id = ? AND normalized_url = ? AND id <> ?)",
            arguments: [job.user, normalized, id])
        if isTaken != true {
            try reading.execute("UPDATE articles SET normalized_url = ? WHERE id = ?", [normalized, id])
        }
        switch fetched.content {
        case .text(let text): try put(text, into: id, final: final)
        case .link(let type):
            try reading.execute(
                """
                UPDATE articles SET media_type = ?, final_url = ?, site = ?, fetched_at = ?, error = NULL,
                    error_status = NULL, updated_at = max(?, updated_at + 0.001),
                    fetch_state = CASE WHEN EXISTS (SELECT 1 FROM article_texts WHERE article_id = articles.id)
                        THEN 'fetched' ELSE 'link' END
                WHERE id = ?
                """, [type, final.text, final.site, time, time, id])
        }
        return id
    }

    /// The older one stays: its address is known to others, such as a chat.
    private func one(of article: ArticleID, _ other: ArticleID, user: UserID) throws -> ArticleID {
        let (kept, former) = (min(article, other), max(article, other))
        try reading.merge(former, into: kept, of: user)
        return kept
    }

    /// Within the site only, and not its front page: sites say that of all their pages by mistake.
    private static func canonical(of text: ExtractedArticle, _ final: ArticleAddress) -> String? {
        guard let named = text.canonical, named.hasPrefix("http"), let canonical = try? ArticleAddress(named),
            canonical.isSameSite(as: final), !canonical.isGeneric || final.isGeneric
        else { return nil }
        return canonical.normalized
    }

    /// A page's word for being another one is not enough where both texts are at hand and are not alike.
    private func isSamePage(_ other: ArticleID, _ text: ExtractedArticle, user: UserID) throws -> Bool {
        guard let body = try reading.body(of: other) else { return true }
        let count = try Int.fetchOne(
            database, sql: "SELECT word_count FROM articles WHERE id = ?", arguments: [other])
        let words = (count ?? 0, text.wordCount)
        return body.text.utf8.prefix(200).elementsEqual(text.text.utf8.prefix(200))
            || 10 * abs(words.0 - words.1) <= max(words.0, words.1)
                && body.text.utf8.suffix(200).elementsEqual(text.text.utf8.suffix(200))
    }

    private func put(
        _ text: ExtractedArticle, into id: ArticleID, final: ArticleAddress
    ) throws {
        let published = text.published.map { ClockSkew.clamped($0, now: reading.now).date }
        let image = text.leadImage.flatMap { $0.hasPrefix("http") ? try? ArticleAddress($0).text : nil }
        try reading.execute(
            """
            UPDATE articles SET final_url = :final, site = :site, author = :author, published_at = :published,
                language = :language, kind = :kind, media_type = 'text/html', word_count = :words,
                length_key = :words, reverse_length_key = :words, image_url = :image, excerpt = :excerpt,
                fetch_state = 'fetched', error = NULL, error_status = NULL, fetched_at = :now,
                updated_at = max(:now, updated_at + 0.001)
            WHERE id = :id
            """,
            [
                "final": final.text, "site": final.site,
                "author": ArticleRules.strangers(text.byline, maximumLength: 120),
                "published": published.flatMap { $0.timeIntervalSince1970 >= 0 ? $0 : nil }?
                    .timeIntervalSince1970,
                "language": Self.language(text.language ?? LanguageGuess.language(of: text.text)),
                "kind": text.kind.rawValue, "words": text.wordCount,
                "image": image, "excerpt": Self.excerpt(of: text), "now": time, "id": id,
            ])
        let isTitleGiven = try Bool.fetchOne(
            database, sql: "SELECT title_is_given FROM articles WHERE id = ?", arguments: [id])
        if isTitleGiven == false,
            let title = ArticleRules.strangers(text.title, maximumLength: ArticleRules.maximumTitleLength)
        {
            try reading.setTitle(title, of: id, isGiven: false)
        }
        try reading.execute(
            "UPDATE article_texts SET text = ?, markup = ? WHERE article_id = ?",
            [text.text, text.markup.html, id])
        if database.changesCount == 0 {
            try reading.execute(
                "INSERT INTO article_texts (article_id, text, markup) VALUES (?, ?, ?)",
                [id, text.text, text.markup.html])
        }
        try reading.relocateHighlights(of: id)
    }

    private static func excerpt(of text: ExtractedArticle) -> String? {
        if let excerpt = ArticleRules.strangers(text.excerpt, maximumLength: 300) { return excerpt }
        let paragraphs = text.text.splitBytes(at: "\n").prefix(20)
        let first = paragraphs.first { $0.utf8.count > 80 } ?? paragraphs.first
        return first.flatMap { ArticleRules.strangers(String($0), maximumLength: 300) }
    }

    /// "en" or "pt-BR" (BCP 47); nil for anything else.
    private static func language(_ code: String?) -> String? {
        guard let code, code.utf8.count <= 20,
            code.wholeMatch(of: #/[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*/#) != nil
        else { return nil }
        return code
    }

    /// What was processed long ago is no news to anybody.
    func removeOld() throws {
        try reading.execute(
            """
            DELETE FROM shared_items WHERE id IN (
                SELECT id FROM shared_items WHERE processed = 1 AND shared_with IS NULL AND created_at < ? LIMIT 1000)
            """, [time - 30 * 86_400])
    }
}
