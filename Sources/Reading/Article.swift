package import Foundation
import RoostSupport
import TextFormats

@usableFromInline package typealias ArticleID = Int64

/// A page that a user wants to read.
package struct Article: Equatable, Hashable, Identifiable, Sendable {
    package static let standardCategory = "Unsorted"

    /// Nil until the article is stored.
    package var id: String?
    /// The user's title, otherwise the page's; the address until the page is fetched.
    package var title: String
    package var url: String
    package var category: String
    package var userId: String
    package var createdAt: Date?
    package var updatedAt: Date?
    package var gistCreated: Bool?
    package var gistId: String?

    /// Throws `ValidationError` if a text is blank.
    package init(
        id: String? = nil, title: String, url: String, category: String = Article.standardCategory,
        userId: String, createdAt: Date? = nil, updatedAt: Date? = nil, gistCreated: Bool? = nil,
        gistId: String? = nil
    ) throws {
        for (field, text) in ["title": title, "url": url, "category": category, "userId": userId]
        where text.isWhitespace {
            throw ValidationError(field: field, why: "is empty")
        }
        self.id = id
        self.title = title
        self.url = url
        self.category = category
        self.userId = userId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.gistCreated = gistCreated
        self.gistId = gistId
    }
}

extension Article {
    /// Does not check the texts again.
    package init(_ item: ArticleItem) {
        id = "\(item.id)"
        title = item.title
        url = item.url
        category = item.category
        userId = "\(item.owner)"
        createdAt = item.createdAt
        updatedAt = item.updatedAt
        gistCreated = item.gistId != nil
        gistId = item.gistId.map { "\($0)" }
    }
}

extension Article: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, url, category, userId, createdAt, updatedAt, gistCreated, gistId
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decodeIfPresent(String.self, forKey: .id),
            title: values.decode(String.self, forKey: .title),
            url: values.decode(String.self, forKey: .url),
            category: values.decodeIfPresent(String.self, forKey: .category) ?? Self.standardCategory,
            userId: values.decode(String.self, forKey: .userId),
            createdAt: values.decodeIfPresent(JSONTime.self, forKey: .createdAt)?.date,
            updatedAt: values.decodeIfPresent(JSONTime.self, forKey: .updatedAt)?.date,
            gistCreated: values.decodeIfPresent(Bool.self, forKey: .gistCreated),
            gistId: values.decodeIfPresent(String.self, forKey: .gistId))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(id, forKey: .id)
        try values.encode(title, forKey: .title)
        try values.encode(url, forKey: .url)
        try values.encode(category, forKey: .category)
        try values.encode(userId, forKey: .userId)
        try values.encodeIfPresent(createdAt.map(JSONTime.init), forKey: .createdAt)
        try values.encodeIfPresent(updatedAt.map(JSONTime.init), forKey: .updatedAt)
        try values.encodeIfPresent(gistCreated, forKey: .gistCreated)
        try values.encodeIfPresent(gistId, forKey: .gistId)
    }
}
