import Foundation
import RoostSupport

/// The rules for what users write beside a bookmark.
enum TagRules {
    package static let maximumTags = 20
    /// In code points, as SQLite counts.
    package static let maximumTagLength = 40
    package static let maximumNoteLength = 2_000

    /// One tag as it is kept: one line, blanks in single file. Throws `RoostError.invalid(field: "tag")`.
    package static func tag(_ text: String) throws -> String {
        // Before anything looks at characters: one may be megabytes of accents.
        guard text.utf8.count <= 1_000 else { throw tooLong }
        let tag = text.sanitized.words.joined(separator: " ")
            .precomposedStringWithCanonicalMapping
        guard !tag.isBlank else { throw RoostError.invalid(field: "tag", why: "A tag needs a name.") }
        guard tag.unicodeScalars.count <= maximumTagLength else { throw tooLong }
        guard !tag.containsBytes(",") else {
            throw RoostError.invalid(field: "tag", why: "A comma ends a tag; it cannot be a part of one.")
        }
        return tag
    }

    /// What tells tags apart: the same in any case of letters.
    package static func key(_ tag: String) -> String { tag.lowercased() }

    /// Each once, the first spelling of it, in the given order; empty ones are passed over. Throws
    /// `RoostError.invalid(field: "tags")`.
    package static func tags(_ texts: [String]) throws -> [String] {
        do {
            let tags = union([], try texts.filter { !$0.isBlank }.map(tag))
            guard tags.count <= maximumTags else {
                throw RoostError.invalid(field: "tags", why: "A bookmark has \(maximumTags) tags at most.")
            }
            return tags
        } catch RoostError.invalid(field: "tag", let why) {
            throw RoostError.invalid(field: "tags", why: why)
        }
    }

    /// The tags, and behind them those of `more` that are new.
    package static func union(_ tags: [String], _ more: [String]) -> [String] {
        var keys = Set(tags.map(key))
        return tags + more.filter { keys.insert(key($0)).inserted }
    }

    /// A note as it is kept: its lines sanitized, no blank ones around it. Throws `RoostError.invalid(field:
    /// "note")`.
    package static func note(_ text: String) throws -> String {
        guard text.utf8.count <= 20_000 else { throw tooLongNote }
        let note = lines(text).map(\.sanitized).joined(separator: "\n")
        // Blanks around it are taken off before it is measured, so that a few of them do no harm.
        guard note.unicodeScalars.count <= 2 * maximumNoteLength else { throw tooLongNote }
        let trimmed = note.trimmed
        guard trimmed.unicodeScalars.count <= maximumNoteLength else { throw tooLongNote }
        return trimmed
    }

    /// By code points: one character may be thousands of accents, and comparing it takes Swift a second.
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

    /// Both notes, the first before the second; one whose paragraphs stand in the other already adds nothing;
    /// nil when they are too long together.
    package static func joined(_ note: String, _ more: String) -> String? {
        if more.isEmpty || holds(note, more) { return note }
        if note.isEmpty || holds(more, note) { return more }
        let both = note + "\n\n" + more
        return both.unicodeScalars.count <= maximumNoteLength ? both : nil
    }

    /// By paragraphs: a search for any words takes too long where somebody has written thousands of the same
    /// letter.
    private static func holds(_ note: String, _ other: String) -> Bool {
        let (all, part) = (note.components(separatedBy: "\n\n"), other.components(separatedBy: "\n\n"))
        guard part.count <= all.count else { return false }
        return (0...(all.count - part.count)).contains { all[$0..<($0 + part.count)].elementsEqual(part) }
    }

    private static let tooLong = RoostError.invalid(
        field: "tag", why: "A tag has \(maximumTagLength) characters at most.")
    private static let tooLongNote = RoostError.invalid(
        field: "note", why: "A note has 2,000 characters at most.")
}
