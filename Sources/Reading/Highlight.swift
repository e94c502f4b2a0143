package import Foundation
import RoostSupport
import TextFormats

/// A passage of an article that its reader has marked.
package struct Highlight: Equatable, Hashable, Identifiable, Sendable {
    /// A lower-case UUID.
    package let id: String
    package let articleId: ArticleID
    /// In UTF-16 units of the text content of the article's body as it is shown.
    package var start: Int
    package var end: Int
    package var quote: String
    /// Up to 32 characters on either side, to find it again in a text that has changed.
    package var before: String
    package var after: String
    package var note: String
    package let createdAt: Date
    package var updatedAt: Date

    package init(
        id: String, articleId: ArticleID, start: Int, end: Int, quote: String, before: String = "",
        after: String = "", note: String = "", createdAt: Date, updatedAt: Date
    ) {
        self.id = id
        self.articleId = articleId
        self.start = start
        self.end = end
        self.quote = quote
        self.before = before
        self.after = after
        self.note = note
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension Highlight {
    /// The same in another article.
    func placed(in article: ArticleID) -> Highlight {
        Highlight(
            id: id, articleId: article, start: start, end: end, quote: quote, before: before, after: after,
            note: note, createdAt: createdAt, updatedAt: updatedAt)
    }
}

extension Highlight: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, articleId, start, end, quote, before, after, note, createdAt, updatedAt
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let article = try values.decode(String.self, forKey: .articleId)
        guard let articleId = ArticleID(article) else {
            throw ValidationError(field: "articleId", why: "is no number")
        }
        self.init(
            id: try values.decode(String.self, forKey: .id), articleId: articleId,
            start: try values.decode(Int.self, forKey: .start),
            end: try values.decode(Int.self, forKey: .end),
            quote: try values.decode(String.self, forKey: .quote),
            before: try values.decodeIfPresent(String.self, forKey: .before) ?? "",
            after: try values.decodeIfPresent(String.self, forKey: .after) ?? "",
            note: try values.decodeIfPresent(String.self, forKey: .note) ?? "",
            createdAt: try values.decode(JSONTime.self, forKey: .createdAt).date,
            updatedAt: try values.decode(JSONTime.self, forKey: .updatedAt).date)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(String(articleId), forKey: .articleId)
        try values.encode(start, forKey: .start)
        try values.encode(end, forKey: .end)
        try values.encode(quote, forKey: .quote)
        try values.encode(before, forKey: .before)
        try values.encode(after, forKey: .after)
        try values.encode(note, forKey: .note)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
        try values.encode(JSONTime(updatedAt), forKey: .updatedAt)
    }
}

/// What a reader marks.
package struct NewHighlight: Sendable, Equatable {
    package var start: Int
    package var end: Int
    package var quote: String
    package var before: String
    package var after: String
    package var note: String

    package init(
        start: Int, end: Int, quote: String, before: String = "", after: String = "", note: String = ""
    ) {
        self.start = start
        self.end = end
        self.quote = quote
        self.before = before
        self.after = after
        self.note = note
    }
}
