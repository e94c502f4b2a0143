package import Foundation
package import RoostSupport
import TextFormats

/// Something that was saved, or shared with somebody: it waits until it is processed.
package struct SharedItem: Equatable, Hashable, Identifiable, Sendable {
    package let id: String
    package var url: String
    package var title: String?
    /// "bookmarklet", "share", "chat", "import", or the token's name.
    package var sourceApplication: String?
    package var createdAt: Date
    package var processed: Bool
    /// With whom; nil: the user's own save.
    package var sharedWith: String?
    package var withdrawnAt: Date?
    /// Why it could not be processed, in words.
    package var error: String?

    /// Throws `ValidationError` without an id or an address.
    package init(
        id: String, url: String, title: String? = nil, sourceApplication: String? = nil, createdAt: Date,
        processed: Bool, sharedWith: String? = nil, withdrawnAt: Date? = nil, error: String? = nil
    ) throws {
        for (field, text) in ["id": id, "url": url] where text.isWhitespace {
            throw ValidationError(field: field, why: "is empty")
        }
        self.id = id
        self.url = url
        self.title = title
        self.sourceApplication = sourceApplication
        self.createdAt = createdAt
        self.processed = processed
        self.sharedWith = sharedWith
        self.withdrawnAt = withdrawnAt
        self.error = error
    }
}

extension SharedItem: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, url, title, sourceApplication, createdAt, processed, sharedWith, withdrawnAt, error
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(String.self, forKey: .id), url: values.decode(String.self, forKey: .url),
            title: values.decodeIfPresent(String.self, forKey: .title),
            sourceApplication: values.decodeIfPresent(String.self, forKey: .sourceApplication),
            createdAt: values.decode(JSONTime.self, forKey: .createdAt).date,
            processed: values.decode(Bool.self, forKey: .processed),
            sharedWith: values.decodeIfPresent(String.self, forKey: .sharedWith),
            withdrawnAt: values.decodeIfPresent(JSONTime.self, forKey: .withdrawnAt)?.date,
            error: values.decodeIfPresent(String.self, forKey: .error))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(url, forKey: .url)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encodeIfPresent(sourceApplication, forKey: .sourceApplication)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
        try values.encode(processed, forKey: .processed)
        try values.encodeIfPresent(sharedWith, forKey: .sharedWith)
        try values.encodeIfPresent(withdrawnAt.map(JSONTime.init), forKey: .withdrawnAt)
        try values.encodeIfPresent(error, forKey: .error)
    }
}

/// A shared item as a page shows it.
package struct SharedItemEntry: Equatable, Identifiable, Sendable {
    package typealias ID = Int64

    package var item: SharedItem
    package let id: Int64
    package let sharedBy: UserID
    /// What the people are called: their display names, or user names.
    package let sharedByName: String
    package let sharedWithName: String?
    /// The article that it became: the user's own alone.
    package let articleId: ArticleID?
    /// The gist that was shared, which may be read while the item is not withdrawn.
    package let gistId: GistID?
    package let attempts: Int
    /// When it is tried again; nil: at once, or never.
    package let nextTryAt: Date?

    package init(
        item: SharedItem, id: Int64, sharedBy: UserID, sharedByName: String, sharedWithName: String? = nil,
        articleId: ArticleID? = nil, gistId: GistID? = nil, attempts: Int = 0, nextTryAt: Date? = nil
    ) {
        self.item = item
        self.id = id
        self.sharedBy = sharedBy
        self.sharedByName = sharedByName
        self.sharedWithName = sharedWithName
        self.articleId = articleId
        self.gistId = gistId
        self.attempts = attempts
        self.nextTryAt = nextTryAt
    }
}

/// How many shared items there are.
package struct SharedItemCounts: Equatable, Sendable {
    /// Shared with the user, and neither saved nor dismissed.
    package let withMe: Int
    /// Shared by the user, and not withdrawn.
    package let byMe: Int
    /// The user's own saves that are still to be fetched.
    package let waiting: Int

    package init(withMe: Int, byMe: Int, waiting: Int) {
        self.withMe = withMe
        self.byMe = byMe
        self.waiting = waiting
    }
}
