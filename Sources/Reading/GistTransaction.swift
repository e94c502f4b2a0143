import ArticleText
import Foundation
import GRDB
import RoostSupport

/// Gists within one transaction.
struct GistTransaction {
    let reading: ReadingTransaction

    init(_ reading: ReadingTransaction) { self.reading = reading }

    static let isUnknown = RoostError.notFound("There is no such gist.")

    private var database: GRDB.Database { reading.database }
    private var time: Double { reading.now.timeIntervalSince1970 }

    private func one(_ condition: String, _ arguments: StatementArguments) throws -> GistRecord? {
        try Row.fetchOne(
            database.cachedStatement(sql: GistRecord.select + " WHERE " + condition), arguments: arguments
        ).map(GistRecord.init)
    }

    /// Throws `RoostError.notFound` for what is not the user's own.
    func own(_ id: GistID, of user: UserID) throws -> GistRecord {
        guard let gist = try one("g.id = ? AND g.user_id = ?", [id, user]) else { throw Self.isUnknown }
        return gist
    }

    /// The user's own, or one that somebody shares with him.
    func visible(_ id: GistID, to user: UserID) throws -> GistRecord {
        let found = try one(
            """
            g.id = :id AND (g.user_id = :user OR EXISTS (SELECT 1 FROM shared_items
                WHERE gist_id = g.id AND shared_with = :user AND withdrawn_at IS NULL))
            """, ["id": id, "user": user])
        guard let found else { throw Self.isUnknown }
        return found
    }

    func gist(of article: ArticleID) throws -> GistRecord? { try one("g.article_id = ?", [article]) }

    func gist(shareHash: [UInt8]) throws -> GistRecord? { try one("g.share_hash = ?", [Data(shareHash)]) }

