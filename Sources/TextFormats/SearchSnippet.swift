package struct SearchSnippet: Equatable, Sendable {
    package struct Piece: Codable, Equatable, Sendable {
        package let text: String
        package let isMatch: Bool

        package init(text: String, isMatch: Bool) {
            self.text = text
            self.isMatch = isMatch
        }
    }

    package let pieces: [Piece]
    package let isCutBefore, isCutAfter: Bool

    /// The marks that FTS5 puts around matches.
    package static let (start, end): (Unicode.Scalar, Unicode.Scalar) = ("\u{2}", "\u{3}")
    /// In code points: before the first match, and in all.
    private static let (before, length) = (60, 240)

    /// - Parameters:
    ///   - marked: the text with the marks
    ///   - text: the original text; if it contains mark characters itself, no matches are shown
    package init(marked: String, text: String) {
        let hasMarks = !text.unicodeScalars.contains { $0 == Self.start || $0 == Self.end }
        let scalars = Array((hasMarks ? marked : text).unicodeScalars)
        let first = hasMarks ? scalars.firstIndex(of: Self.start) ?? 0 : 0
        var from = max(0, first - Self.before)
        if from > 0, let blank = scalars[from..<first].firstIndex(where: \.properties.isWhitespace) {
            from = blank + 1
        }
        var pieces: [Piece] = []
        var (run, isMatch, shown) = (String.UnicodeScalarView(), false, 0)
        func endRun() {
            if !run.isEmpty { pieces.append(.init(text: String(run), isMatch: isMatch)) }
            run = String.UnicodeScalarView()
        }
        var index = from
        while index < scalars.count, shown < Self.length {
            let scalar = scalars[index]
            index += 1
            if hasMarks, scalar == Self.start || scalar == Self.end {
                endRun()
                isMatch = scalar == Self.start
            } else {
                run.append(scalar)
                shown += 1
            }
        }
        endRun()
        self.pieces = pieces
        isCutBefore = from > 0
        isCutAfter = scalars[index...].contains { !hasMarks || $0 != Self.start && $0 != Self.end }
    }
}
