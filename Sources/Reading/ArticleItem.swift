package import ArticleText
package import Foundation
public import RoostSupport
package import TextFormats

package enum ArticleFetchState: Equatable, Hashable, Sendable {
    /// Not fetched yet, or to be tried again.
    case waiting
    case fetched
    case failed(reason: String)
    /// Not a page of text, for example a PDF.
    case link(mediaType: String)

    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .fetched: "fetched"
        case .failed: "failed"
        case .link: "link"
        }
    }
}

/// An article in a user's list: its row, and what belongs to it.
@dynamicMemberLookup @usableFromInline
package struct ArticleItem: ColumnRecord, Equatable, Identifiable, Sendable {
    /// The text of a later fetch that may not be a version of the article. The user decides whether to use it.
    package struct NewText: JSONColumnValue, Hashable, Sendable {
        package enum Reason: String, Codable, CaseIterable, ColumnValue, Sendable {
            /// The page says that it was not found, checks for robots, or asks visitors to sign in.
            case notFound, check, signIn
            case shorter, otherTitle, otherText
        }

        package var reason: Reason
        package var fetchedAt: Date
        package var title: String?
        package var wordCount: Int

        /// Explains the reason in a sentence.
        ///
        /// - Parameter oldWordCount: the word count of the article's own text
        package func message(oldWordCount: Int?) -> String {
            switch reason {
            case .notFound: "The site now says that this page was not found."
            case .check: "The site now shows a notice instead of the page, such as a check for robots."
            case .signIn: "The site now asks visitors to sign in or to subscribe."
            case .shorter: "The new text is much shorter: \(wordCount) words instead of \(oldWordCount ?? 0)."
            case .otherTitle: "The page now has another title and another text."
            case .otherText: "The new text has almost nothing in common with the old one."
            }
        }
    }

    enum FetchColumn: String, ColumnValue { case waiting, fetched, failed, link }

    @usableFromInline package var id: ArticleID = 0
    package var owner: UserID = 0
    /// As the user saved it.
    package var url = ""
    /// After redirects; nil if the page was not fetched.
    package var finalURL: String?
    @usableFromInline package var details = ArticleDetails()
    package var site = ""
    package var kind: String?
    /// Whether a paywall or a sign-in cut the text; nil if Roost did not look for one.
    package var isPartial: Bool?
    package var updatedAt = Date(timeIntervalSince1970: 0)
    package var fetchedAt: Date?
    var fetch = FetchColumn.waiting
    /// Why the last attempt failed.
    var error: String?
    var mediaType: String?
    /// Nil unless it is a PDF.
    package var pages: Int?
    /// Of the text; nil if it was not counted.
    var words: Int?
    package var gistId: GistID?
    package var highlightCount = 0
    /// In the user's order, without duplicates that differ only in case.
    package var tags: [String] = []
    package var newText: NewText?
    /// The path of Roost's copy of the picture, "/pictures/...", or nil if there is no picture or no copy yet.
    package var imageURL: String?
    package var snippet: [SearchSnippet.Piece]?

    @usableFromInline package init() {}

    @usableFromInline package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        // A deleted article has no `user_id`.
        try columns.column("owner_id", &owner)
        try columns.column("given_url", &url)
        try columns.column("final_url", &finalURL)
        try details.columns(&columns)
        try columns.column("site", &site)
        try columns.column("kind", &kind)
        try columns.column("is_partial", &isPartial)
        try columns.column("updated_at", &updatedAt)
        try columns.column("fetched_at", &fetchedAt)
        try columns.column("fetch_state", &fetch)
        try columns.column("error", &error)
        try columns.column("media_type", &mediaType)
        try columns.column("page_count", &pages)
        try columns.column("word_count", &words)
        try columns.column("gist_id", sql: "(SELECT id FROM gists WHERE article_id = a.id)", &gistId)
        try columns.column(
            "highlight_count", sql: "(SELECT count(*) FROM article_highlights WHERE article_id = a.id)",
            &highlightCount)
        var lines: String?
        try columns.column(
            "tags",
            sql: """
                (SELECT group_concat(tag, char(10)) FROM (
                    SELECT tag FROM article_tags WHERE article_id = a.id ORDER BY place))
                """, &lines)
        tags = lines?.splitBytes(at: "\n").map(String.init) ?? []
        try columns.column(
            "new_text",
            sql: """
                (SELECT json_object('reason', CAST(reason AS TEXT), 'fetchedAt', CAST(fetched_at AS REAL),
                    'title', CAST(title AS TEXT), 'wordCount', CAST(word_count AS INTEGER))
                FROM article_new_texts WHERE article_id = a.id)
                """, &newText)
    }

    /// The columns of `articles AS a`.
    static let selection = selection(of: "a")

    @inlinable package subscript<Value>(dynamicMember detail: WritableKeyPath<ArticleDetails, Value>) -> Value
    {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }

    package var fetchState: ArticleFetchState {
        switch fetch {
        case .waiting: .waiting
        case .fetched: .fetched
        case .failed: .failed(reason: error ?? "The page could not be fetched.")
        case .link: .link(mediaType: mediaType ?? "text/html")
        }
    }
    /// Why the last attempt failed, if another follows.
    package var retryReason: String? { fetch == .failed ? nil : error }
    package var wordCount: Int? { fetch == .fetched ? words : nil }
    /// At 220 words per minute.
    package var minutes: Int? { wordCount.map { max(1, $0 / 220 + ($0 % 220 < 110 ? 0 : 1)) } }
}

extension ArticleItem.NewText {
    /// The statement writes the time in seconds since 1970.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        reason = try values.decode(Reason.self, forKey: .reason)
        fetchedAt = Date(timeIntervalSince1970: try values.decode(Double.self, forKey: .fetchedAt))
        title = try values.decodeIfPresent(String.self, forKey: .title)
        wordCount = try values.decode(Int.self, forKey: .wordCount)
    }
}

package struct ReadingArticle: Sendable, Equatable {
    package let item: ArticleItem
    package var markup: CleanMarkup?
    /// A line per paragraph, or empty.
    package var text = ""
    /// The readers' comments of its page.
    package var comments: CleanMarkup?
    package var highlights: [Highlight] = []
    package var gist: GistItem?
}
