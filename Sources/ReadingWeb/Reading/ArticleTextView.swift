import ArticleText
import Foundation
import HTMLTemplates
import Reading
import RoostWeb
import TextFormats

/// `/reading/ID/reader`: the live part of an article's page, with text, gist and highlights.
struct ArticleTextView: Sendable {
    struct Refused: Sendable {
        /// The highlight whose note was rejected; nil for a new highlight.
        var highlight: String?
        var form = FormState.empty
    }

    private let reading: ReadingArticle
    let preferences: ReadingPreferences
    private let refused: Refused
    let shareAddress: String
    let colleagues: ColleagueChoices
    let body: ArticleBody?
    /// The readers' comments of the page.
    let comments: ArticleBody?
    let highlights: [HighlightRow]
    let gistView: ArticleGistView
    let newText: NewTextView?

    /// - Parameter link: the article's full address, used when sharing it in a conversation
    init(
        _ reading: ReadingArticle, preferences: ReadingPreferences, colleagues: ColleagueChoices,
        link: String, newText: String = "", refused: Refused = Refused()
    ) {
        self.reading = reading
        self.preferences = preferences
        self.colleagues = colleagues
        self.refused = refused
        let text = "\(reading.item.title.sanitized)\n\(link)"
        shareAddress = ShareAddress.of(PercentEncoding.encode(text).utf8.count < 3_500 ? text : link)
        let marks = reading.highlights.filter { $0.start >= 0 && $0.start < $0.end }.map {
            CleanMarkup.Passage(id: $0.id, range: $0.start..<$0.end)
        }
        body = reading.markup.flatMap { markup in
            markup.html.isBlank
                ? nil : ArticleBody(markup: ArticlePictures.linked(markup.marking(marks)).scrollable)
        }
        comments = reading.comments.map { ArticleBody(markup: $0.scrollable) }
        highlights = reading.highlights.map { highlight in
            HighlightRow(
                highlight, articlePath: "/reading/\(reading.item.id)",
                refused: refused.highlight == highlight.id ? refused.form : .empty)
        }
        gistView = ArticleGistView(reading.gist)
        self.newText = reading.item.newText.map {
            NewTextView($0, currentWordCount: reading.item.wordCount, text: newText)
        }
    }

    var item: ArticleItem { reading.item }

