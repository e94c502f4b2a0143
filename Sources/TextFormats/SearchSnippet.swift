/// The part of a text that a list of what was found shows.
package struct SearchSnippet: Equatable, Sendable {
    /// A stretch of text, which is one of the words that were looked for or stands between two.
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

    /// Signs that FTS5 puts around what it has found.
    package static let (start, end): (Unicode.Scalar, Unicode.Scalar) = ("\u{2}", "\u{3}")
    /// Code points before the first of the words, and in all.
    private static let (before, length) = (60, 240)

    /// - Parameters:
    ///   - marked: the text with the signs in it
    ///   - text: as it is; where it holds such signs itself, nothing is marked
    package init(marked: String, text: String) {
        let isOurs = !text.unicodeScalars.contains { $0 == Self.start || $0 == Self.end }
        let scalars = Array((isOurs ? marked : text).unicodeScalars)
        let first = isOurs ? scalars.firstIndex(of: Self.start) ?? 0 : 0
        var from = max(0, first - Self.before)
        // Between two words, if one is near.
        if from > 0, let blank = scalars[from..<first].firstIndex(where: \.properties.isWhitespace) {
            from = blank + 1
        }
        var pieces: [Piece] = []
        var (run, isMatch, shown) = (String.UnicodeScalarView(), false, 0)
        func endRun() {
            if !run.isEmpty { pieces.append(.init(text: String(run), isMatch: isMatch)) }
            run = String.UnicodeScalarView()
        }
        var place = from
        while place < scalars.count, shown < Self.length {
            let scalar = scalars[place]
            place += 1
            if isOurs, scalar == Self.start || scalar == Self.end {
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
        isCutAfter = scalars[place...].contains { !isOurs || $0 != Self.start && $0 != Self.end }
    }
}
