package import Foundation
import RoostSupport
import TextFormats

package typealias GistID = Int64

/// A summary of an article or of a pasted text.
package struct Gist: Equatable, Hashable, Identifiable, Sendable {
    package let id: String
    package var title: String
    /// Paragraphs separated by newlines.
    package var content: String
    package var userId: String
    package var sourceUrl: String?
    package var category: String?
    package var createdAt: Date?
    package var updatedAt: Date?

    /// Throws `ValidationError` if a required text is blank.
    package init(
        id: String, title: String, content: String, userId: String, sourceUrl: String? = nil,
        category: String? = nil, createdAt: Date? = nil, updatedAt: Date? = nil
    ) throws {
        for (field, text) in ["id": id, "title": title, "content": content, "userId": userId]
        where text.isWhitespace {
            throw ValidationError(field: field, why: "is empty")
        }
        self.id = id
        self.title = title
        self.content = content
        self.userId = userId
        self.sourceUrl = sourceUrl
        self.category = category
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension Gist {
    /// Does not check the texts again.
    package init(_ item: GistItem) {
        id = "\(item.id)"
        title = item.title
        content = item.content
        userId = "\(item.owner)"
        sourceUrl = item.sourceUrl
        category = item.category
        createdAt = item.createdAt
        updatedAt = item.updatedAt
    }
}

extension Gist: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, content, userId, sourceUrl, category, createdAt, updatedAt
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(String.self, forKey: .id),
            title: values.decode(String.self, forKey: .title),
            content: values.decode(String.self, forKey: .content),
            userId: values.decode(String.self, forKey: .userId),
            sourceUrl: values.decodeIfPresent(String.self, forKey: .sourceUrl),
            category: values.decodeIfPresent(String.self, forKey: .category),
            createdAt: values.decodeIfPresent(JSONTime.self, forKey: .createdAt)?.date,
            updatedAt: values.decodeIfPresent(JSONTime.self, forKey: .updatedAt)?.date)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(title, forKey: .title)
        try values.encode(content, forKey: .content)
        try values.encode(userId, forKey: .userId)
        try values.encodeIfPresent(sourceUrl, forKey: .sourceUrl)
        try values.encodeIfPresent(category, forKey: .category)
        try values.encodeIfPresent(createdAt.map(JSONTime.init), forKey: .createdAt)
        try values.encodeIfPresent(updatedAt.map(JSONTime.init), forKey: .updatedAt)
    }
}
