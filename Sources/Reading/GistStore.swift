import ArticleText
import Foundation
import GRDB
import RoostSupport

enum GistStore {
    static let unknownGist = RoostError.notFound("There is no such gist.")
}

extension Reads {
    fileprivate func gist(where condition: String, _ arguments: StatementArguments) throws -> GistItem? {
        try database.row(GistItem.select + " WHERE " + condition, arguments).map { try GistItem($0) }
    }

    /// Throws `RoostError.notFound` if the gist isn't the user's own.
    func ownGist(_ id: GistID, of user: UserID) throws -> GistItem {
        guard let gist = try gist(where: "g.id = ? AND g.user_id = ?", [id, user]) else {
            throw GistStore.unknownGist
        }
        return gist
    }

    /// Returns the user's own gist or one that was shared with them.
    func visibleGist(_ id: GistID, to user: UserID) throws -> GistItem {
        let found = try gist(
            where: """
                g.id = :id AND (g.user_id = :user OR EXISTS (SELECT 1 FROM shared_items
                    WHERE gist_id = g.id AND shared_with = :user AND withdrawn_at IS NULL))
                """, ["id": id, "user": user])
        guard let found else { throw GistStore.unknownGist }
        return found
    }

    func gist(of article: ArticleID) throws -> GistItem? { try gist(where: "g.article_id = ?", [article]) }

    func gist(shareHash: [UInt8]) throws -> GistItem? {
        try gist(where: "g.share_hash = ?", [Data(shareHash)])
    }

    /// Newest first, up to `limit` + 1.
    func gists(of user: UserID, after position: ArticlePosition?, limit: Int) throws -> [GistItem] {
        try database.rows(
            GistItem.select + """
                 WHERE g.user_id = ? AND (g.created_at, g.id) < (?, ?)
                ORDER BY g.created_at DESC, g.id DESC LIMIT ?
                """, [user, position?.number ?? 1e12, position?.id ?? .max, limit + 1]
        ).readable { try GistItem($0) }
    }

    func gistCount(of user: UserID) throws -> Int {
        try database.value(Int.self, "SELECT count(*) FROM gists WHERE user_id = ?", [user])
            ?? 0
    }

    func nextGistForModel() throws -> (gist: GistItem, text: String, language: String?)? {
        guard let gist = try gist(where: "g.model_length IS NOT NULL ORDER BY g.id LIMIT 1", []) else {
            return nil
        }
        let row = try database.row(
            """
            SELECT coalesce(g.model_text, body.text, '') AS text, article.language AS language FROM gists AS g
            LEFT JOIN articles AS article ON article.id = g.article_id
            LEFT JOIN article_texts AS body ON body.article_id = g.article_id
            WHERE g.id = ?
            """, [gist.id])
        guard let row else { return nil }
        return (
            gist, try row.text("text", maximumBytes: ReadingStore.maximumTextBytes),
            try row.textIfPresent("language")
        )
    }

    func articlesDueForGist(limit: Int) throws -> [(article: ArticleID, user: UserID)] {
        try database.rows(
            """
            SELECT id, user_id FROM articles
            WHERE auto_create_gist = 1 AND fetch_state = 'fetched' AND user_id IS NOT NULL LIMIT ?
            """, [limit]
        ).readable { (try $0.id("id"), try $0.id("user_id")) }
    }
}

extension Writes {
    /// Saves a gist, replacing the article's previous one.
    ///
    /// - Parameters:
    ///   - modelLength: the length to request from the model, if any
    ///   - modelText: the text to send to the model if there is no article
    func putGist(
        _ draft: GistDetails, article: ArticleID?, modelLength: GistLength?, modelText: String? = nil,
        by user: UserID, at now: Date
    ) throws -> GistItem {
        var details = draft
        (details.createdAt, details.updatedAt) = (now, now)
        guard let article, let existing = try gist(of: article) else {
            let id = try insert(
                details, into: "gists",
                keys: [
                    "user_id": user, "article_id": article, "model_length": modelLength?.storedValue,
                    "model_text": modelText,
                ])
            return try ownGist(id, of: user)
        }
        try update(
            "gists", with: details, omitting: ["created_at", "updated_at"], where: "id = ?", [existing.id])
        try execute(
            """
            UPDATE gists SET model_length = ?, model_text = ?, updated_at = max(?, updated_at + 0.001)
            WHERE id = ?
            """, [modelLength?.storedValue, modelText, now.stored, existing.id])
        return try ownGist(existing.id, of: user)
    }

    func editGist(
        _ gist: GistItem, title: String?, content: String?, category: String?, at now: Date
    ) throws {
        var details = gist.details
        (details.title, details.content) = (title ?? details.title, content ?? details.content)
        details.category = category ?? details.category
        let isEdited = details.content != gist.content
        details.isEdited = details.isEdited || isEdited
        try update("gists", from: gist.details, to: details, where: "id = ?", [gist.id])
        try execute(
            """
            UPDATE gists SET model_length = iif(?, NULL, model_length), model_text = iif(?, NULL, model_text),
                updated_at = max(?, updated_at + 0.001)
            WHERE id = ?
            """, [isEdited, isEdited, now.stored, gist.id])
    }

    func removeGist(_ id: GistID) throws {
        try execute("DELETE FROM gists WHERE id = ?", [id])
    }

    /// - Parameter article: the gist's article, if it has no other gist now
    func restoreGist(_ gist: GistItem, of article: ArticleID?, at now: Date) throws {
        var details = gist.details
        details.updatedAt = max(now, details.updatedAt)
        try insert(
            details, into: "gists", keys: ["id": gist.id, "user_id": gist.owner, "article_id": article])
    }

    func insertGist(_ details: GistDetails, article: ArticleID?, of user: UserID) throws -> GistID {
        try insert(details, into: "gists", keys: ["user_id": user, "article_id": article])
    }

    func setGistShare(_ id: GistID, hash: [UInt8]?, sealed: [UInt8]?) throws {
        try execute(
            "UPDATE gists SET share_hash = ?, share_sealed = ? WHERE id = ?",
            [hash.map { Data($0) }, sealed.map { Data($0) }, id])
    }

    /// Saves the model's text, or the reason why the model failed, unless the user has edited the gist in the meantime.
    func storeModelAnswer(
        to gist: GistItem, content: String?, note: String?, at now: Date
    ) throws {
        try execute(
            """
            UPDATE gists SET content = coalesce(:content, content), note = :note, model_length = NULL,
                model_text = NULL, method = CASE WHEN :content IS NULL THEN method ELSE 'model' END,
                updated_at = max(:now, updated_at + 0.001)
            WHERE id = :id AND model_length IS NOT NULL AND is_edited = 0
            """, ["content": content, "note": note, "now": now.stored, "id": gist.id])
    }

    func clearGistRequest(_ article: ArticleID) throws {
        try execute("UPDATE articles SET auto_create_gist = 0 WHERE id = ?", [article])
    }
}
