import Foundation

/// An imported article, checked and cleaned for the database.
struct PreparedArticle: Sendable {
    struct Text: Sendable {
        let markup, text: String
        let wordCount: Int
        let kind: String?
        let isCut: Bool
        /// Whether a paywall or a sign-in cut the text, according to the file.
        var isPartial: Bool?
        /// The readers' comments as markup.
        var comments: String?
    }

    var address: ArticleAddress
    /// After redirects, according to the file.
    var final: ArticleAddress?
    /// The address is its title until the page is fetched.
    var details: ArticleDetails
    var hasTitle: Bool
    /// Whether the file has its times.
    var isDated: Bool
    var updatedAt: Date
    var tags: [String]
    var text: Text?
    var highlights: [Highlight] = []
    var gist: GistDetails?
    /// Why there is no text, and the page's media type, according to the file.
    var error, mediaType: String?
    var fetchedAt: Date?
    var warnings: [String] = []
}
