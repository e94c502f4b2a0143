package import Foundation
public import RoostSupport

package enum ArticleState: String, Codable, CaseIterable, ColumnValue, Sendable {
    case unread, archived
}

/// What the user and the page say about an article. Its row, exports and imported files have these in common.
@usableFromInline package struct ArticleDetails: ColumnRecord, Codable, Hashable, Sendable {
    /// The user's, otherwise the page's; the address until the page is fetched.
    package var title = ""
    /// Whether the title is the user's, which a fetched page doesn't replace.
    package var titleIsGiven = false
    package var category = Article.standardCategory
    package var state = ArticleState.unread
    package var isFavorite = false
    package var createdAt = Date(timeIntervalSince1970: 0)
    /// Sorts the lists; saving again updates it.
    package var savedAt = Date(timeIntervalSince1970: 0)
    package var archivedAt, openedAt, publishedAt: Date?
    package var author: String?
    /// A code such as "en", for the `lang` attribute.
    package var language: String?
    package var excerpt: String?
    /// The picture's original address.
    package var image: String?
    /// From 0 to 1.
    package var progress = 0.0

    @usableFromInline package init() {}

    @usableFromInline package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("title", &title)
        columns.written("title_key", ArticleRules.titleKey(title))
        try columns.column("title_is_given", &titleIsGiven)
        try columns.column("category", &category)
        try columns.column("state", &state)
        try columns.column("is_favorite", &isFavorite)
        try columns.column("created_at", &createdAt)
        try columns.column("saved_at", &savedAt)
        try columns.column("archived_at", &archivedAt)
        try columns.column("opened_at", &openedAt)
        try columns.column("published_at", &publishedAt)
        try columns.column("author", &author)
        try columns.column("language", &language)
        try columns.column("excerpt", &excerpt)
        try columns.column("image_url", &image)
        try columns.column("progress", &progress)
    }
}

extension ArticleDetails {
    /// The change must have been checked.
    mutating func apply(_ change: ArticleChange, at now: Date) {
        if let title = change.title { (self.title, titleIsGiven) = (title, true) }
        category = change.category ?? category
        if let state = change.state, state != self.state {
            (self.state, archivedAt) = (state, state == .archived ? now : nil)
        }
        isFavorite = change.isFavorite ?? isFavorite
        if let progress = change.progress { (self.progress, openedAt) = (min(1, max(0, progress)), now) }
    }

    /// Adds what is known of another article that turned out to be this one.
    mutating func merge(_ other: ArticleDetails) {
        if other.titleIsGiven, !titleIsGiven { (title, titleIsGiven) = (other.title, true) }
        if category == Article.standardCategory { category = other.category }
        if other.state == .unread { (state, archivedAt) = (.unread, nil) }
        isFavorite = isFavorite || other.isFavorite
        createdAt = min(createdAt, other.createdAt)
        savedAt = max(savedAt, other.savedAt)
        openedAt = openedAt ?? other.openedAt
        progress = max(progress, other.progress)
    }

    /// Adds what a file says: the article's own details stay, empty ones are filled, and the earlier times count.
    ///
    /// - Parameters:
    ///   - url: the article's address, which is its title if it has none
    ///   - isOwn: whether another row of the same file added the article; their states are then united
    mutating func merge(imported row: PreparedArticle, url: String, isOwn: Bool) {
        if row.hasTitle, !titleIsGiven, title == url {
            (title, titleIsGiven) = (row.details.title, row.details.titleIsGiven)
        }
        if category == Article.standardCategory { category = row.details.category }
        if isOwn, row.details.state == .unread { (state, archivedAt) = (.unread, nil) }
        isFavorite = isFavorite || row.details.isFavorite
        if row.isDated {
            createdAt = min(createdAt, row.details.createdAt)
            savedAt = min(savedAt, row.details.savedAt)
        }
        publishedAt = publishedAt ?? row.details.publishedAt
        author = author ?? row.details.author
        language = language ?? row.details.language
        excerpt = excerpt ?? row.details.excerpt
        image = image ?? row.details.image
    }
}
