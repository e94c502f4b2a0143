package import Foundation

/// One article as a file tells of it: ours, another program's, or one written by hand. Nothing of it is trusted yet.
package struct ImportedArticle: Codable, Equatable, Sendable {
    package struct Highlight: Codable, Equatable, Sendable {
        package var quote: String
        package var note: String?
        package var id: String?
        /// In UTF-16 units of the article's text, where the file is our own.
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
    /// Where a fetch of it ended, after redirects.
    package var finalUrl: String?
    package var title: String?
    /// Whether somebody has written the title; nil: the file does not say.
    var isTitleGiven: Bool?
    package var category: String?
    package var tags: [String] = []
    package var isArchived = false
    package var isFavorite = false
    /// When it was first saved, and when it was last.
    package var createdAt, savedAt: Date?
    package var archivedAt, openedAt, publishedAt, updatedAt: Date?
    package var author, site, language, excerpt, image: String?
    /// 0 to 1.
    package var progress: Double?
    /// What the user wrote about the article as a whole.
    package var note: String?
    /// The article's text as the other program had extracted it, as HTML; not cleaned yet.
    package var content: String?
    package var highlights: [Highlight] = []
    package var gist: Gist?
    /// Of our own files alone: the markup in `content` is as Roost has written it, and all else as it was.
    package var isOwn: Bool?
    /// The plain text beside the markup, of our own files.
    package var text: String?
    package var kind, mediaType, fetchState, error: String?
    package var fetchedAt: Date?
}
