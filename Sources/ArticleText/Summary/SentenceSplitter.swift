/// One sentence of a text.
package struct Sentence: Sendable, Equatable {
    /// Whole, on one line.
    package let text: String
    /// The number of its paragraph, from 0.
    package let paragraph: Int
}

/// Splits text into sentences by the rules of its language.
enum SentenceSplitter {
    /// The sentences in the order of the text; a line is a paragraph, unless the text is wrapped at a fixed width.
    ///
    /// - Parameter language: of ISO 639-1 ("de", "pt-BR"); guessed where nil
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

/// Where a sentence stands among the scalars of a text.
struct SentenceSpan: Sendable {
    let range: Range<Int>
    let paragraph: Int
}

enum LanguageCode {
    /// Of "pt-BR" the "pt"; Norwegian under one name; nil for none.
    static func primary(_ code: String?) -> String? {
        guard let first = code?.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first else {
            return nil
        }
        return ["nb", "nn"].contains(first) ? "no" : String(first)
    }
}

enum SentenceText {
    /// On one line: without controls and what turns the order of letters around, and with one blank for several.
    static func line(_ scalars: some Sequence<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        var isBlankDue = false
        for value in scalars where !isReordering(value) && value != 0xFEFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if ScalarKind.of(value) == .space, value != 0xA0, value != 0x202F {
                isBlankDue = !view.isEmpty
            } else {
                if isBlankDue { view.append(" ") }
                isBlankDue = false
                view.append(scalar)
            }
        }
        return String(view)
    }

    /// Unicode TR9: explicit embeddings, overrides and isolates.
    private static func isReordering(_ value: UInt32) -> Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}

/// The paragraphs of a text: its lines, where a line that goes on in the next one is joined with it.
struct Paragraphs {
    let ranges: [Range<Int>]

    init(_ scalars: [UInt32]) {
        var lines: [Range<Int>] = []
        var start = 0
        for index in scalars.indices where Self.endsLine(scalars[index]) {
            // A carriage return and its line feed end one line.
            let isSecondHalf = scalars[index] == 0xA && index > 0 && scalars[index - 1] == 0xD
            if !isSecondHalf { lines.append(start..<index) }
            start = index + 1
        }
        lines.append(start..<scalars.count)
        let isWrapped = Self.isWrapped(lines, scalars)
        var joined: [Range<Int>] = []
        for line in lines {
            if let last = joined.last,
                isWrapped ? Self.areText(last, line, scalars) : Self.goesOn(last, line, scalars)
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

    /// Mail and plain text files: many lines are about as long as the longest, and go on in the next. A line in
    /// twenty may be longer: an address.
    private static func isWrapped(_ lines: [Range<Int>], _ scalars: [UInt32]) -> Bool {
        let longest = lines.map(\.count).sorted()[lines.count * 19 / 20]
        guard (40...100).contains(longest) else { return false }
        let pairs = zip(lines, lines.dropFirst()).filter { !$0.isEmpty && !$1.isEmpty }
        let wrapped = pairs.filter { $0.count * 3 >= longest * 2 && goesOn($0, $1, scalars) }
        return wrapped.count > 1 && wrapped.count * 3 >= pairs.count
    }

    /// A line without a full stop, and then one that begins in lower case.
    private static func goesOn(_ line: Range<Int>, _ next: Range<Int>, _ scalars: [UInt32]) -> Bool {
        guard line.count >= 40, !next.isEmpty, next.lowerBound <= line.upperBound + 2 else { return false }
        return ScalarKind.of(scalars[next.lowerBound]).contains(.lower)
            && !Terminators.contains(scalars[line.upperBound - 1])
    }

    private static func areText(_ line: Range<Int>, _ next: Range<Int>, _ scalars: [UInt32]) -> Bool {
        !line.isEmpty && hasText(next, scalars) && hasText(line.suffix(100), scalars)
    }

    private static func hasText(_ line: some Collection<Int>, _ scalars: [UInt32]) -> Bool {
        line.contains { ScalarKind.of(scalars[$0]) != .space }
    }
}

/// The signs that may end a sentence.
enum Terminators {
    static func contains(_ value: UInt32) -> Bool {
        switch value {
        case 0x21, 0x2E, 0x3F, 0x2026, 0x203C...0x203D, 0x2047...0x2049: true
        default: value >= 0x589 && isOfAnotherScript(value)
        }
    }

    /// Chinese and Japanese put no blank behind them.
    static func needsNoBlank(_ value: UInt32) -> Bool {
        switch value {
        case 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61: true
        default: false
        }
    }

    /// Armenian, Arabic, Urdu, Hindi, Burmese, Khmer.
    private static func isOfAnotherScript(_ value: UInt32) -> Bool {
        switch value {
        case 0x589, 0x61F, 0x6D4, 0x964, 0x965, 0x104A, 0x104B, 0x17D4: true
        default: needsNoBlank(value)
        }
    }
}
