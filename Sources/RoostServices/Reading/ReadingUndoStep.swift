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

    var article: EditedArticle?
    var highlight: Highlight?
    var gist: GistRecord?

    /// Seconds that a change can be taken back.
    static let lifetime: TimeInterval = 600
    /// Changes of one user.
    static let maximum = 20
}
