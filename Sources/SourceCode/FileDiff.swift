/// The changes of one file, ready to show: hunks of lines with numbers, syntax classes and changed words.
package struct FileDiff: Equatable, Sendable {
    package struct Hunk: Equatable, Sendable {
        /// What Git prints behind the second `@@`, often the function. May be empty.
        package let heading: String
        /// Lines of both files between the hunk before (or the file's beginning) and this one.
        package let hiddenLines: Int
        package let lines: [Line]
    }

    package struct Line: Equatable, Sendable {
        package enum Kind: String, Sendable {
            case context, added, removed
        }

        package let kind: Kind
        /// Numbers begin at 1. Nil for an added line.
        package let oldNumber: Int?
        /// Nil for a removed line.
        package let newNumber: Int?
        package let spans: [Span]
        /// True if the line's end is cut off because the line is very long.
        package let isCut: Bool
    }

    package struct Span: Equatable, Sendable {
        /// Never contains invisible or bidirectional characters, except inside emoji: they are written as their code, such
        /// as U+202E.
        package let text: String
        package let syntax: Syntax?
        /// True if this part of the line differs from the line that it replaces.
        package let isChanged: Bool
        /// True for the code of an invisible character, and for the note that the file does not end with a newline.
        package let isEscape: Bool
    }

    /// The CSS class is "syntax-" and the raw value.
    package enum Syntax: String, CaseIterable, Sendable {
        case keyword, string, number, comment, type, function, attribute, tag, heading
    }

    /// A row of the view with two columns: a context line is in both.
    package struct Pair: Equatable, Sendable {
        package let old: Line?
        package let new: Line?
    }

    package let hunks: [Hunk]
    /// True if the patch cannot be parsed to its end, or is longer than the limit.
    package let isCut: Bool
}
