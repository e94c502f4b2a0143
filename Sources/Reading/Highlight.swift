package import Foundation
package import RoostSupport
import TextFormats

/// A passage of an article that the user has marked.
package struct Highlight: ColumnRecord, Hashable, Identifiable, Sendable {
    /// A lower-case UUID.
    package var id: String
    package var articleId: ArticleID
    /// In UTF-16 units of the displayed body's text content.
    package var start: Int
    package var end: Int
    package var quote: String
    /// Up to 32 characters on each side, to find the passage again after the text has changed.
    package var before = ""
    package var after = ""
    package var note = ""
    package var createdAt: Date
    package var updatedAt: Date
}

extension Highlight {
    package init() {
        let never = Date(timeIntervalSince1970: 0)
        self.init(id: "", articleId: 0, start: 0, end: 0, quote: "", createdAt: never, updatedAt: never)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("article_id", &articleId)
        try columns.column("start_offset", &start)
        try columns.column("end_offset", &end)
        try columns.column("quote", &quote)
        try columns.column("before", &before)
        try columns.column("after", &after)
        try columns.column("note", &note)
        try columns.column("created_at", &createdAt)
        try columns.column("updated_at", &updatedAt)
    }

    static let selection = selection(of: "article_highlights")

    func placed(in article: ArticleID) -> Highlight {
        var highlight = self
        highlight.articleId = article
        return highlight
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
            throw ValidationError(field: "articleId", why: "isn’t a number")
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
        try encodeContent(in: &values)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
        try values.encode(JSONTime(updatedAt), forKey: .updatedAt)
    }

    /// A highlight in an export, where ids mean nothing. The encoder formats its times.
    struct InFile: Encodable {
        let highlight: Highlight

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try highlight.encodeContent(in: &values)
            try values.encode(highlight.createdAt, forKey: .createdAt)
            try values.encode(highlight.updatedAt, forKey: .updatedAt)
        }
    }

    private func encodeContent(in values: inout KeyedEncodingContainer<CodingKeys>) throws {
        try values.encode(start, forKey: .start)
        try values.encode(end, forKey: .end)
        try values.encode(quote, forKey: .quote)
        try values.encode(before, forKey: .before)
        try values.encode(after, forKey: .after)
        try values.encode(note, forKey: .note)
    }
}

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
