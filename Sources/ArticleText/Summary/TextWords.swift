struct TextWords {
    /// The stems of its words except stop words, each once, in the order of first use.
    private(set) var terms: [Int] = []
    private(set) var hashes: [UInt64] = []
    /// Words separated by spaces. In unspaced scripts two characters count as a word.
    private(set) var count = 0
    private(set) var letters = 0
    private(set) var digits = 0
    private(set) var signs = 0

    fileprivate mutating func finishToken(unspaced: Int, hasOther: Bool) {
        count += (unspaced + 1) / 2 + (hasOther ? 1 : 0)
    }

    fileprivate mutating func note(_ kind: ScalarKind) {
        if kind.contains(.letter) { letters += 1 } else if kind.contains(.digit) { digits += 1 }
        if kind.isEmpty { signs += 1 }
    }

    fileprivate mutating func add(hash: UInt64) { hashes.append(hash) }

    fileprivate mutating func add(term: Int) { terms.append(term) }
}

/// Splits sentences into words, and numbers the terms of a text in the order of first use.
struct WordReader {
    private(set) var frequencies: [Int] = []
    private var numbers: [UInt64: Int] = [:]
    /// For each term the last sentence with it, so that each sentence counts once.
    private var lastSentence: [Int] = []
    private var sentence = 0
    private let stopWords: StopWords

    /// Further letters are taken for an ending: "report", "reports" and "reported" are one term.
    private static let stemLength = 6

    init(language: String?) { stopWords = StopWords.of(language) }

    mutating func read(_ scalars: ArraySlice<UInt32>) -> TextWords {
        var words = TextWords()
        var word = Word()
        var (unspaced, hasOther, previous) = (0, false, UInt32(0))
        sentence += 1
        for value in scalars {
            let kind = ScalarKind.of(value)
            words.note(kind)
            if kind.contains(.unspaced) || kind.contains(.hangul) {
                if kind.contains(.unspaced) { unspaced += 1 } else { hasOther = true }
                finish(&word, &words)
                words.add(hash: WordHash.adding(value, to: WordHash.seed))
                if previous != 0 { addTerm(WordHash.adding(value, to: UInt64(previous)), &words) }
                previous = value
                continue
            }
            previous = 0
            if kind == .space {
                words.finishToken(unspaced: unspaced, hasOther: hasOther)
                (unspaced, hasOther) = (0, false)
            } else {
                hasOther = hasOther || unspaced == 0
            }
            if kind.isDisjoint(with: .wordPart) {
                finish(&word, &words)
            } else {
                word.add(ScalarKind.lowercased(value), stemLength: Self.stemLength)
            }
        }
        finish(&word, &words)
        words.finishToken(unspaced: unspaced, hasOther: hasOther)
        return words
    }

    private struct Word {
        var hash = WordHash.seed
        var stem = WordHash.seed
        var length = 0

        mutating func add(_ value: UInt32, stemLength: Int) {
            hash = WordHash.adding(value, to: hash)
            if length < stemLength { stem = hash }
            length += 1
        }
    }

    private mutating func finish(_ word: inout Word, _ words: inout TextWords) {
        guard word.length > 0 else { return }
        words.add(hash: word.hash)
        if word.length > 1, !stopWords.contains(word.hash) { addTerm(word.stem, &words) }
        word = Word()
    }

    private mutating func addTerm(_ hash: UInt64, _ words: inout TextWords) {
        let number: Int
        if let existing = numbers[hash] {
            number = existing
        } else {
            number = frequencies.count
            numbers[hash] = number
            frequencies.append(0)
            lastSentence.append(0)
        }
        guard lastSentence[number] != sentence else { return }
        lastSentence[number] = sentence
        frequencies[number] += 1
        words.add(term: number)
    }

    /// Returns the numbers of a title's words that are in the text.
    func existingTerms(in scalars: [UInt32]) -> Set<Int> {
        var other = WordReader(stopWords: stopWords, numbers: numbers)
        return Set(other.read(scalars[...]).terms.filter { $0 < frequencies.count })
    }

    private init(stopWords: StopWords, numbers: [UInt64: Int]) {
        self.stopWords = stopWords
        self.numbers = numbers
        frequencies = Array(repeating: 0, count: numbers.count)
        lastSentence = frequencies
    }
}
