import Foundation
package import RoostSupport

/// A page to save, checked.
package struct ArticleDraft: Sendable {
    enum Fetching: Sendable {
        case soon
        case lowPriority
        /// The article stays a link until the user requests its text.
        case never
    }

    let address: ArticleAddress
    let title: String?
    /// True if the title is not the user's own: it does not rename an existing article.
    let isTitleExternal: Bool
    /// Nil means "Unsorted", or the article's current category.
    let category: String?
    let tags: [String]
    let autoCreateGist: Bool
    /// The page as sent by the browser, used instead of fetching it.
    let html: [UInt8]?
    /// "bookmarklet", "share", "chat", "import" or the token's name; nil for Roost's own page.
    let source: String?

    /// Blank texts count as nil. Throws `RoostError.invalid` with the field "url", "title", "category", "tags" or
    /// "html".
    package init(
        url: String, title: String? = nil, category: String? = nil, tags: [String] = [],
        autoCreateGist: Bool = false, html: [UInt8]? = nil, source: String? = nil,
        isTitleExternal: Bool = false
    ) throws {
        address = try ArticleAddress(url)
        self.title = try ArticleRules.title(title)
        self.isTitleExternal = isTitleExternal
        self.category = try category.flatMap { $0.isBlank ? nil : try ArticleRules.category($0) }
        self.tags = try ArticleRules.tags(tags)
        self.autoCreateGist = autoCreateGist
        if let html, html.count > Self.maximumHTMLBytes {
            throw RoostError.invalid(field: "html", why: "A page can have up to 5 MB.")
        }
        self.html = html.flatMap { $0.isEmpty ? nil : $0 }
        self.source = ArticleRules.shortened(source, maximumLength: 60)
    }

    static let maximumHTMLBytes = 5 << 20

    /// Adds the article, or moves the existing one with the same address to the top.
    ///
    /// - Parameter imported: what a file says; an existing article then stays where it is
    func save(
        for user: UserID, fetching: Fetching = .soon, imported: PreparedArticle? = nil, at now: Date,
        in writes: Writes
    ) throws -> (id: ArticleID, isNew: Bool) {
        if let id = try writes.articleID(at: address.normalized, of: user) {
            let item = try writes.requiredArticle(id, of: user)
            try update(item, for: user, movesUp: imported == nil, fetching: fetching, at: now, in: writes)
            return (id, false)
        }
        guard try writes.articleCount(of: user) < ReadingService.maximumArticles else {
            throw RoostError.invalid(
                field: "url", why: "The list is full (250,000 articles). Delete some first.")
        }
        let isWaiting = fetching != .never || html != nil
        let id = try writes.insertArticle(
            self, imported?.details ?? details(at: now), of: user, isWaiting: isWaiting,
            at: imported?.updatedAt ?? now)
        if imported == nil {
            try writes.queueWebhooks(.articleSaved, about: String(id), for: user, at: now)
        }
        if isWaiting {
            try enqueue(id, for: user, isImport: fetching == .lowPriority, at: now, in: writes)
        }
        return (id, true)
    }

    private func details(at now: Date) -> ArticleDetails {
        var details = ArticleDetails()
        (details.title, details.titleIsGiven) = (title ?? address.text, title != nil)
        details.category = category ?? details.category
        (details.createdAt, details.savedAt) = (now, now)
        return details
    }

    private func update(
        _ item: ArticleItem, for user: UserID, movesUp: Bool, fetching: Fetching, at now: Date,
        in writes: Writes
    ) throws {
        if movesUp {
            try writes.moveArticleToTop(
                item.id, requestingGist: autoCreateGist && item.gistId == nil, at: now)
        }
        var details = item.details
        if let title, movesUp, !isTitleExternal { (details.title, details.titleIsGiven) = (title, true) }
        if let category, movesUp || item.category == Article.standardCategory { details.category = category }
        try writes.setDetails(details, of: item)
        let united = ArticleRules.union(item.tags, tags)
        if united != item.tags { try writes.setArticleTags(united, of: item.id) }
        let isMissing: Bool =
            switch item.fetchState {
            case .failed: true
            case .link(let type): type == "text/html" && fetching != .never
            case .waiting, .fetched: false
            }
        if html != nil || isMissing && movesUp {
            try enqueue(item.id, for: user, isImport: false, at: now, in: writes)
        }
    }

    private func enqueue(
        _ id: ArticleID, for user: UserID, isImport: Bool, at now: Date, in writes: Writes
    ) throws {
        try writes.enqueueArticle(
            id, by: user, url: address.text, title: title, source: source, html: html, isImport: isImport,
            at: now)
    }
}

package struct SavedArticle: Sendable, Equatable {
    package static let saved = "Article saved."
    package static let alreadySaved = "Already in your list."

    package let item: ArticleItem
    /// False if the article was in the list already; it moves to the top.
    package let isNew: Bool

    package var message: String { isNew ? Self.saved : Self.alreadySaved }
}

package struct SavedLine: Sendable, Equatable {
    package let number: Int
    package let line: String
    /// "Article saved.", "Already in your list.", or why it was not saved.
    package let message: String
    package var id: ArticleID?
    package var isNew = false
}

extension WebhookEvent.Name {
    /// A new article; those of an imported file do not count.
    package static let articleSaved = WebhookEvent.Name(rawValue: "article.saved")
}
