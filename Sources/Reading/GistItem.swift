package import Foundation
package import RoostSupport

/// A gist as a page shows it.
package struct GistItem: Equatable, Identifiable, Sendable {
    /// Who wrote it.
    package enum Method: String, Codable, Sendable {
        /// Sentences of the text, chosen by Roost.
        case extractive
        /// The configured model.
        case model
        /// The user.
        case own
    }

    package var gist: Gist
    package let id: GistID
    /// Whose it is: another user's where it was shared.
    package let owner: UserID
    /// Nil for a text that was pasted, and when the article is deleted.
    package var articleId: ArticleID?
    package var method: Method
    /// Why it is not the model's, in words; nil: nothing to say.
    package var note: String?
    /// Whether the user has changed it since it was made.
    package var isEdited: Bool
    /// Whether the model is writing one that takes its place.
    var isModelAsked: Bool
    /// The secret of its read-only link, for its owner; nil: there is none.
    package var shareToken: String?
    package var updatedAt: Date

    package init(
        gist: Gist, id: GistID, owner: UserID, articleId: ArticleID? = nil, method: Method,
        note: String? = nil, isEdited: Bool = false, isModelAsked: Bool = false, shareToken: String? = nil,
        updatedAt: Date
    ) {
        self.gist = gist
        self.id = id
        self.owner = owner
        self.articleId = articleId
        self.method = method
        self.note = note
        self.isEdited = isEdited
        self.isModelAsked = isModelAsked
        self.shareToken = shareToken
        self.updatedAt = updatedAt
    }
}

/// A page of gists, the newest first.
package struct GistPage: Equatable, Sendable {
    package let items: [GistItem]
    /// The next page's cursor; nil at the end.
    package let next: String?
    package let total: Int

    package init(items: [GistItem], next: String?, total: Int) {
        self.items = items
        self.next = next
        self.total = total
    }
}
