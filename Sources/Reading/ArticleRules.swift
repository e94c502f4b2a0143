import Foundation
import RoostSupport
import TextFormats

/// The rules for what users and pages write beside an article.
package enum ArticleRules {
    package static let maximumTags = 50
    /// In code points, as SQLite counts.
    package static let maximumTagLength = 40
    static let maximumCategoryLength = 60
    package static let maximumTitleLength = 300
    package static let maximumNoteLength = 10_000
    static let maximumQuoteLength = 20_000
    static let maximumGistLength = 100_000

    /// One line, blanks in single file. Blank: nil. Throws `RoostError.invalid(field: "title")`.
    static func title(_ text: String?) throws -> String? {
        guard let text else { return nil }
        let line = oneLine(text)
        guard line.unicodeScalars.count <= maximumTitleLength else {
            throw RoostError.invalid(
                field: "title", why: "A title has \(maximumTitleLength) characters at most.")
        }
        return line.isBlank ? nil : line
    }

    /// A stranger's title, name or excerpt, cut where it is too long; nil where nothing is left.
    static func strangers(_ text: String?, maximumLength: Int) -> String? {
        guard let text else { return nil }
        let line = oneLine(text)
        guard line.unicodeScalars.count > maximumLength else { return line.isBlank ? nil : line }
        return String(Substring(line.unicodeScalars.prefix(maximumLength - 1))) + "…"
    }

    /// Blank: the standard one. Throws `RoostError.invalid(field: "category")`.
    static func category(_ text: String) throws -> String {
        let line = oneLine(text)
        guard line.unicodeScalars.count <= maximumCategoryLength else {
            throw RoostError.invalid(
                field: "category", why: "A category has \(maximumCategoryLength) characters at most.")
        }
        return line.isBlank ? Article.standardCategory : line
    }

    /// Each once, the first spelling of it, in the given order; empty ones are passed over. Throws
    /// `RoostError.invalid(field: "tags")`.
    static func tags(_ texts: [String]) throws -> [String] {
        var seen: Set<String> = []
        let tags = texts.map(oneLine).filter { !$0.isBlank && seen.insert(folded($0)).inserted }
        guard tags.count <= maximumTags else {
            throw RoostError.invalid(field: "tags", why: "An article has \(maximumTags) tags at most.")
        }
        for tag in tags {
            guard tag.unicodeScalars.count <= maximumTagLength else {
                throw RoostError.invalid(
                    field: "tags", why: "A tag has \(maximumTagLength) characters at most.")
            }
            guard !tag.containsBytes(",") else {
                throw RoostError.invalid(
                    field: "tags", why: "A comma ends a tag; it cannot be a part of one.")
            }
        }
        return tags
    }

    /// By which two tags are the same: any case of letters.
    package static func folded(_ tag: String) -> String { FoldedText(lines: [tag]).text }

    /// By which titles are sorted.
    static func titleKey(_ title: String) -> String {
        String(FoldedText(lines: [title], ignoresAccents: true).text.unicodeScalars.prefix(100))
    }

    /// Paragraphs, sanitized line by line. Throws `RoostError.invalid` for the field.
    static func lines(_ text: String, field: String, maximumLength: Int) throws -> String {
        let tooLong = RoostError.invalid(
            field: field, why: "There can be \(maximumLength) characters at most.")
        guard text.utf8.count <= 8 * maximumLength else { throw tooLong }
        let plain = text.replacingBytes(of: "\r\n", with: "\n").replacingBytes(of: "\r", with: "\n")
        let lines = plain.splitBytes(at: "\n", omittingEmptySubsequences: false).map { String($0).sanitized }
        let trimmed = lines.joined(separator: "\n").trimmed
        guard trimmed.unicodeScalars.count <= maximumLength else { throw tooLong }
        return trimmed
    }

    private static func oneLine(_ text: String) -> String {
        // Before anything looks at characters: one may be megabytes of accents.
        let text = String(decoding: text.utf8.prefix(16_384), as: UTF8.self)
        return text.sanitized.words.joined(separator: " ").precomposedStringWithCanonicalMapping
    }
}
