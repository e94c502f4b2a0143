import Foundation
import GRDB
import RoostSupport

struct ArticleJob: ColumnRecord, Sendable {
    /// The shared item's id.
    var id: Int64 = 0
    var user: UserID = 0
    var url = ""
    var host = ""

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &user)
        try columns.column("url", &url)
        try columns.column("host", &host)
    }
}

extension Reads {
    /// Returns a due job of a host that isn't busy; the users' own saves come before imports.
    func nextArticleJob(busy: Set<String>, at now: Date) throws -> ArticleJob? {
        let hosts = String(decoding: try JSONEncoder().encode(busy.sorted()), as: UTF8.self)
        // A time beyond any delay was written before the clock was set back.
        return try database.row(
            """
            SELECT \(ArticleJob.selection(of: "shared_items")) FROM shared_items INDEXED BY shared_items_queue
            WHERE processed = 0 AND shared_with IS NULL
                AND (next_try_at <= :now OR next_try_at > :latest)
                AND host NOT IN (SELECT value FROM json_each(:busy))
            ORDER BY is_import, next_try_at, id LIMIT 1
            """, ["now": now.stored, "latest": (now + 2 * 3_600).stored, "busy": hosts]
        ).map { try ArticleJob($0) }
    }

    /// When the next job is due, or nil if the queue is empty.
    func nextArticleTry() throws -> Date? {
        try database.value(
            StoredTime.self,
            """
            SELECT min(next_try_at) FROM shared_items INDEXED BY shared_items_queue
            WHERE processed = 0 AND shared_with IS NULL
            """
        )?.date
    }

    /// How many jobs of all users wait in the queues for pages, gists and imported articles.
    func readingQueueCounts() throws -> (pages: Int, gists: Int, imports: Int) {
        func count(_ sql: String) throws -> Int { try database.value(Int.self, sql) ?? 0 }
        return (
            try count(
                """
                SELECT count(*) FROM shared_items INDEXED BY shared_items_queue
                WHERE processed = 0 AND shared_with IS NULL
                """),
            try count(
                "SELECT count(*) FROM articles WHERE auto_create_gist = 1 AND fetch_state = 'fetched'"),
            try openImports().reduce(0) { sum, open in
                sum
                    + (try database.value(
                        Int.self,
                        "SELECT count(*) FROM reading_import_rows WHERE import_id = ? AND state = 'waiting'",
                        [open.id]) ?? 0)
            }
        )
    }

    /// Returns nil if the job is done.
    func waitingArticleJob(
        _ id: Int64
    ) throws -> (article: ArticleID?, attempts: Int, html: [UInt8]?)? {
        try database.row(
            "SELECT article_id, attempts, html FROM shared_items WHERE id = ? AND processed = 0", [id]
        ).map { row in
            let html: Data? = try row.value("html")
            return (
                try row.idIfPresent("article_id"), try row.number("attempts", in: 0...Int(Int32.max)),
                html.map { Array($0) }
            )
        }
    }

    func articleAttempts(of job: ArticleJob) throws -> Int {
        try database.value(Int.self, "SELECT attempts FROM shared_items WHERE id = ?", [job.id]) ?? 0
    }

    /// Finds another article with exactly the same text, if one page names the other as canonical or both name a third.
    func duplicateArticle(
        of version: ArticleVersion, canonical: String, final: String, besides id: ArticleID, of user: UserID
    ) throws -> ArticleID? {
        try database.value(
            ArticleID.self,
            """
            SELECT a.id FROM articles AS a JOIN article_texts AS body ON body.article_id = a.id
            WHERE a.user_id = :user AND a.id <> :id AND a.word_count = :words AND body.text = :text
                AND a.id IN (
                    SELECT article_id FROM article_addresses WHERE user_id = :user AND address = :canonical
                    UNION SELECT id FROM articles
                    WHERE user_id = :user AND canonical_url IN (:canonical, :final))
            ORDER BY a.id LIMIT 1
            """,
            [
                "user": user, "id": id, "words": version.words, "text": version.text,
                "canonical": canonical, "final": final,
            ])
    }
}

