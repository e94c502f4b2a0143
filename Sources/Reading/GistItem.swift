package import ArticleText
package import Foundation
package import GRDB
public import RoostSupport

/// What a gist says. Its row, exports and imported files have these in common.
package struct GistDetails: ColumnRecord, Codable, Hashable, Sendable {
    package var title = ""
    /// Paragraphs separated by newlines.
    package var content = ""
    package var sourceUrl: String?
    package var category: String?
    package var method = GistItem.Method.own
    /// Why the model did not write it, as a sentence, or nil.
    package var note: String?
    package var isEdited = false
    package var createdAt = Date(timeIntervalSince1970: 0)
    package var updatedAt = Date(timeIntervalSince1970: 0)

    package init() {}

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("title", &title)
        try columns.column("content", &content)
        try columns.column("source_url", &sourceUrl)
        try columns.column("category", &category)
        try columns.column("method", &method)
        try columns.column("note", &note)
        try columns.column("is_edited", &isEdited)
        try columns.column("created_at", &createdAt)
        try columns.column("updated_at", &updatedAt)
    }
}

@dynamicMemberLookup package struct GistItem: ColumnRecord, Codable, Equatable, Identifiable, Sendable {
    package enum Method: String, Codable, CaseIterable, ColumnValue, Sendable {
        /// Sentences that Roost selected from the text.
        case extractive
        case model
        case own
    }

    /// An undo step has no secrets.
    private enum CodingKeys: CodingKey { case id, owner, articleId, details }

    package var id: GistID = 0
    /// Another user if the gist was shared.
    package var owner: UserID = 0
    /// Nil for a pasted text, and after the article was deleted, even if it can still be restored.
    package var articleId: ArticleID?
    package var details = GistDetails()
    var shareSealed: Data?
    /// The length requested from the model, or nil if the model isn't asked.
    var modelLength: GistLength?
    /// Whether the model is writing it now; only set for the owner.
    package var isBeingWritten = false
    /// The text that the model has written so far; only set for the owner.
    package var draft: String?
    /// The secret of the read-only link; only set for the owner.
    package var shareToken: String?

    package init() {}

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &owner)
        try columns.column(
            "own_article", sql: "(SELECT id FROM articles WHERE id = g.article_id AND user_id = g.user_id)",
            &articleId)
        try details.columns(&columns)
        try columns.column("share_sealed", &shareSealed)
        try columns.column("model_length", &modelLength)
    }

    static let select = "SELECT \(selection(of: "g")) FROM gists AS g"

    package subscript<Value>(dynamicMember detail: WritableKeyPath<GistDetails, Value>) -> Value {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }

    package var gist: Gist { Gist(self) }
    package var waitsForModel: Bool { modelLength != nil }

    /// Without the text that the model is writing.
    package var withoutModel: GistItem {
        var gist = self
        (gist.modelLength, gist.isBeingWritten, gist.draft) = (nil, false, nil)
        return gist
    }
}

extension GistLength: ColumnValue {
    package static func read(_ row: Row, at index: Int) -> GistLength? {
        String.read(row, at: index).flatMap(GistLength.init(storedValue:))
    }

    package var stored: DatabaseValue { storedValue.databaseValue }
}

package struct GistPage: Equatable, Sendable {
    package let items: [GistItem]
    package let next: ArticlePosition?
    package let total: Int
}
