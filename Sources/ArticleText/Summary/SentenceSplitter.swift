import TextFormats

package struct Sentence: Sendable, Equatable {
    package let text: String
    package let paragraph: Int
}

/// Splits text into sentences by the rules of its language.
enum SentenceSplitter {
    /// Returns the sentences in order. Each line is a paragraph, unless the text is wrapped at a fixed width.
    ///
    /// - Parameter language: an ISO 639-1 code ("de", "pt-BR"), or nil to guess it
    package static func sentences(in text: String, language: String? = nil) -> [Sentence] {
        let scalars = text.unicodeScalars.map(\.value)
        let language = LanguageCode.primary(language) ?? LanguageGuess.language(of: scalars)
        return spans(in: scalars, language: language).map {
            Sentence(text: SentenceText.line(scalars[$0.range]), paragraph: $0.paragraph)
        }
    }

    static func spans(in scalars: [UInt32], language: String?) -> [SentenceSpan] {
        let paragraphs = Paragraphs(scalars)
        var scanner = SentenceScanner(scalars, language: language)
        return paragraphs.ranges.enumerated().flatMap { number, range in
            scanner.sentences(in: range).map { SentenceSpan(range: $0, paragraph: number) }
        }
    }
}

struct SentenceSpan: Sendable {
    let range: Range<Int>
    let paragraph: Int
}

enum LanguageCode {
    /// Returns "pt" for "pt-BR", and the same code for all kinds of Norwegian; nil for nil or an empty code.
    static func primary(_ code: String?) -> String? {
        guard let first = code?.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first else {
            return nil
        }
        return ["nb", "nn"].contains(first) ? "no" : String(first)
    }
}

enum SentenceText {
    /// Joins the text into one line, without control and reordering characters, and with single spaces.
    static func line(_ scalars: some Sequence<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        var needsSpace = false
        for value in scalars where value != 0xFEFF {
            guard let scalar = Unicode.Scalar(value), !scalar.isReordering else { continue }
            if ScalarKind.of(value) == .space, value != 0xA0, value != 0x202F {
                needsSpace = !view.isEmpty
            } else {
                if needsSpace { view.append(" ") }
                needsSpace = false
                view.append(scalar)
            }
        }
        return String(view)
    }
}

/// The paragraphs of a text: its lines, joined if one continues in the next.
struct Paragraphs {
    let ranges: [Range<Int>]

    init(_ scalars: [UInt32]) {
        var lines: [Range<Int>] = []
        var start = 0
        for index in scalars.indices where Self.endsLine(scalars[index]) {
            // CR LF ends only one line.
            let isSecondHalf = scalars[index] == 0xA && index > 0 && scalars[index - 1] == 0xD
            if !isSecondHalf { lines.append(start..<index) }
            start = index + 1
        }
        lines.append(start..<scalars.count)
        let isWrapped = Self.isWrapped(lines, scalars)
        var joined: [Range<Int>] = []
        for line in lines {
            if let last = joined.last,
                isWrapped ? Self.bothHaveText(last, line, scalars) : Self.continues(last, line, scalars)
            {
                joined[joined.count - 1] = last.lowerBound..<line.upperBound
            } else {
                joined.append(line)
            }
        }
        ranges = joined
    }

    private static func endsLine(_ value: UInt32) -> Bool {
        (0xA...0xD).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
    }

    /// True for mail and plain text files, where many lines are about as long as the longest and continue in the next.
    /// Ignores the longest 1/20 of the lines, which may be addresses.
    private static func isWrapped(_ lines: [Range<Int>], _ scalars: [UInt32]) -> Bool {
        let longest = lines.map(\.count).sorted()[lines.count * 19 / 20]
        guard (40...100).contains(longest) else { return false }
        let pairs = zip(lines, lines.dropFirst()).filter { !$0.isEmpty && !$1.isEmpty }
        let wrapped = pairs.filter { $0.count * 3 >= longest * 2 && continues($0, $1, scalars) }
        return wrapped.count > 1 && wrapped.count * 3 >= pairs.count
    }

    /// True for a line without a full stop followed by one that begins in lower case.
    private static func continues(_ line: Range<Int>, _ next: Range<Int>, _ scalars: [UInt32]) -> Bool {
        guard line.count >= 40, !next.isEmpty, next.lowerBound <= line.upperBound + 2 else { return false }
        return ScalarKind.of(scalars[next.lowerBound]).contains(.lower)
            && !Terminators.contains(scalars[line.upperBound - 1])
    }

    private static func bothHaveText(_ line: Range<Int>, _ next: Range<Int>, _ scalars: [UInt32]) -> Bool {
        !line.isEmpty && hasText(next, scalars) && hasText(line.suffix(100), scalars)
    }

    private static func hasText(_ line: some Collection<Int>, _ scalars: [UInt32]) -> Bool {
        line.contains { ScalarKind.of(scalars[$0]) != .space }
    }
}

enum Terminators {
    static func contains(_ value: UInt32) -> Bool {
        switch value {
        case 0x21, 0x2E, 0x3F, 0x2026, 0x203C...0x203D, 0x2047...0x2049: true
        default: value >= 0x589 && isOfAnotherScript(value)
        }
    }

    /// True for Chinese and Japanese, which have no space after the terminator.
    static func needsNoSpace(_ value: UInt32) -> Bool {
        switch value {
        case 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61: true
        default: false
        }
    }

    /// Armenian, Arabic, Urdu, Hindi, Burmese, Khmer.
    private static func isOfAnotherScript(_ value: UInt32) -> Bool {
        switch value {
        case 0x589, 0x61F, 0x6D4, 0x964, 0x965, 0x104A, 0x104B, 0x17D4: true
        default: needsNoSpace(value)
        }
    }
}