    var articlePath: String { "/reading/\(item.id)" }
    var fragmentAddress: String { "\(articlePath)/reader" }
    var title: String { item.title.sanitized }
    var updated: String { ISO8601.milliseconds(item.updatedAt) }
    var progress: String { "\(percentRead / 100).\(percentRead % 100 < 10 ? "0" : "")\(percentRead % 100)" }
    var percentRead: Int { Int((min(max(item.progress, 0), 1) * 100).rounded()) }
    var language: String? { LanguageTag.checked(item.language) }
    var direction: String { language.map { LanguageTag.isRightToLeft($0) ? "rtl" : "ltr" } ?? "auto" }
    var originalAddress: String? { OriginalAddress.of(item.finalURL ?? item.url) }
    var site: String { item.site.sanitized }
    var author: String? { item.author.map(\.sanitized) }
    var publishedTime: String? { item.publishedAt.map(ISO8601.seconds) }
    var publishedDay: String { item.publishedAt.map { RelativeTime.day($0) } ?? "" }
    var minutes: String? { item.minutes.map { "\(max(1, $0)) min" } }
    var words: String? { item.wordCount.flatMap { $0 > 0 ? "\(NumberText.grouped($0)) words" : nil } }
    var pages: String? { item.pages.map { $0 == 1 ? "1 page" : "\(NumberText.grouped($0)) pages" } }
    var category: String { item.category.sanitized }
    var categoryAddress: String {
        ReadingQuery().changed { ($0.list, $0.category) = (.all, item.category) }.path
    }
    var tags: [ArticleTag] { item.tags.map(ArticleTag.init) }
    var isArchived: Bool { item.state == .archived }
    var hasText: Bool { body != nil }
    var canHaveGist: Bool { hasText && gistView.gist == nil }
    var isWaiting: Bool { item.fetchState == .waiting && body == nil }
    var retryReason: TimedText? { item.retryReason.map(TimedText.init) }
    /// Why the shown text may be outdated.
    var fetchFailure: TimedText? { body == nil ? nil : item.retryReason.map(TimedText.init) }
    /// Whether a paywall or a sign-in cut the shown text.
    var isPartial: Bool { body != nil && item.isPartial == true }
    var excerpt: String? { item.excerpt.map(\.sanitized) }
    var failure: TimedText? {
        if case .failed(let reason) = item.fetchState { TimedText(reason) } else { nil }
    }
    var linkType: String? {
        if case .link(let type) = item.fetchState { MediaTypeName.of(type) } else { nil }
    }
    /// Roost's server reads PDFs only with other programs.
    var isUnreadPDF: Bool { item.fetchState == .link(mediaType: "application/pdf") }
    var isTextEmpty: Bool { item.fetchState == .fetched && body == nil }
    var widths: [SelectOption] {
        ReadingPreferences.Width.allCases.map {
            SelectOption(
                value: $0.rawValue, text: $0.rawValue.capitalized, isChosen: $0 == preferences.width)
        }
    }
    var fonts: [SelectOption] {
        ReadingPreferences.Font.allCases.map {
            SelectOption(
                value: $0.rawValue, text: $0 == .serif ? "Serif" : "Sans-serif",
                isChosen: $0 == preferences.font)
        }
    }
    var hasHighlights: Bool { !highlights.isEmpty }
    var isQuoting: Bool { refused.highlight == nil && refused.form != .empty }
    var typedQuote: String { isQuoting ? refused.form.typed["quote"] ?? "" : "" }
    var typedQuoteNote: String { isQuoting ? refused.form.typed["note"] ?? "" : "" }
    var quoteError: TimedText? {
        guard isQuoting else { return nil }
        return refused.form.message.map(TimedText.init)
    }

    /// Omits what would change the ETag constantly: the reading progress, and the gist that a model is writing.
    var fingerprint: Int {
        var hasher = Hasher()
        var details = item.details
        (details.progress, details.openedAt) = (0, nil)
        hasher.combine(details)
        hasher.combine(item.url)
        hasher.combine(item.gistId)
        hasher.combine(item.updatedAt)
        hasher.combine(item.fetchState)
        hasher.combine(item.retryReason)
        hasher.combine(item.tags)
        hasher.combine(reading.markup)
        hasher.combine(reading.comments)
        hasher.combine(item.isPartial)
        hasher.combine(item.newText)
        hasher.combine(reading.highlights)
        hasher.combine(ArticleGistView(reading.gist?.withoutModel).fingerprint)
        hasher.combine(preferences.textSize)
        hasher.combine(preferences.width)
        hasher.combine(preferences.font)
        hasher.combine(colleagues.choices.map(\.text))
        return hasher.finalize()
    }
}

/// A newly fetched text, with the choice between it and the current one.
struct NewTextView {
    /// The API returns the whole text.
    private static let shownParagraphs = 40

    let reason: String
    let newTitle: String?
    let newWords: String
    let fetched: String
    let paragraphs: [String]
    let isTruncated: Bool

    init(_ new: ArticleItem.NewText, currentWordCount: Int?, text: String) {
        reason = new.message(oldWordCount: currentWordCount)
        newTitle = new.title?.sanitized
        newWords = new.wordCount == 1 ? "1 word" : "\(NumberText.grouped(new.wordCount)) words"
        fetched = ISO8601.milliseconds(new.fetchedAt)
        let lines = GistText.paragraphs(of: text)
        paragraphs = Array(lines.prefix(Self.shownParagraphs))
        isTruncated = lines.count > Self.shownParagraphs
    }
}

struct ArticleBody {
    let markup: CleanMarkup
}

enum OriginalAddress {
    /// Returns nil unless the scheme is http or https.
    static func of(_ address: String) -> String? {
        let start = address.prefix(8).lowercased()
        guard start.hasPrefix("https://") || start.hasPrefix("http://"), address.sanitized == address else {
            return nil
        }
        return address
    }

