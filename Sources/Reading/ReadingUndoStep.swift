import Foundation

/// One row's part in a change that can be taken back. Deleted articles need none: they are still there.
struct ReadingUndoStep: Codable, Sendable {
    /// An article before it was edited, as SQLite writes it too.
    struct EditedArticle: Codable, Sendable {
        let id: ArticleID
        let state: ArticleState
        /// 0 or 1.
        let isFavorite: Int
        let category: String
        let archivedAt: Double?
        let tags: [String]
    }

    /// What the user decided about a new text that had waited.
    struct NewTextChoice: Codable, Sendable {
        let article: ArticleID
        /// The text that the choice took away: the old one where the new one was used, else the new one.
        let version: ArticleVersion
        let reason: ArticleItem.NewText.Reason
        let isUsed: Bool
    }

    var article: EditedArticle?
    var highlight: Highlight?
    var gist: GistRecord?
    var newText: NewTextChoice?

    /// Seconds that a change can be taken back.
    static let lifetime: TimeInterval = 600
    /// Changes of one user.
    static let maximum = 20
}