extension Writes {
    func addArticleAttempt(_ job: ArticleJob) throws {
        try execute("UPDATE shared_items SET attempts = attempts + 1 WHERE id = ?", [job.id])
    }

    func removeArticleAttempt(_ job: ArticleJob) throws {
        try execute("UPDATE shared_items SET attempts = max(0, attempts - 1) WHERE id = ?", [job.id])
    }

    /// Delays the jobs that have been tried: their last attempt may have ended with the process.
    func delayTriedArticleJobs(until next: Date) throws {
        try execute(
            """
            UPDATE shared_items SET next_try_at = :next
            WHERE processed = 0 AND shared_with IS NULL AND attempts > 0 AND next_try_at < :next
            """, ["next": next.stored])
    }

    func removeArticleJob(_ job: ArticleJob) throws {
        try execute("DELETE FROM shared_items WHERE id = ?", [job.id])
    }

    func noteArticleFailure(
        of job: ArticleJob, _ failure: ArticlePageFailure, isLast: Bool, nextTry: Date, at now: Date
    ) throws {
        // A page sent by the browser cannot be fetched again: its HTML stays until the last attempt.
        try execute(
            """
            UPDATE shared_items SET error = ?, processed = ?, next_try_at = ?,
                html = CASE WHEN ? THEN NULL ELSE html END
            WHERE id = ?
            """, [failure.reason, isLast, nextTry.stored, isLast, job.id])
        // An existing text stays.
        try execute(
            """
            UPDATE articles SET error = ?, error_status = ?, updated_at = max(?, updated_at + 0.001),
                fetch_state = CASE WHEN ? AND fetch_state = 'waiting' THEN
                    CASE WHEN EXISTS (SELECT 1 FROM article_texts WHERE article_id = articles.id)
                        THEN 'fetched' ELSE 'failed' END
                    ELSE fetch_state END
            WHERE id = (SELECT article_id FROM shared_items WHERE id = ?)
            """, [failure.reason, failure.status, now.stored, isLast, job.id])
    }

    func finishArticleJob(_ job: ArticleJob) throws {
        try execute(
            "UPDATE shared_items SET processed = 1, error = NULL, html = NULL WHERE id = ?", [job.id])
    }

    /// Records that the page is a file of this media type.
    func setArticleLink(_ type: String, at final: ArticleAddress, of id: ArticleID, at now: Date) throws {
        try execute(
            """
            UPDATE articles SET media_type = ?, final_url = ?, site = ?, fetched_at = ?, error = NULL,
                error_status = NULL, updated_at = max(?, updated_at + 0.001),
                fetch_state = CASE WHEN EXISTS (SELECT 1 FROM article_texts WHERE article_id = articles.id)
                    THEN 'fetched' ELSE 'link' END
            WHERE id = ?
            """, [type, final.text, final.site, now.stored, now.stored, id])
    }

    func putArticleText(of version: ArticleVersion, in id: ArticleID) throws {
        try execute(
            "UPDATE article_texts SET text = ?, markup = ?, comments = ? WHERE article_id = ?",
            [version.text, version.markup, version.comments, id])
        if database.changesCount == 0 {
            try execute(
                "INSERT INTO article_texts (article_id, text, markup, comments) VALUES (?, ?, ?, ?)",
                [id, version.text, version.markup, version.comments])
        }
        try relocateHighlights(of: id)
    }

    /// Removes processed items after 30 days.
    func removeOldArticleJobs(at now: Date) throws {
        try execute(
            """
            DELETE FROM shared_items WHERE id IN (
                SELECT id FROM shared_items WHERE processed = 1 AND shared_with IS NULL AND created_at < ? LIMIT 1000)
            """, [(now - 30 * 86_400).stored])
    }
}
