import RoostSupport

/// One row's part in a change that can be undone. Deleted articles need none, because they are still stored.
struct ReadingUndoStep: UndoStep {
    /// An article before an edit; SQLite writes the same form.
    struct EditedArticle: Codable, Sendable {
        static let columnNames = StoredColumns(BulkArticleChange()).names + ["archived_at"]

        let id: ArticleID
        let columns: StoredColumns
        let tags: [String]
        /// The edit; nil if a version before this field stored the step.
        let change: BulkArticleChange?
    }

    struct NewTextChoice: Codable, Sendable {
        let article: ArticleID
        /// The rejected text: the old one if `isUsed`, otherwise the new one.
        let version: ArticleVersion
        let reason: ArticleItem.NewText.Reason
        let isUsed: Bool
    }

    var article: EditedArticle?
    var highlight: Highlight?
    var gist: GistItem?
    var newText: NewTextChoice?

    static let feature = "reading"
    static let maximumChanges = 20
    /// Two edits of all articles.
    static let maximumSteps = 2 * ReadingService.maximumArticles
}