    /// The newest first, one more than `limit` if there are so many.
    func list(of user: UserID, before cursor: ArticleListQuery.Cursor?, limit: Int) throws -> [GistRecord] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: GistRecord.select + """
                     WHERE g.user_id = ? AND (g.created_at, g.id) < (?, ?)
                    ORDER BY g.created_at DESC, g.id DESC LIMIT ?
                    """),
            arguments: [user, cursor?.number ?? 1e12, cursor?.id ?? .max, limit + 1]
        ).readable(GistRecord.init)
    }

    func count(of user: UserID) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM gists WHERE user_id = ?"), arguments: [user])
            ?? 0
    }

    /// What a gist says, before it has a number.
    struct Draft: Sendable {
        var title: String
        var content: String
        var sourceURL: String?
        var category: String?
        var method: GistItem.Method
        var note: String?
        /// For how long a gist the model is to be asked, and about which text where there is no article.
        var modelLength: GistLength?
        var modelText: String?
    }

    /// Puts the gist of an article, or one without: what is there is replaced.
    func put(_ draft: Draft, article: ArticleID?, by user: UserID) throws -> GistRecord {
        if let article, let known = try gist(of: article) {
            try reading.execute(
                """
                UPDATE gists SET title = ?, content = ?, source_url = ?, category = ?, method = ?, note = ?,
                    is_edited = 0, model_length = ?, model_text = ?,
                    updated_at = max(?, updated_at + 0.001)
                WHERE id = ?
                """,
                [
                    draft.title, draft.content, draft.sourceURL, draft.category, draft.method.rawValue,
                    draft.note, draft.modelLength?.word, draft.modelText, time, known.id,
                ])
            return try own(known.id, of: user)
        }
        try reading.execute(
            """
            INSERT INTO gists (user_id, article_id, title, content, source_url, category, method, note, model_length,
                model_text, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user, article, draft.title, draft.content, draft.sourceURL, draft.category,
                draft.method.rawValue, draft.note, draft.modelLength?.word, draft.modelText, time, time,
            ])
        return try own(database.lastInsertedRowID, of: user)
    }

    func edit(
        _ id: GistID, title: String?, content: String?, category: String?, ifUpdatedAt: Date?,
        by user: UserID
    ) throws -> GistRecord {
        let gist = try own(id, of: user)
        if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(gist.updatedAt)) > 0.000_9 {
            throw RoostError.conflict(
                field: "updatedAt", why: "This gist was changed meanwhile. Look at it before you save.")
        }
        let isEdited = content.map { $0 != gist.content } ?? false
        try reading.execute(
            """
            UPDATE gists SET title = ?, content = ?, category = ?, is_edited = max(is_edited, ?),
                model_length = CASE WHEN ? THEN NULL ELSE model_length END,
                model_text = CASE WHEN ? THEN NULL ELSE model_text END, updated_at = max(?, updated_at + 0.001)
            WHERE id = ?
            """,
            [
                title ?? gist.title, content ?? gist.content, category ?? gist.category, isEdited, isEdited,
                isEdited, time, id,
            ])
        return try own(id, of: user)
    }

    /// Answers how to take it back.
    func delete(_ id: GistID, by user: UserID) throws -> Int64 {
        let gist = try own(id, of: user)
        let undo = try reading.beginUndo(of: user)
        try reading.keep(ReadingUndoStep(gist: gist), in: undo)
        try reading.execute("DELETE FROM gists WHERE id = ?", [id])
        return undo
    }

    /// Its article may have another gist now: then it stands alone.
    func restore(_ gist: GistRecord) throws {
        let article = try gist.articleId.flatMap { try reading.record($0, of: gist.userId)?.item.id }
        let isTaken = try article.map { try self.gist(of: $0) != nil } ?? false
        try reading.execute(
            """
            INSERT INTO gists (id, user_id, article_id, title, content, source_url, category, method, note, is_edited,
                created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                gist.id, gist.userId, isTaken ? nil : article, gist.title, gist.content,
                gist.sourceURL, gist.category, gist.method.rawValue, gist.note, gist.isEdited,
                gist.createdAt.timeIntervalSince1970, max(time, gist.updatedAt.timeIntervalSince1970),
            ])
    }

    func setShare(_ id: GistID, hash: [UInt8]?, sealed: [UInt8]?) throws {
        try reading.execute(
            "UPDATE gists SET share_hash = ?, share_sealed = ? WHERE id = ?",
            [hash.map { Data($0) }, sealed.map { Data($0) }, id])
    }

    /// A gist that the model is to write, with its text.
    func nextForModel(
        except running: Set<GistID>
    ) throws -> (gist: GistRecord, text: String, language: String?)? {
        let gist = try one(
            "g.model_length IS NOT NULL AND g.id NOT IN (SELECT value FROM json_each(?)) ORDER BY g.id LIMIT 1",
            [running.jsonArray])
        guard let gist else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT coalesce(g.model_text, body.text, '') AS text, article.language AS language FROM gists AS g
                    LEFT JOIN articles AS article ON article.id = g.article_id
                    LEFT JOIN article_texts AS body ON body.article_id = g.article_id
                    WHERE g.id = ?
                    """), arguments: [gist.id])
        guard let row else { return nil }
        return (
            gist, try row.text("text", maximumBytes: ReadingStore.maximumTextBytes),
            try row.textIfPresent("language")
        )
    }

    /// Takes the model's words, or notes why there are none; nothing where the user has changed the gist meanwhile.
    func answered(_ gist: GistRecord, content: String?, note: String?) throws {
        try reading.execute(
            """
            UPDATE gists SET content = coalesce(:content, content), note = :note, model_length = NULL,
                model_text = NULL, method = CASE WHEN :content IS NULL THEN method ELSE 'model' END,
                updated_at = max(:now, updated_at + 0.001)
            WHERE id = :id AND model_length IS NOT NULL AND is_edited = 0
            """, ["content": content, "note": note, "now": time, "id": gist.id])
    }

    /// Articles that are to have a gist and have a text now.
    func dueArticles(limit: Int) throws -> [(article: ArticleID, user: UserID)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, user_id FROM articles
                    WHERE auto_create_gist = 1 AND fetch_state = 'fetched' AND user_id IS NOT NULL LIMIT ?
                    """), arguments: [limit]
        ).readable { (try $0.id("id"), try $0.id("user_id")) }
    }

    func noLongerDue(_ article: ArticleID) throws {
        try reading.execute("UPDATE articles SET auto_create_gist = 0 WHERE id = ?", [article])
    }
}
