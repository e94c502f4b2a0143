package import Foundation
package import TextFormats

/// Where an article stands in its reader's list.
package enum ArticleState: String, Codable, CaseIterable, Sendable {
    case unread, archived
}

/// How far the text of an article has come.
package enum ArticleFetchState: Equatable, Hashable, Sendable {
    /// The page is still to be fetched, or is tried again later.
    case waiting
    case fetched
    /// Why there is no text, in words.
    case failed(reason: String)
    /// No page of text, such as a PDF: a link alone.
    case link(mediaType: String)

    /// The case's name, as the database and programs have it.
    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .fetched: "fetched"
        case .failed: "failed"
        case .link: "link"
        }
    }
}

/// An article as a list shows it.
package struct ArticleItem: Sendable, Equatable, Identifiable {
    /// A text that a later fetch brought, and that waits for the user's choice: it may be no version of the article.
    package struct NewText: Equatable, Hashable, Sendable {
        package enum Reason: String, Codable, CaseIterable, Sendable {
            /// The page says that it is not there; asks who is reading; asks to sign in.
            case notFound, check, signIn
            case shorter, otherTitle, otherText
        }

        package var reason: Reason
        package var fetchedAt: Date
        package var title: String?
        package var wordCount: Int

        package init(reason: Reason, fetchedAt: Date, title: String?, wordCount: Int) {
            self.reason = reason
            self.fetchedAt = fetchedAt
            self.title = title
            self.wordCount = wordCount
        }

        /// A sentence that says why it waits.
        ///
        /// - Parameter words: of the article's own text
        package func message(besides words: Int?) -> String {
            switch reason {
            case .notFound: "The site now says that this page was not found."
            case .check: "The site now shows a notice in place of the page, such as a check for robots."
            case .signIn: "The site now asks visitors to sign in or to subscribe."
            case .shorter: "The new text is much shorter: \(wordCount) words instead of \(words ?? 0)."
            case .otherTitle: "The page now has another title and another text."
            case .otherText: "The new text has almost nothing in common with the old one."
            }
        }
    }

    package var article: Article
    package let id: ArticleID
    package var state: ArticleState
    package var isFavorite: Bool
    /// In the user's order, each once in any case of letters.
    package var tags: [String]
    /// The page's host, without "www."
    package var site: String
    package var author: String?
    package var publishedAt: Date?
    /// A code such as "en", for the `lang` attribute.
    package var language: String?
    /// What kind of page it is, as the extraction has it: "article", "forum" ...
    package var kind: String?
    package var minutes: Int?
    package var wordCount: Int?
    /// Roost's own path, "/pictures/..."; nil: none, or not here yet.
    package var imageURL: String?
    package var excerpt: String?
    /// How far it was read, from 0 to 1.
    package var progress: Double
    package var fetchState: ArticleFetchState
    /// Why the last try failed, where another one follows.
    package var retryReason: String?
    /// The order of the lists; saving again sets it.
    package var savedAt: Date
    package var archivedAt: Date?
    package var highlightCount: Int
    package var updatedAt: Date
    package var newText: NewText?
    /// In a search's answer: where the words stand.
    package var snippet: [SearchSnippet.Piece]?

    package init(
        article: Article, id: ArticleID, state: ArticleState = .unread, isFavorite: Bool = false,
        tags: [String] = [], site: String, author: String? = nil, publishedAt: Date? = nil,
        language: String? = nil, kind: String? = nil, minutes: Int? = nil, wordCount: Int? = nil,
        imageURL: String? = nil, excerpt: String? = nil, progress: Double = 0,
        fetchState: ArticleFetchState = .waiting, retryReason: String? = nil, savedAt: Date,
        archivedAt: Date? = nil, highlightCount: Int = 0, updatedAt: Date,
        newText: NewText? = nil, snippet: [SearchSnippet.Piece]? = nil
    ) {
        self.article = article
        self.id = id
        self.state = state
        self.isFavorite = isFavorite
        self.tags = tags
        self.site = site
        self.author = author
        self.publishedAt = publishedAt
        self.language = language
        self.kind = kind
        self.minutes = minutes
        self.wordCount = wordCount
        self.imageURL = imageURL
        self.excerpt = excerpt
        self.progress = progress
        self.fetchState = fetchState
        self.retryReason = retryReason
        self.savedAt = savedAt
        self.archivedAt = archivedAt
        self.highlightCount = highlightCount
        self.updatedAt = updatedAt
        self.newText = newText
        self.snippet = snippet
    }
}
