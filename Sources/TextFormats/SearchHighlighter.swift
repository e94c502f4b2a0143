/// Finds the words of a search in a text, by the same rules as the full-text indexes.
package struct SearchHighlighter {
    fileprivate struct Phrase {
        var tokens: [[UInt8]] = []
        /// Whether the last token may be the beginning of a word.
        var isBeginning = false
        /// Bit n: the last n + 1 tokens of the text are the first of the phrase.
        var matched: UInt64 = 0
        /// The same for the token at the current position alone.
        var equal: UInt64 = 0
        /// Where the last token ends, if it is at the current position.
        var end = 0
    }

    /// Further tokens of a phrase are ignored.
    private static let maximumTokens = 64

    private let phrases: [Phrase]

    /// - Parameter isBeginning: whether the last phrase may be the beginning of a word
    package init(_ phrases: [SearchPhrase], isBeginning: Bool) {
        self.phrases = phrases.enumerated().map { index, phrase in
            var tokens: [[UInt8]] = []
            var content = phrase.content
            content.withUTF8 { text in
                SearchTokenizer.tokenize(text, for: .searching) {
                    tokens.append(Array($0.bytes))
                    return tokens.count < Self.maximumTokens
                }
            }
            return Phrase(tokens: tokens, isBeginning: isBeginning && index == phrases.count - 1)
        }.filter { !$0.tokens.isEmpty }
    }

    /// What was found in a text.
    package struct Found {
        /// In bytes, in order and apart from each other.
        package var ranges: [Range<Int>] = []
        /// How many of the phrases occur.
        package var phraseCount = 0

        package init() {}
    }

    /// - Parameter length: where to stop, in bytes after the first match
    package func matches(in text: String, length: Int = .max) -> Found {
        var text = text
        return text.withUTF8 { matches(in: $0, length: length) }
    }

    private func matches(in text: UnsafeBufferPointer<UInt8>, length: Int) -> Found {
        var (phrases, ranges) = (phrases, [Range<Int>]())
        var found = [Bool](repeating: false, count: phrases.count)
        var starts = [Int](repeating: 0, count: Self.maximumTokens)
        var count = 0

        func finishPosition() {
            for index in phrases.indices {
                let phrase = phrases[index]
                phrases[index].matched = (phrase.matched << 1 | 1) & phrase.equal
                phrases[index].equal = 0
                guard phrases[index].matched & 1 << UInt64(phrase.tokens.count - 1) != 0 else { continue }
                found[index] = true
                let start = starts[(count - phrase.tokens.count) % Self.maximumTokens]
                Self.insert(start..<phrase.end, into: &ranges)
            }
        }

        SearchTokenizer.tokenize(text, for: .indexing) { token in
            if !token.isColocated {
                if count > 0 { finishPosition() }
                if let first = ranges.first, token.start - first.lowerBound > length { return false }
                starts[count % Self.maximumTokens] = token.start
                count += 1
            }
            for index in phrases.indices { phrases[index].compare(token) }
            return true
        }
        if count > 0 { finishPosition() }
        var result = Found()
        result.ranges = ranges
        result.phraseCount = found.count { $0 }
        return result
    }

    /// Ranges end in order, but a longer phrase may begin before a shorter one.
    private static func insert(_ range: Range<Int>, into ranges: inout [Range<Int>]) {
        var start = range.lowerBound
        var end = range.upperBound
        while let last = ranges.last, last.upperBound >= start, last.lowerBound <= end {
            start = min(start, last.lowerBound)
            end = max(end, last.upperBound)
            ranges.removeLast()
        }
        ranges.append(start..<end)
    }
}

extension SearchHighlighter.Phrase {
    fileprivate mutating func compare(_ token: SearchTokenizer.Token) {
        for (index, expected) in tokens.enumerated() {
            // Most tokens differ in their first byte.
            guard token.bytes[0] == expected[0] else { continue }
            let isLast = index == tokens.count - 1
            guard isLast && isBeginning || token.bytes.count == expected.count,
                token.bytes.starts(with: expected)
            else { continue }
            equal |= 1 << UInt64(index)
            if isLast { end = token.matchEnd }
        }
    }
}
