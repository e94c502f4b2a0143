import Foundation
import RoostSupport
import TextFormats

/// Limits and normal forms of texts that users and pages supply.
package enum ArticleRules {
    package static let maximumTags = 50
    /// In code points, as SQLite counts.
    package static let maximumTagLength = 40
    package static let maximumCategoryLength = 60
    package static let maximumTitleLength = 300
    package static let maximumNoteLength = 10_000
    package static let maximumQuoteLength = 20_000
    package static let maximumGistLength = 100_000

    /// One line with single spaces, or nil if blank. Throws `RoostError.invalid(field: "title")`.
    static func title(_ text: String?) throws -> String? {
        guard let text else { return nil }
        let line = oneLine(text)
        guard line.unicodeScalars.count <= maximumTitleLength else {
            throw RoostError.invalid(
                field: "title", why: "A title can have up to \(maximumTitleLength) characters.")
        }
        return line.isBlank ? nil : line
    }

    /// Shortens a text from a page or a file to one line; nil if it is blank.
    static func shortened(_ text: String?, maximumLength: Int) -> String? {
        guard let text else { return nil }
        let line = oneLine(text)
        guard line.unicodeScalars.count > maximumLength else { return line.isBlank ? nil : line }
        return String(Substring(line.unicodeScalars.prefix(maximumLength - 1))) + "…"
    }

    /// Returns the standard category for a blank text. Throws `RoostError.invalid(field: "category")`.
    static func category(_ text: String) throws -> String {
        let line = oneLine(text)
        guard line.unicodeScalars.count <= maximumCategoryLength else {
            throw RoostError.invalid(
                field: "category", why: "A category can have up to \(maximumCategoryLength) characters.")
        }
        return line.isBlank ? Article.standardCategory : line
    }

    /// Removes blank tags and duplicates, keeping the first spelling. Throws `RoostError.invalid(field: "tags")`.
    static func tags(_ texts: [String]) throws -> [String] {
        var seen: Set<String> = []
        let tags = texts.map(oneLine).filter { !$0.isBlank && seen.insert(folded($0)).inserted }
        guard tags.count <= maximumTags else {
            throw RoostError.invalid(field: "tags", why: "An article can have up to \(maximumTags) tags.")
        }
        for tag in tags {
            guard tag.unicodeScalars.count <= maximumTagLength else {
                throw RoostError.invalid(
                    field: "tags", why: "A tag can have up to \(maximumTagLength) characters.")
            }
            guard !tag.containsBytes(",") else {
                throw RoostError.invalid(
                    field: "tags", why: "A tag can’t contain a comma.")
            }
        }
        return tags
    }

    /// Appends the new tags of `more`, up to the maximum.
    static func union(_ tags: [String], _ more: [String]) -> [String] {
        var seen = Set(tags.map(folded))
        let new = more.filter { seen.insert(folded($0)).inserted }
        return Array((tags + new).prefix(maximumTags))
    }

    /// The form in which tags are compared, without case.
    package static func folded(_ tag: String) -> String { FoldedText(lines: [tag]).text }

    static func titleKey(_ title: String) -> String {
        String(FoldedText(lines: [title], ignoresAccents: true).text.unicodeScalars.prefix(100))
    }

    /// Sanitizes each line. Throws `RoostError.invalid` for the field.
    static func lines(_ text: String, field: String, maximumLength: Int) throws -> String {
        let tooLong = RoostError.invalid(
            field: field, why: "This can have up to \(maximumLength) characters.")
        guard text.utf8.count <= 8 * maximumLength else { throw tooLong }
        let plain = text.replacingBytes(of: "\r\n", with: "\n").replacingBytes(of: "\r", with: "\n")
        let lines = plain.splitBytes(at: "\n", omittingEmptySubsequences: false).map { String($0).sanitized }
        let trimmed = lines.joined(separator: "\n").trimmed
        guard trimmed.unicodeScalars.count <= maximumLength else { throw tooLong }
        return trimmed
    }

    private static func oneLine(_ text: String) -> String {
        // Limit bytes before looking at characters: one character may be megabytes of accents.
        let text = String(decoding: text.utf8.prefix(16_384), as: UTF8.self)
        return text.sanitized.words.joined(separator: " ").precomposedStringWithCanonicalMapping
    }
}
