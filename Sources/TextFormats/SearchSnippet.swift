/// The part of a text around the first match, with its matches.
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

    /// In code points: before the first match, and in all.
    private static let (before, length) = (60, 240)

    /// - Parameters:
    ///   - matches: in bytes, as `SearchHighlighter` finds them
    ///   - before: how much to show before the first match, in code points
    ///   - length: how much to show, in code points
    package init(
        _ text: String, matches: [Range<Int>], before: Int = SearchSnippet.before,
        length: Int = SearchSnippet.length
    ) {
        var text = text
        text.makeContiguousUTF8()
        let (scalars, bytes) = (text.unicodeScalars, text.utf8)
        let first = bytes.index(bytes.startIndex, offsetBy: matches.first?.lowerBound ?? 0)
        var start =
            scalars.index(first, offsetBy: -before, limitedBy: scalars.startIndex) ?? scalars.startIndex
        if start > scalars.startIndex,
            let blank = scalars[start..<first].firstIndex(where: \.properties.isWhitespace)
        {
            start = scalars.index(after: blank)
        }
        let end = scalars.index(start, offsetBy: length, limitedBy: scalars.endIndex) ?? scalars.endIndex
        var pieces: [Piece] = []
        var shown = start
        func add(until index: String.Index, isMatch: Bool) {
            let next = min(index, end)
            guard shown < next else { return }
            pieces.append(Piece(text: String(text[shown..<next]), isMatch: isMatch))
            shown = next
        }
        for match in matches {
            add(until: bytes.index(bytes.startIndex, offsetBy: match.lowerBound), isMatch: false)
            add(until: bytes.index(bytes.startIndex, offsetBy: match.upperBound), isMatch: true)
        }
        add(until: end, isMatch: false)
        self.pieces = pieces
        isCutBefore = start > scalars.startIndex
        isCutAfter = end < scalars.endIndex
    }
}
