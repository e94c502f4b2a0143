import ArticleText
import Foundation
import GRDB
import RoostSupport

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
            database.cachedStatement(
                sql: """
                    SELECT min(next_try_at) FROM shared_items INDEXED BY shared_items_queue
                    WHERE processed = 0 AND shared_with IS NULL
                    """)
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
                database.cachedStatement(sql: "SELECT attempts FROM shared_items WHERE id = ?"),
                arguments: [job.id]) ?? 0
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
    ///
    /// A text that may be no version of the one that is there waits for the user's choice, and changes nothing else.
    @discardableResult
    func succeeded(_ job: ArticleJob, article: ArticleID, _ fetched: FetchedArticle) throws -> ArticleID? {
        try reading.execute(
            "UPDATE shared_items SET processed = 1, error = NULL, html = NULL WHERE id = ?", [job.id])
        guard let item = try reading.record(article, of: job.user)?.item else { return nil }
        let given = try ArticleAddress(item.article.url)
        var final = fetched.finalURL.flatMap { try? ArticleAddress($0) } ?? given
        switch fetched.content {
        case .link(let type):
            if final.isGeneric, !given.isGeneric { final = given }
            final = ArticleAddress(final, fragment: nil)
            let id = try claim(final, for: item.id, of: job.user)
            try ArticleVersions(reading).setAddress(final.text, of: id, by: job.user)
            try reading.execute(
                """
                UPDATE articles SET media_type = ?, final_url = ?, site = ?, fetched_at = ?, error = NULL,
                    error_status = NULL, updated_at = max(?, updated_at + 0.001),
                    fetch_state = CASE WHEN EXISTS (SELECT 1 FROM article_texts WHERE article_id = articles.id)
                        THEN 'fetched' ELSE 'link' END
                WHERE id = ?
                """, [type, final.text, final.site, time, time, id])
            return id
        case .text(let text):
            let wall = SuspiciousText.wall(title: text.title, text: text.text, words: text.wordCount)
            // A site sends many addresses to one such page.
            if wall != nil || final.isGeneric && !given.isGeneric { final = given }
            let fragment = Self.documentFragment(of: text, job, fetched.finalURL)
            final = ArticleAddress(final, fragment: fragment)
            let canonical = fragment == nil ? Self.canonical(of: text, final) : nil
            return try take(text, into: item.id, final, canonical, isWall: wall != nil, of: job.user)
        }
    }

    /// What tells the page from other documents at its address; nil where it has no fragment, or one that names a place in
    /// it. A redirect keeps the fragment, unless it names another one (RFC 9110, section 10.2.2).
    private static func documentFragment(
        of text: ExtractedArticle, _ job: ArticleJob, _ finalURL: String?
    ) -> String? {
        let address = [finalURL, job.url].lazy.compactMap { $0.flatMap { try? ArticleAddress($0) } }
            .first { $0.documentFragment != nil }
        guard let address, let fragment = address.documentFragment else { return nil }
        let isPlace = text.fragments.hasElement(named: fragment)
        return isPlace || !text.fragments.hasScripts && !address.hasRoute ? nil : fragment
    }

    private func take(
        _ text: ExtractedArticle, into article: ArticleID, _ final: ArticleAddress, _ canonical: String?,
        isWall: Bool, of user: UserID
    ) throws -> ArticleID {
        let versions = ArticleVersions(reading)
        let version = version(text, at: final, canonical)
        if try versions.setAsideIfSuspicious(version, of: article) { return article }
        let hadText = try reading.body(of: article) != nil
        let id = try claim(final, for: article, of: user)
        // It may have become one with an article that has a text.
        if !hadText || id != article, try versions.setAsideIfSuspicious(version, of: id) { return id }
        // A twin that stays has this text already, and keeps the address that it was fetched from.
        if !isWall, let twin = try twin(of: version, final, besides: id, of: user),
            try one(of: id, twin, user: user) == twin
        {
            return twin
        }
        try versions.describe(id, as: version, of: user)
        try put(text, into: id)
        return id
    }

    /// Notes where an article was fetched from. Where another one was saved as, or fetched from, the same address, both
    /// become one: the site itself has led from one to the other.
    private func claim(
        _ final: ArticleAddress, for article: ArticleID, of user: UserID
    ) throws -> ArticleID {
        var id = article
        if let other = try reading.article(at: final.normalized, of: user), other != id {
            id = try one(of: id, other, user: user)
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
            canonical.isSameSite(as: final), !canonical.isGeneric || final.isGeneric,
            canonical.documentFragment == nil
        else { return nil }
        return canonical.normalized
    }

    /// Shorter texts say the same on many pages: "Loading", "No comments yet".
    private static let fewestTwinWords = 50

    /// Another article with exactly the same text, where one of both pages says that it is the other, or both name a third.
    /// What a page says of itself is never enough: it may be wrong, or a neighbour's who wants to take its place.
    private func twin(
        of version: ArticleVersion, _ final: ArticleAddress, besides id: ArticleID, of user: UserID
    ) throws -> ArticleID? {
        guard version.words >= Self.fewestTwinWords, final.documentFragment == nil else { return nil }
        let canonical = version.canonicalURL ?? final.normalized
        return try ArticleID.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT a.id FROM articles AS a JOIN article_texts AS body ON body.article_id = a.id
                    WHERE a.user_id = :user AND a.id <> :id AND a.word_count = :words AND body.text = :text
                        AND a.id IN (
                            SELECT article_id FROM article_addresses WHERE user_id = :user AND address = :canonical
                            UNION SELECT id FROM articles
                            WHERE user_id = :user AND canonical_url IN (:canonical, :final))
                    ORDER BY a.id LIMIT 1
                    """),
            arguments: [
                "user": user, "id": id, "words": version.words, "text": version.text,
                "canonical": canonical, "final": final.normalized,
            ])
    }

    private func version(
        _ text: ExtractedArticle, at final: ArticleAddress, _ canonical: String?
    ) -> ArticleVersion {
        let published = text.published.map {
            ClockSkew.clamped($0, now: reading.now).date.timeIntervalSince1970
        }
        return ArticleVersion(
            finalURL: final.text, site: final.site, canonicalURL: canonical,
            title: ArticleRules.strangers(text.title, maximumLength: ArticleRules.maximumTitleLength),
            author: ArticleRules.strangers(text.byline, maximumLength: 120),
            publishedAt: published.flatMap { $0 >= 0 ? $0 : nil },
            language: Self.language(text.language ?? LanguageGuess.language(of: text.text)),
            kind: text.kind.rawValue,
            imageURL: text.leadImage.flatMap { $0.hasPrefix("http") ? try? ArticleAddress($0).text : nil },
            excerpt: Self.excerpt(of: text), words: text.wordCount, fetchedAt: time, text: text.text,
            markup: text.markup.html)
    }

    private func put(_ text: ExtractedArticle, into id: ArticleID) throws {
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
