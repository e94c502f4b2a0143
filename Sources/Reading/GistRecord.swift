import ArticleText
import Foundation
import GRDB
import RoostSupport

/// A row of `gists`. Its link's secret is sealed; what goes into an undo has neither hash nor secret.
struct GistRecord: Codable, Sendable {
    let id: GistID
    let userId: UserID
    var articleId: ArticleID?
    var title: String
    var content: String
    var sourceURL: String?
    var category: String?
    var method: GistItem.Method
    var note: String?
    var isEdited: Bool
    let createdAt: Date
    var updatedAt: Date
    var shareSealed: [UInt8]?
    /// How long the model's gist is to be; nil: it is not asked.
    var modelLength: GistLength?

    private enum CodingKeys: String, CodingKey {
        case id, userId, articleId, title, content, sourceURL, category, method, note, isEdited, createdAt
        case updatedAt
    }

    /// An article that is deleted, and may still come back, is not named.
    static let select = """
        SELECT g.id, g.user_id, (SELECT id FROM articles WHERE id = g.article_id AND user_id = g.user_id) AS article_id,
            g.title, g.content, g.source_url, g.category, g.method, g.note, g.is_edited, g.created_at, g.updated_at,
            g.share_sealed, g.model_length
        FROM gists AS g
        """

    init(_ row: Row) throws {
        id = try row.id("id")
        userId = try row.id("user_id")
        articleId = try row.idIfPresent("article_id")
        title = try row.text("title")
        content = try row.text("content", maximumBytes: 8 * ArticleRules.maximumGistLength)
        sourceURL = try row.textIfPresent("source_url")
        category = try row.textIfPresent("category")
        method = try row.choice("method")
        note = try row.textIfPresent("note")
        isEdited = try row.value("is_edited")
        createdAt = try row.time("created_at")
        updatedAt = try row.time("updated_at")
        let sealed: Data? = try row.value("share_sealed")
        shareSealed = sealed.map(Array.init)
        modelLength = try row.textIfPresent("model_length").flatMap(GistLength.init(word:))
    }

    /// - Parameter token: the secret of its link, for its owner
    func item(token: String? = nil) throws -> GistItem {
        let gist = try Gist(
            id: "\(id)", title: title, content: content, userId: "\(userId)", sourceUrl: sourceURL,
            category: category, createdAt: createdAt, updatedAt: updatedAt)
        return GistItem(
            gist: gist, id: id, owner: userId, articleId: articleId, method: method, note: note,
            isEdited: isEdited, isModelAsked: modelLength != nil, shareToken: token, updatedAt: updatedAt)
    }
}
