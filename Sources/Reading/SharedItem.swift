package import Foundation
package import RoostSupport
import TextFormats

/// A saved page in the queue, or something shared with another user.
package struct SharedItem: Equatable, Hashable, Identifiable, Sendable {
    package let id: String
    package var url: String
    package var title: String?
    /// "bookmarklet", "share", "chat", "import", or the token's name.
    package var sourceApplication: String?
    package var createdAt: Date
    package var processed: Bool
    /// The recipient, or nil for the user's own save.
    package var sharedWith: String?
    package var withdrawnAt: Date?
    package var error: String?

    /// Throws `ValidationError` if the id or the address is blank.
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

extension SharedItem {
    /// Does not check the texts again.
    package init(_ entry: SharedItemEntry) {
        id = "\(entry.id)"
        url = entry.url
        title = entry.title
        sourceApplication = entry.sourceApplication
        createdAt = entry.createdAt
        processed = entry.processed
        sharedWith = entry.sharedWith.map { "\($0)" }
        withdrawnAt = entry.withdrawnAt
        error = entry.error
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

package struct SharedItemEntry: ColumnRecord, Equatable, Identifiable, Sendable {
    package typealias ID = Int64

    package var id: ID = 0
    package var sharedBy: UserID = 0
    /// The recipient, or nil for the user's own save.
    package var sharedWith: UserID?
    package var url = ""
    package var title: String?
    package var sourceApplication: String?
    package var createdAt = Date(timeIntervalSince1970: 0)
    package var processed = false
    package var withdrawnAt: Date?
    package var error: String?
    package var attempts = 0
    private var dueAt = Date(timeIntervalSince1970: 0)
    private var madeArticleId: ArticleID?
    /// The shared gist, readable until the item is withdrawn.
    package var gistId: GistID?
    package var sharedByName = ""
    package var sharedWithName: String?

    package init() {}

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &sharedBy)
        try columns.column("shared_with", &sharedWith)
        try columns.column("url", &url)
        try columns.column("title", &title)
        try columns.column("source_application", &sourceApplication)
        try columns.column("created_at", &createdAt)
        try columns.column("processed", &processed)
        try columns.column("withdrawn_at", &withdrawnAt)
        try columns.column("error", &error)
        try columns.column("attempts", &attempts)
        try columns.column("next_try_at", &dueAt)
        try columns.column("article_id", &madeArticleId)
        try columns.column("gist_id", &gistId)
        try columns.column(
            "giver_name", sql: "(SELECT shown_name FROM users WHERE id = s.user_id)", &sharedByName)
        try columns.column(
            "taker_name", sql: "(SELECT shown_name FROM users WHERE id = s.shared_with)", &sharedWithName)
    }

    static let select = "SELECT \(selection(of: "s")) FROM shared_items AS s"

    /// The article made from the user's own save; the other users' articles have no link.
    package var articleId: ArticleID? { sharedWith == nil ? madeArticleId : nil }
    /// The time of the next attempt; nil for at once or never.
    package var nextTryAt: Date? { !processed && dueAt.timeIntervalSince1970 > 0 ? dueAt : nil }
}

package struct SharedItemCounts: Equatable, Sendable {
    /// Shared with the user, and neither saved nor dismissed.
    package let withMe: Int
    package let byMe: Int
    /// The user's own saves that are not fetched yet.
    package let waiting: Int
}
