package import Foundation

/// An article as read from a file, not yet checked.
@dynamicMemberLookup package struct ImportedArticle: Codable, Equatable, Sendable {
    package struct Highlight: Codable, Equatable, Sendable {
        package var quote: String
        package var note: String?
        package var id: String?
        /// In UTF-16 units of the article's text; only in our own files.
        package var start, end: Int?
        package var before, after: String?
        package var createdAt, updatedAt: Date?
    }

    package struct Gist: Codable, Equatable, Sendable {
        package var title: String?
        package var content: String
        package var sourceUrl, category, method, note: String?
        package var isEdited = false
        package var createdAt, updatedAt: Date?
    }

    package var url = ""
    /// After redirects.
    package var finalUrl: String?
    package var title: String?
    /// Whether the user wrote the title, or nil if the file does not say.
    var isTitleGiven: Bool?
    package var category: String?
    package var tags: [String] = []
    /// First and last time of saving, and of the last change.
    package var createdAt, savedAt, updatedAt: Date?
    package var site: String?
    /// Everything else; title, category and times of saving are only set once it is checked.
    package var details = ArticleDetails()
    package var note: String?
    /// HTML extracted by the other program, not cleaned yet.
    package var content: String?
    package var highlights: [Highlight] = []
    package var gist: Gist?
    /// True for our own files: `content` is markup that Roost wrote, and everything is kept unchanged.
    package var isOwn: Bool?
    package var text: String?
    /// The readers' comments as markup; only in our own files.
    package var comments: String?
    var isPartial: Bool?
    package var kind, mediaType, fetchState, error: String?
    package var fetchedAt: Date?

    package subscript<Value>(dynamicMember detail: WritableKeyPath<ArticleDetails, Value>) -> Value {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }

    package var isArchived: Bool {
        get { details.state == .archived }
        set { details.state = newValue ? .archived : .unread }
    }
}
