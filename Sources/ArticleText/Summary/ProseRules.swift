/// Decides which sentences are suitable for a gist: no headings, captions, bylines, credits, tables or code.
struct ProseRules {
    private let scalars: [UInt32]

    init(_ scalars: [UInt32]) { self.scalars = scalars }

    func isSentence(_ candidate: SentenceRanker.Candidate) -> Bool {
        let isEnded = isTerminated(candidate.span.range)
        return candidate.words.count >= (isEnded ? 4 : 20) && isReadable(candidate)
            && !isBoilerplate(candidate, isTerminated: isEnded)
    }

    /// Returns true for a line without a full stop that can replace a sentence if the text has none.
    func isFragment(_ candidate: SentenceRanker.Candidate) -> Bool {
        candidate.words.count >= 6 && isReadable(candidate) && !isBoilerplate(candidate, isTerminated: false)
    }

    func isReadable(_ candidate: SentenceRanker.Candidate) -> Bool {
        let (words, range) = (candidate.words, candidate.span.range)
        let visible = words.letters + words.digits + words.signs
        return words.count <= 120 && range.count <= 1_500 && words.terms.count >= 2
            && words.letters * 10 >= visible * 7 && words.digits * 4 <= words.letters
            && !isTableRow(range)
    }

    /// True if the last character, except for closing marks and spaces, ends a sentence.
    private func isTerminated(_ range: Range<Int>) -> Bool {
        for value in scalars[range].suffix(8).reversed() {
            if Terminators.contains(value) { return true }
            if !ScalarKind.of(value).isDisjoint(with: [.letter]) { return false }
        }
        return false
    }

    private func isTableRow(_ range: Range<Int>) -> Bool {
        var separators = 0
        for value in scalars[range] where value == 0x7C || value == 0x9 { separators += 1 }
        return separators >= 2
    }

    private func isBoilerplate(_ candidate: SentenceRanker.Candidate, isTerminated: Bool) -> Bool {
        let words = candidate.words
        if words.count <= 16, candidate.phrases.first.contains(.invitation) { return true }
        if words.count <= 25, candidate.phrases.anywhere.contains(.credit) { return true }
        return words.count <= 40 && candidate.phrases.first.contains(.label)
            && isLabel(candidate.span.range)
    }

    /// True for a beginning such as "Photo: " or "Foto / ".
    private func isLabel(_ range: Range<Int>) -> Bool {
        let head = scalars[range].prefix(24)
        guard let sign = head.first(where: { [0x3A, 0xFF1A, 0x2F, 0x7C].contains($0) }) else { return false }
        return head.prefix { $0 != sign }.split(separator: 0x20).count <= 2
    }
}
