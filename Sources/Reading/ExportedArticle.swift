import Foundation
import RoostSupport

/// An article as an export has it; `JSONArticle` reads the same names.
struct ExportedArticle: Encodable, Sendable {
    struct Highlight: Encodable, Sendable {
        let quote, note: String
        let start, end: Int
        let before, after: String
        let createdAt, updatedAt: JSONTime
    }

    struct Gist: Encodable, Sendable {
        let title, content: String
        let sourceUrl, category: String?
        let method: String
        let note: String?
        let isEdited: Bool
        let createdAt, updatedAt: JSONTime
    }

    let url: String
    let finalUrl: String?
    let title: String
    let titleIsGiven: Bool
    let category: String
    let tags: [String]
    let state: ArticleState
    let isFavorite: Bool
    let createdAt, savedAt, updatedAt: JSONTime
    let archivedAt, openedAt, publishedAt: JSONTime?
    let site: String
    let author, language, excerpt, image: String?
    let progress: Double
    var highlights: [Highlight] = []
    let gist: Gist?
    /// The state of its text, the reason if it has no text, and its kind if it isn't a page.
    let fetchState: String
    let error, mediaType, kind: String?
    let fetchedAt: JSONTime?
    /// The text's markup, and the text itself.
    let content, text: String?
}
