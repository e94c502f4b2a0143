import Foundation

/// An article of a file, checked and cleaned: as it goes into the tables.
struct PreparedArticle: Sendable {
    struct Text: Sendable {
        let markup, text: String
        let wordCount: Int
        let kind: String?
        /// Its end is missing.
        let isCut: Bool
    }

    var address: ArticleAddress
    /// Where a fetch of it ended, as the file says.
    var final: ArticleAddress?
    /// Nil: the page's, once it is fetched.
    var title: String?
    var isTitleGiven: Bool
    var category: String
    var tags: [String]
    var state: ArticleState
    var isFavorite: Bool
    var createdAt, savedAt, updatedAt: Date
    /// Whether the file says when the article was saved.
    var isDated: Bool
    var archivedAt, openedAt, publishedAt: Date?
    var author, language, excerpt, image: String?
    var progress: Double
    /// Nil: the file has none that can be read.
    var text: Text?
    var highlights: [Highlight]
    var gist: PreparedGist?
    /// Why there is no text, and what there is in place of a page, where the file says so.
    var error, mediaType: String?
    var fetchedAt: Date?
    /// What of it could not be taken over, in words.
    var remarks: [String] = []
}

/// Likewise a gist.
struct PreparedGist: Sendable {
    var title, content: String
    var sourceURL, category: String?
    var method: GistItem.Method
    var note: String?
    var isEdited: Bool
    var createdAt, updatedAt: Date
}
