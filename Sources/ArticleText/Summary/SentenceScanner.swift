struct SentenceScanner {
    private let scalars: [UInt32]
    private let abbreviations: Abbreviations
    private let stopWords: StopWords
    /// True if a number with a full stop is an ordinal, as in "am 3. Oktober".
    private let hasOrdinals: Bool
    /// True for German, in which a capital does not indicate a name.
    private let hasCapitalNouns: Bool
    /// True if the text has hardly any capitals, so that sentences need not begin with one.
    private let isWithoutCapitals: Bool

    /// A bracket that is open for longer is considered unclosed.
    private static let longestBracket = 400

    init(_ scalars: [UInt32], language: String?) {
        self.scalars = scalars
        abbreviations = Abbreviations.of(language)
        stopWords = StopWords.of(language)
        hasOrdinals = ["de", "da", "no", "fi", "cs", "pl", "hu", "tr"].contains(language)
        hasCapitalNouns = language == "de"
        var (upper, lower) = (0, 0)
        for value in scalars.prefix(20_000) {
            let kind = ScalarKind.of(value)
            if kind.contains(.upper) { upper += 1 } else if kind.contains(.lower) { lower += 1 }
        }
        isWithoutCapitals = upper * 400 < lower
    }

    // MARK: - The walk

    private struct State {
        var start: Int
        /// The number of open brackets, and the position of the outermost one.
        var depth = 0
        var opened = 0
        /// True after a straight or detached quotation mark, which can be either opening or closing.
        var isQuoteOpen = false
    }

    mutating func sentences(in paragraph: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var state = State(start: skipBullet(paragraph.lowerBound, paragraph.upperBound))
        var index = state.start
        while index < paragraph.upperBound {
            let value = scalars[index]
            if Terminators.contains(value) {
                let end = endOfRun(index, paragraph.upperBound)
                if let after = boundary(at: index, end, paragraph.upperBound, state) {
                    append(state.start..<after, to: &found)
                    for position in end..<after { note(scalars[position], at: position, &state) }
                    let start = skipSpace(after, paragraph.upperBound)
                    state = State(start: start, isQuoteOpen: state.isQuoteOpen)
                    index = start
                } else {
                    index = end
                }
            } else {
                note(value, at: index, &state)
                index += 1
            }
        }
        if state.start < paragraph.upperBound { append(state.start..<paragraph.upperBound, to: &found) }
        return found
    }

    private func append(_ range: Range<Int>, to found: inout [Range<Int>]) {
        var end = range.upperBound
        while end > range.lowerBound, isSpace(end - 1) { end -= 1 }
        guard end > range.lowerBound else { return }
        // Isolated punctuation belongs to the previous sentence, if any.
        let hasWord = (range.lowerBound..<end).contains { isWordPart($0) }
        if !hasWord, let last = found.last {
            found[found.count - 1] = last.lowerBound..<end
        } else {
            found.append(range.lowerBound..<end)
        }
    }

    private func note(_ value: UInt32, at index: Int, _ state: inout State) {
        switch value {
        case 0x28, 0x5B, 0x300C, 0x300E, 0xFF08, 0x3010, 0x300A:
            if state.depth == 0 { state.opened = index }
            state.depth += 1
        case 0x29, 0x5D, 0x300D, 0x300F, 0xFF09, 0x3011, 0x300B:
            state.depth = max(0, state.depth - 1)
        case 0x22: state.isQuoteOpen.toggle()
        case 0x27: if isDetached(index), !isGenitive(index, state) { state.isQuoteOpen.toggle() }
        default: break
        }
    }

    /// "the players ' tunnel" in tokenised text is not a quotation.
    private func isGenitive(_ index: Int, _ state: State) -> Bool {
        !state.isQuoteOpen && index >= 2 && scalars[index - 2] == 0x73 && index + 2 < scalars.count
            && ScalarKind.of(scalars[index + 2]).contains(.lower)
    }

    private func endOfRun(_ index: Int, _ limit: Int) -> Int {
        var end = index + 1
        while end < limit, Terminators.contains(scalars[end]) { end += 1 }
        return end
    }

    // MARK: - The decision

    /// Returns where the next sentence may start, if the terminators from `start` to `end` end a sentence.
    private func boundary(at start: Int, _ end: Int, _ limit: Int, _ state: State) -> Int? {
        let (close, closedBracket) = closing(end, limit, state)
        let isOfUnspaced = Terminators.needsNoSpace(scalars[end - 1])
        let isDetached = isDetached(start)
        if state.depth > 0, !closedBracket, start - state.opened < Self.longestBracket {
            // "(He left. She stayed.) Then": only a bracket around whole sentences ends one.
            return nil
        }
        if closedBracket, state.opened != state.start, !isOfUnspaced || state.depth > 1 { return nil }
        guard close < limit else { return close }
        if isOfUnspaced { return continuesAfterQuotation(close, hasClosed: close > end) ? nil : close }
        guard isSpace(close) else { return nil }
        let next = skipOpening(skipSpace(close, limit), limit)
        guard next < limit else { return close }
        let isPeriod = scalars[start] == 0x2E && end == start + 1
        guard mayStart(next, acceptsLower: isDetached && (isPeriod || close == end)) else { return nil }
        return isPeriod && isInsideSentence(period: start, next: next, state.start, isDetached) ? nil : close
    }

    /// Skips closing marks and note numbers after the terminators: "?«)[12]".
    private func closing(_ end: Int, _ limit: Int, _ state: State) -> (end: Int, closedBracket: Bool) {
        var (index, hasBracket) = (end, false)
        while index < limit {
            let value = scalars[index]
            if isClosing(value) || isQuote(value) {
                hasBracket = hasBracket || isBracket(value)
                index += 1
            } else if let next = detachedClosing(index, limit, state) ?? noteNumber(index, limit) {
                index = next
            } else {
                break
            }
        }
        return (index, hasBracket && state.depth > 0)
    }

    /// French « ainsi. » and tokenised text have a space before the closing mark.
    private func detachedClosing(_ index: Int, _ limit: Int, _ state: State) -> Int? {
        guard isSpace(index), index + 1 < limit else { return nil }
        let sign = scalars[index + 1]
        let isDouble = sign == 0x27 && index + 2 < limit && scalars[index + 2] == sign
        let end = index + (isDouble ? 3 : 2)
        guard end >= limit || isSpace(end) || Terminators.contains(scalars[end]) else { return nil }
        switch sign {
        case 0xBB, 0x201D, 0x2019: return end
        case 0x29, 0x5D: return state.depth > 0 ? end : nil
        case 0x27, 0x22: return state.isQuoteOpen || isDouble ? end : nil
        default: return nil
        }
    }

    /// Skips "[12]" after a full stop, as in encyclopedias.
    private func noteNumber(_ index: Int, _ limit: Int) -> Int? {
        guard scalars[index] == 0x5B else { return nil }
        var end = index + 1
        while end < limit, end - index < 5, ScalarKind.of(scalars[end]).contains(.digit) { end += 1 }
        return end > index + 1 && end < limit && scalars[end] == 0x5D ? end + 1 : nil
    }

    /// True for a particle after the closing mark, as in 「はい。」と言った.
    private func continuesAfterQuotation(_ index: Int, hasClosed: Bool) -> Bool {
        hasClosed
            && [0x3068, 0x3063, 0x306F, 0x304C, 0x3092, 0x306B, 0x3067, 0x3082, 0x306E, 0x3001, 0xFF0C]
                .contains(scalars[index])
    }

    /// - Parameter acceptsLower: true for tokenised text, which may be in lower case
    private func mayStart(_ next: Int, acceptsLower: Bool) -> Bool {
        let value = scalars[next]
        let kind = ScalarKind.of(value)
        if kind.contains(.lower) { return isWithoutCapitals || acceptsLower || isCamelCase(next) }
        // ", ; : ) ] /" continue a sentence.
        return ![0x2C, 0x3B, 0x3A, 0x29, 0x5D, 0x2F].contains(value)
    }

    /// "iPhone" and "eBay" can begin a sentence.
    private func isCamelCase(_ index: Int) -> Bool {
        index + 1 < scalars.count && ScalarKind.of(scalars[index + 1]).contains(.upper)
    }

    /// Returns true if a full stop belongs to an abbreviation, an initial or a number before it.
    private func isInsideSentence(period: Int, next: Int, _ start: Int, _ isDetached: Bool) -> Bool {
        let end = isDetached ? skipSpaceBack(period, start) : period
        var first = end
        while first > start, isTokenPart(first - 1) { first -= 1 }
        guard first < end else { return !isDetached && period == start }
        let token = first..<end
        if token.allSatisfy({ ScalarKind.of(scalars[$0]).contains(.digit) }) {
            return !isDetached && isOrdinal(token, next: next, start)
        }
        let startsWithFunctionWord = isStopWord(at: next)
        switch abbreviations.kind(of: hash(of: token)) {
        case .inside: return true
        case .numbered: return ScalarKind.of(scalars[next]).contains(.digit)
        case .either: return isDetached ? false : !startsWithFunctionWord && !endsList(token)
        case nil: break
        }
        if isDetached { return false }
        if token.contains(where: { scalars[$0] == 0x2E }) {
            return isShortForm(token) && !startsWithFunctionWord
        }
        return isInitial(token, next: next, start)
    }

    /// True for "etc." and its equivalents: before a capital the sentence is over.
    private func endsList(_ token: Range<Int>) -> Bool { Self.listEnds.contains(hash(of: token)) }

    private static let listEnds = Set(
        WordHash.hashes(of: "etc usw usf enz ecc osv itd itp atd apod jne yms stb m.m m.fl т.д т.п a.m p.m"))

    /// True for "U.S", "z.B", "J.R.R": at most three letters between the full stops.
    private func isShortForm(_ token: Range<Int>) -> Bool {
        var run = 0
        for index in token {
            run = scalars[index] == 0x2E ? 0 : run + 1
            if run > 3 || ScalarKind.of(scalars[index]).contains(.digit) { return false }
        }
        return true
    }

    /// True for "z. B." and "J. Smith", but not for "plan B. Then" after a word in lower case.
    private func isInitial(_ token: Range<Int>, next: Int, _ start: Int) -> Bool {
        guard token.count == 1 else { return false }
        if next + 1 < scalars.count, scalars[next + 1] == 0x2E { return true }
        guard ScalarKind.of(scalars[token.lowerBound]).contains(.upper) else { return false }
        let before = skipSpaceBack(token.lowerBound, start)
        guard before > start, before < token.lowerBound else { return !isStopWord(at: next) }
        var first = before
        while first > start, isTokenPart(first - 1) { first -= 1 }
        let isAfterName = first < before && ScalarKind.of(scalars[first]).contains(.upper)
        return (isAfterName || scalars[before - 1] == 0x2E || isStopWord(at: first)) && !isStopWord(at: next)
    }

    /// True for "3. Oktober", "3. 10. 2020", and "1. First" at a line's start.
    private func isOrdinal(_ token: Range<Int>, next: Int, _ start: Int) -> Bool {
        if token.lowerBound == start { return token.count <= 3 }
        guard hasOrdinals, token.count <= 2, !isStopWord(at: next) else { return false }
        guard hasCapitalNouns else { return true }
        // "die Linie 12. Anwohner": after a noun it is a cardinal, after "am" or a comma an ordinal.
        let end = skipSpaceBack(token.lowerBound, start)
        var first = end
        while first > start, isWordPart(first - 1) { first -= 1 }
        return first == end || !ScalarKind.of(scalars[first]).contains(.upper) || isStopWord(at: first)
    }

    // MARK: - Words

    private func isStopWord(at index: Int) -> Bool {
        var (hash, end) = (WordHash.seed, index)
        while end < scalars.count, ScalarKind.of(scalars[end]).contains(.letter), end - index < 20 {
            hash = WordHash.adding(ScalarKind.lowercased(scalars[end]), to: hash)
            end += 1
        }
        return end > index && stopWords.contains(hash)
    }

    private func hash(of range: Range<Int>) -> UInt64 {
        guard range.count < 20 else { return 0 }
        return range.reduce(WordHash.seed) {
            WordHash.adding(ScalarKind.lowercased(scalars[$1]), to: $0)
        }
    }

    /// True for letters, digits, full stops, and the dash of "c.-à-d".
    private func isTokenPart(_ index: Int) -> Bool {
        isWordPart(index) || scalars[index] == 0x2E
            || (scalars[index] == 0x2D && index > 0 && scalars[index - 1] == 0x2E)
    }

    private func isWordPart(_ index: Int) -> Bool {
        !ScalarKind.of(scalars[index]).isDisjoint(with: .wordPart)
    }

    // MARK: - Signs

    private func isSpace(_ index: Int) -> Bool { ScalarKind.of(scalars[index]) == .space }

    private func isDetached(_ index: Int) -> Bool {
        index > 0 && isSpace(index - 1) && (index + 1 >= scalars.count || isSpace(index + 1))
    }

    private func skipSpace(_ index: Int, _ limit: Int) -> Int {
        var index = index
        while index < limit, isSpace(index) { index += 1 }
        return index
    }

    /// Skips the spaces and the bullet before a list item.
    private func skipBullet(_ index: Int, _ limit: Int) -> Int {
        let start = skipSpace(index, limit)
        guard start + 1 < limit, isSpace(start + 1) else { return start }
        switch scalars[start] {
        case 0x2A, 0x2B, 0x2D, 0xB7, 0x2013, 0x2022, 0x2023, 0x2043, 0x25AA, 0x25CF:
            return skipSpace(start + 1, limit)
        default: return start
        }
    }

    private func skipSpaceBack(_ index: Int, _ start: Int) -> Int {
        var index = index
        while index > start, isSpace(index - 1) { index -= 1 }
        return index
    }

    /// Skips quotation marks, brackets and dashes that open a sentence.
    private func skipOpening(_ index: Int, _ limit: Int) -> Int {
        var index = index
        while index < limit, isQuote(scalars[index]) || isOpening(scalars[index]) || isSpace(index) {
            index += 1
        }
        return index
    }

    private func isQuote(_ value: UInt32) -> Bool {
        switch value {
        case 0x22, 0x27, 0xAB, 0xBB, 0x2018...0x201F, 0x2039, 0x203A: true
        default: false
        }
    }

    private func isOpening(_ value: UInt32) -> Bool {
        switch value {
        case 0x28, 0x5B, 0x60, 0xA1, 0xBF, 0x2D, 0x2010...0x2015, 0x2022, 0x300C, 0x300E, 0xFF08, 0x3010: true
        default: false
        }
    }

    private func isClosing(_ value: UInt32) -> Bool {
        isBracket(value) || value == 0x7D || value == 0x2A
    }

    private func isBracket(_ value: UInt32) -> Bool {
        switch value {
        case 0x29, 0x5D, 0x300D, 0x300F, 0xFF09, 0x3011, 0x300B: true
        default: false
        }
    }
}
