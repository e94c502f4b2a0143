import Foundation
import Reading
import RoostSupport
import TextFormats

struct ArticleJSON: JSONExamples {
    static var examples: [ArticleJSON] { [ArticleJSON(ArticleItem())] }

    private let item: ArticleItem
    private let reason: String?

    init(_ item: ArticleItem, reason: String? = nil) {
        self.item = item
        self.reason = reason
    }

    private enum CodingKeys: String, CodingKey {
        case newText
        case state, isFavorite, tags, site, author, publishedAt, language, kind, isPartial, minutes,
            pageCount, wordCount, imageURL,
            excerpt, progress, fetchState, mediaType, error, savedAt, archivedAt, highlightCount, snippet,
            reason
    }

    func encode(to encoder: any Encoder) throws {
        try Article(item).encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(item.state, forKey: .state)
        try values.encode(item.isFavorite, forKey: .isFavorite)
        try values.encode(item.tags, forKey: .tags)
        try values.encode(item.site, forKey: .site)
        try values.encodeIfPresent(item.author, forKey: .author)
        try values.encodeIfPresent(item.publishedAt.map(ISO8601.seconds), forKey: .publishedAt)
        try values.encodeIfPresent(item.language, forKey: .language)
        try values.encodeIfPresent(item.kind, forKey: .kind)
        try values.encodeIfPresent(item.isPartial, forKey: .isPartial)
        try values.encodeIfPresent(item.minutes, forKey: .minutes)
        try values.encodeIfPresent(item.pages, forKey: .pageCount)
        try values.encodeIfPresent(item.wordCount, forKey: .wordCount)
        try values.encodeIfPresent(item.imageURL, forKey: .imageURL)
        try values.encodeIfPresent(item.excerpt, forKey: .excerpt)
        try values.encode(item.progress, forKey: .progress)
        try values.encodeIfPresent(
            item.newText.map { NewTextJSON($0, currentWordCount: item.wordCount) }, forKey: .newText)
        try values.encode(item.fetchState.name, forKey: .fetchState)
        let (error, mediaType): (String?, String?) =
            switch item.fetchState {
            case .failed(let reason): (reason, nil)
            case .link(let type): (nil, type)
            case .waiting: (item.retryReason, nil)
            case .fetched: (nil, nil)
            }
        try values.encodeIfPresent(error, forKey: .error)
        try values.encodeIfPresent(mediaType, forKey: .mediaType)
        try values.encode(ISO8601.seconds(item.savedAt), forKey: .savedAt)
        try values.encodeIfPresent(item.archivedAt.map(ISO8601.seconds), forKey: .archivedAt)
        try values.encode(item.highlightCount, forKey: .highlightCount)
        try values.encodeIfPresent(item.snippet, forKey: .snippet)
        try values.encodeIfPresent(reason, forKey: .reason)
    }
}

/// A newly fetched text that the user has not accepted or rejected yet.
private struct NewTextJSON: Codable {
    let reason, message, fetchedAt: String
    let title: String?
    let wordCount: Int

    init(_ text: ArticleItem.NewText, currentWordCount: Int?) {
        reason = text.reason.rawValue
        message = text.message(oldWordCount: currentWordCount)
        fetchedAt = ISO8601.seconds(text.fetchedAt)
        title = text.title
        wordCount = text.wordCount
    }
}

struct GistJSON: JSONExamples {
    static var examples: [GistJSON] { [GistJSON(GistItem())] }

    private let item: GistItem

    init(_ item: GistItem) { self.item = item }

    private enum CodingKeys: String, CodingKey { case articleId, method, note, isEdited, isShared, draft }

    func encode(to encoder: any Encoder) throws {
        try item.gist.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(item.articleId.map { "\($0)" }, forKey: .articleId)
        try values.encode(item.method, forKey: .method)
        try values.encodeIfPresent(item.note, forKey: .note)
        try values.encode(item.isEdited, forKey: .isEdited)
        try values.encode(item.shareToken != nil, forKey: .isShared)
        try values.encodeIfPresent(item.draft, forKey: .draft)
    }
}

struct SharedItemJSON: JSONExamples {
    static var examples: [SharedItemJSON] { [SharedItemJSON(SharedItemEntry())] }

    private let entry: SharedItemEntry

    init(_ entry: SharedItemEntry) { self.entry = entry }

    private enum CodingKeys: String, CodingKey {
        case sharedBy, sharedByName, sharedWithName, articleId, gistId, attempts, nextTryAt
    }

    func encode(to encoder: any Encoder) throws {
        try SharedItem(entry).encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(JSONUserID(entry.sharedBy), forKey: .sharedBy)
        try values.encode(entry.sharedByName, forKey: .sharedByName)
        try values.encodeIfPresent(entry.sharedWithName, forKey: .sharedWithName)
        try values.encodeIfPresent(entry.articleId.map { "\($0)" }, forKey: .articleId)
        try values.encodeIfPresent(entry.gistId.map { "\($0)" }, forKey: .gistId)
        try values.encode(entry.attempts, forKey: .attempts)
        try values.encodeIfPresent(entry.nextTryAt.map(ISO8601.seconds), forKey: .nextTryAt)
    }
}

/// The body of a 409 response, with the submitted and the stored version.
struct EditConflictJSON<Submitted: Encodable, Current: Encodable>: Encodable {
    struct Reason: Encodable {
        let code = "conflict"
        let message: String
        let field = "If-Match"
    }

    let error: Reason
    let yours: Submitted
    let current: Current

    init(_ error: RoostError, submitted: Submitted, current: Current) {
        self.error = Reason(message: error.message)
        yours = submitted
        self.current = current
    }
}
