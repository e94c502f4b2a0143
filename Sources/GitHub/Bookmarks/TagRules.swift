import Foundation
import RoostSupport

package enum TagRules {
    package static let maximumTags = 20
    /// In code points, as SQLite counts.
    package static let maximumTagLength = 40
    package static let maximumNoteLength = 2_000

    /// Normalizes a tag to one line with single blanks. Throws `RoostError.invalid(field: "tag")`.
    package static func tag(_ text: String) throws -> String {
        // Must come before any comparison of characters: one may be megabytes of accents.
        guard text.utf8.count <= 1_000 else { throw tooLong }
        let tag = text.sanitized.words.joined(separator: " ")
            .precomposedStringWithCanonicalMapping
        guard !tag.isBlank else { throw RoostError.invalid(field: "tag", why: "A tag needs a name.") }
        guard tag.unicodeScalars.count <= maximumTagLength else { throw tooLong }
        guard !tag.containsBytes(",") else {
            throw RoostError.invalid(field: "tag", why: "A tag cannot contain a comma.")
        }
        return tag
    }

    /// Case-insensitive.
    package static func key(_ tag: String) -> String { tag.lowercased() }

    /// Normalizes tags, and removes empty ones and duplicates. Keeps the order and the first spelling. Throws
    /// `RoostError.invalid(field: "tags")`.
    package static func tags(_ texts: [String]) throws -> [String] {
        do {
            let tags = union([], try texts.filter { !$0.isBlank }.map(tag))
            guard tags.count <= maximumTags else {
                throw RoostError.invalid(
                    field: "tags", why: "A bookmark can have at most \(maximumTags) tags.")
            }
            return tags
        } catch RoostError.invalid(field: "tag", let why) {
            throw RoostError.invalid(field: "tags", why: why)
        }
    }

    package static func union(_ tags: [String], _ more: [String]) -> [String] {
        var keys = Set(tags.map(key))
        return tags + more.filter { keys.insert(key($0)).inserted }
    }

    /// Sanitizes a note's lines and trims it. Throws `RoostError.invalid(field: "note")`.
    package static func note(_ text: String) throws -> String {
        guard text.utf8.count <= 20_000 else { throw tooLongNote }
        let note = lines(text).map(\.sanitized).joined(separator: "\n")
        // Trims before the final check, so that surrounding blanks don't count.
        guard note.unicodeScalars.count <= 2 * maximumNoteLength else { throw tooLongNote }
        let trimmed = note.trimmed
        guard trimmed.unicodeScalars.count <= maximumNoteLength else { throw tooLongNote }
        return trimmed
    }

    /// Splits by code points: Swift takes a second to compare a character with thousands of accents.
    private static func lines(_ text: String) -> [String] {
        var lines = [String.UnicodeScalarView()]
        var isReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" || scalar == "\n" && !isReturn {
                lines.append(String.UnicodeScalarView())
            } else if scalar != "\n" {
                lines[lines.count - 1].append(scalar)
            }
            isReturn = scalar == "\r"
        }
        return lines.map(String.init)
    }

    /// Joins two notes. Returns one of them if it contains the other's paragraphs, and nil if both are too long
    /// together.
    package static func joined(_ note: String, _ more: String) -> String? {
        if more.isEmpty || containsParagraphs(note, more) { return note }
        if note.isEmpty || containsParagraphs(more, note) { return more }
        let both = note + "\n\n" + more
        return both.unicodeScalars.count <= maximumNoteLength ? both : nil
    }

    /// Compares paragraphs, because a text search takes too long in thousands of equal letters.
    private static func containsParagraphs(_ note: String, _ other: String) -> Bool {
        let (all, part) = (note.components(separatedBy: "\n\n"), other.components(separatedBy: "\n\n"))
        guard part.count <= all.count else { return false }
        return (0...(all.count - part.count)).contains { all[$0..<($0 + part.count)].elementsEqual(part) }
    }

    private static let tooLong = RoostError.invalid(
        field: "tag", why: "A tag can have at most \(maximumTagLength) characters.")
    private static let tooLongNote = RoostError.invalid(
        field: "note", why: "A note can have at most 2,000 characters.")
}