    static func name(of address: String) -> String {
        let rest = address.splitBytes(at: "/").dropFirst().first.map(String.init) ?? address
        return rest.hasPrefix("www.") ? String(rest.dropFirst(4)) : rest
    }
}

struct HighlightRow {
    let highlight: Highlight
    private let refused: FormState
    let articlePath: String

    init(_ highlight: Highlight, articlePath: String, refused: FormState) {
        self.highlight = highlight
        self.articlePath = articlePath
        self.refused = refused
    }
    var quoteStart: String {
        let line = highlight.quote.sanitized
        return line.count > 40 ? "\(line.prefix(40))…" : line
    }
    var note: String? { highlight.note.isBlank ? nil : highlight.note }
    var hasNote: Bool { note != nil }
    var address: String { "\(articlePath)/highlights/\(highlight.id)" }
    var noteUpdated: String { ISO8601.milliseconds(highlight.updatedAt) }
    var typedNote: String { refused.typed["note"] ?? highlight.note }
    var noteError: TimedText? { refused.message.map(TimedText.init) }
    var isNoteOpen: Bool { refused != .empty }
}

/// `/reading/ID/gist-text`: the gist above an article's text, a live part of its own: a model may be writing it.
struct ArticleGistView: Sendable {
    let gist: ArticleGist?

    init(_ item: GistItem?) { gist = item.map(ArticleGist.init) }

    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(gist?.item.gist)
        hasher.combine(gist?.item.note)
        hasher.combine(gist?.modelState)
        hasher.combine(gist?.item.draft)
        return hasher.finalize()
    }
}

struct ArticleGist: Sendable {
    let item: GistItem

    init(_ item: GistItem) { self.item = item }

    var gistPath: String { "/gists/\(item.id)" }
    var paragraphs: [String] { GistText.paragraphs(of: item) }
    var gistNote: TimedText? { item.note.map(TimedText.init) }
    var isBeingWritten: Bool { item.isBeingWritten }
    /// For screen readers: changes at the beginning and the end, not with each word.
    var modelState: String { GistText.modelState(of: item) ?? "" }
}

enum GistText {
    /// Of the text that the model has written so far, or of the stored one.
    static func paragraphs(of item: GistItem) -> [String] {
        guard let draft = item.draft else { return paragraphs(of: item.content) }
        var paragraphs = paragraphs(of: draft)
        if let last = paragraphs.indices.last { paragraphs[last] += " …" }
        return paragraphs
    }

    static func modelState(of item: GistItem) -> String? {
        guard item.waitsForModel else { return nil }
        return item.isBeingWritten ? "The model is writing" : "Waiting for the model"
    }

    static func paragraphs(of content: String) -> [String] {
        content.splitBytes(at: "\n").map { String($0).sanitized }.filter { !$0.isBlank }
    }

    /// Includes the gist's content, cut to fit into an address, because other users cannot open the gist's page.
    static func shared(_ gist: Gist) -> String {
        let source = gist.sourceUrl.flatMap(OriginalAddress.of).map { "\n\n\($0)" } ?? ""
        var text = Substring(
            "\(gist.title.sanitized)\n\n\(paragraphs(of: gist.content).joined(separator: "\n\n"))")
        let room = maximumShared - PercentEncoding.encode(source).utf8.count
        guard PercentEncoding.encode(String(text)).utf8.count > room else { return text + source }
        text = text.prefix(maximumShared)
        while !text.isEmpty, PercentEncoding.encode(String(text)).utf8.count > room {
            text = text.prefix(text.count * 3 / 4)
        }
        return "\(text)…\(source)"
    }

    /// In percent-encoded bytes; an address may have 4,096.
    private static let maximumShared = 3_000
}

struct ArticleView: PageView, Sendable {
    static let scripts = ["reading-article"]

    let layout: LayoutView
    let offlineOwner: String
    let text: ArticleTextView
}
