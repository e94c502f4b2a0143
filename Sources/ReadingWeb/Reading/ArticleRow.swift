import Foundation
import HTMLTemplates
import Reading
import RoostWeb
import TextFormats

struct ArticleRow: Sendable {
    let item: ArticleItem
    private let now: Date
    let suggestion: String?
    let rowExcerpt: SearchExcerpt?
    /// Stays selected after the bar refused its input.
    var isTicked = false

    init(_ item: ArticleItem, reason: String? = nil, now: Date) {
        self.item = item
        self.now = now
        suggestion = reason
        if let snippet = item.snippet, !snippet.isEmpty {
            rowExcerpt = SearchExcerpt(snippet)
        } else {
            rowExcerpt = item.excerpt.flatMap { text in
                text.isBlank ? nil : SearchExcerpt([.init(text: text.sanitized, isMatch: false)])
            }
        }
    }

    var articlePath: String { "/reading/\(item.id)" }
    var title: String { item.title.sanitized }
    var updated: String { ISO8601.milliseconds(item.updatedAt) }
    var language: String? { LanguageTag.checked(item.language) }
    var picture: String? { item.imageURL.map { $0 + "/small" } }
    var site: String { item.site.sanitized }
    var minutes: String? { item.minutes.map { "\(max(1, $0)) min" } }
    var category: String? {
        item.category == Article.standardCategory ? nil : item.category.sanitized
    }
    var categoryAddress: String { ReadingQuery().changed { $0.category = item.category }.path }
    var isArchived: Bool { item.state == .archived }
    var savedTime: String { ISO8601.seconds(item.savedAt) }
    var savedAgo: String { RelativeTime.ago(item.savedAt, now: now) }
    var hasNewText: Bool { item.newText != nil }
    /// Whether a paywall or a sign-in cut the text.
    var isPartial: Bool { item.fetchState == .fetched && item.isPartial == true }
    var isWaiting: Bool { item.fetchState == .waiting }
    var retryReason: TimedText? { isWaiting ? item.retryReason.map(TimedText.init) : nil }
    var failure: TimedText? {
        if case .failed(let reason) = item.fetchState { TimedText(reason) } else { nil }
    }
    var linkType: String? {
        if case .link(let type) = item.fetchState { MediaTypeName.of(type) } else { nil }
    }
    var percent: Int? {
        let percent = Int((min(max(item.progress, 0), 1) * 100).rounded())
        return percent > 0 && item.state == .unread ? percent : nil
    }
    var highlights: String? {
        switch item.highlightCount {
        case ..<1: nil
        case 1: "1 highlight"
        default: "\(NumberText.grouped(item.highlightCount)) highlights"
        }
    }
    var gistPath: String? { item.gistId.map { "/gists/\($0)" } }
    var hasTags: Bool { !item.tags.isEmpty }
    var tags: [ArticleTag] { item.tags.map(ArticleTag.init) }
}

struct ArticleTag {
    let tag: String

    var tagName: String { tag.sanitized }
    var tagAddress: String { ReadingQuery().changed { ($0.list, $0.tag) = (.all, tag) }.path }
}

/// Names the type of a file that isn't a web page, such as "PDF".
enum MediaTypeName {
    static func of(_ type: String) -> String {
        let name = type.prefix { $0 != ";" }.lowercased().trimmingPrefix(while: \.isWhitespace)
        if name.hasPrefix("application/pdf") { return "PDF" }
        for (start, word) in [("image/", "Image"), ("audio/", "Audio"), ("video/", "Video")]
        where name.hasPrefix(start) {
            return word
        }
        return name.isEmpty ? "File" : "File (\(String(name.unicodeScalars.prefix(60)).sanitized))"
    }
}
