import Foundation
import GRDB
import RoostSupport

/// An article that can be restored.
struct DeletedArticle: Sendable {
    let id: ArticleID
    let url: String
    let finalURL: String?
    let normalizedURL: String
    let isWaiting: Bool
}

extension Reads {
    func articles(deletedIn undo: UndoID, of user: UserID) throws -> [DeletedArticle] {
        try database.rows(
            """
            SELECT id, given_url, final_url, normalized_url, fetch_state FROM articles
            WHERE deleted_in = ? AND owner_id = ? ORDER BY id
            """, [undo, user]
        ).map { row in
            DeletedArticle(
                id: try row.id("id"), url: try row.text("given_url"),
                finalURL: try row.textIfPresent("final_url"), normalizedURL: try row.text("normalized_url"),
                isWaiting: try row.text("fetch_state") == "waiting")
        }
    }
}

extension Writes {
    func addUndoSteps(
        of articles: [ArticleID], before change: BulkArticleChange, to undo: UndoID, by user: UserID
    ) throws {
        let columns = ReadingUndoStep.EditedArticle.columnNames.map { "'\($0)', a.\($0)" }
        let change = String(decoding: try JSONEncoder().encode(change), as: UTF8.self)
        try addUndoSteps(
            ReadingUndoStep.self, to: undo,
            selecting: """
                SELECT json_object('article', json_object('id', a.id,
                    'columns', json_object(\(columns.joined(separator: ", "))), 'tags', json((
                        SELECT json_group_array(tag) FROM (
                            SELECT tag FROM article_tags WHERE article_id = a.id ORDER BY place))),
                    'change', json(?))) AS step
                FROM json_each(?) AS wanted CROSS JOIN articles AS a ON a.id = wanted.value
                """, [change, articles.jsonArray], by: user)
    }

    /// Shows the article in its owner's list again.
    ///
    /// - Parameter isDuplicate: whether another article has its address now
    func restoreArticle(_ id: ArticleID, isDuplicate: Bool) throws {
        if isDuplicate {
            try execute("UPDATE articles SET normalized_url = ? WHERE id = ?", ["deleted:\(id)", id])
        }
        try execute("UPDATE articles SET user_id = owner_id, deleted_in = NULL WHERE id = ?", [id])
    }

    /// Restores what the edit changed, except what was changed again since.
    func restoreArticle(
        _ item: ArticleItem, from edited: ReadingUndoStep.EditedArticle, at now: Date
    ) throws {
        let current = StoredColumns(item.details)
        // A version that did not store the edit restores everything.
        let done = edited.change?.columns ?? current
        let columns = edited.columns.filter { name in
            // The time goes with the state.
            let name = name == "archived_at" ? "state" : name
            return done[name] != .null && done[name] == current[name]
        }
        let areTagsSame = edited.change.map { $0.tags(of: edited.tags) == item.tags } ?? true
        let tags = areTagsSame && edited.tags != item.tags ? edited.tags : nil
        guard !columns.isEmpty || tags != nil else { return }
        try update("articles", with: columns, where: "id = ?", [item.id])
        try execute(
            "UPDATE articles SET updated_at = ? WHERE id = ?",
            [laterTime(than: item, at: now).stored, item.id])
        if let tags { try setArticleTags(tags, of: item.id) }
    }
}
