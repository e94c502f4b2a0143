/// What one reading of a block's text tells.
struct TextMeasure {
    private(set) var bytes = 0
    private(set) var commas = 0
    /// Ends of sentences.
    private(set) var ends = 0
    private(set) var endsSentence = false
    private(set) var startsUpper = false
    private(set) var capitals = 0
    private(set) var digits = 0
    private(set) var hasMoney = false
    private(set) var hasCopyright = false
    private(set) var bars = 0
    /// Of its words' weights: positive for words that texts have, negative for those of menus, notices and buttons.
    private(set) var wordMean: Float = 0
    private(set) var wordSum: Float = 0
    /// Of all its words in small letters.
    private(set) var hash = PageHash.seed
    /// The hashes of its first words.
    private(set) var firstWords: [UInt64] = []

    private static let remembered = 30

    init(_ text: ArraySlice<UInt8>, _ weights: TokenWeights) {
        bytes = text.count
        text.withUnsafeBufferPointer { read($0, weights) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ weights: TokenWeights) {
        var place = 0
        var words = 0
        while place < text.count {
            let byte = text[place]
            if PageText.isWord(byte) {
                if byte &- 0x41 < 26 {
                    capitals += 1
                    if words == 0 { startsUpper = true }
                }
                var word = PageHash.seed
                while place < text.count, PageText.isWord(text[place]) {
                    if text[place] &- 0x30 < 10 { digits += 1 }
                    noteSign(text, place)
                    word = PageHash.add(PageText.lower(text[place]), to: word)
                    place += 1
                }
                words += 1
                hash = (hash ^ word) &* 0x100_0000_01b3
                if words <= Self.remembered { firstWords.append(word) }
                wordSum += weights[word]
                continue
            }
            switch byte {
            case UInt8(ascii: ","): commas += 1
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                if place + 1 == text.count || PageText.isSpace(text[place + 1]) || text[place + 1] == 0x22 {
                    ends += 1
                }
            case UInt8(ascii: "$"): hasMoney = true
            case UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "/"): bars += 1
            default: break
            }
            place += 1
        }
        wordMean = wordSum / Float(max(words, 1))
        wordSum = max(-12, min(12, wordSum))
        endsSentence = Self.endsSentence(text)
    }

    /// Signs beyond ASCII that mean something here.
    @inline(__always)
    private mutating func noteSign(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) {
        let byte = text[place]
        guard byte >= 0xC2 else { return }
        let second = place + 1 < text.count ? text[place + 1] : 0
        let third = place + 2 < text.count ? text[place + 2] : 0
        switch (byte, second, third) {
        case (0xC2, 0xA9, _): hasCopyright = true
        case (0xC2, 0xA3, _), (0xC2, 0xA5, _), (0xE2, 0x82, _): hasMoney = true
        case (0xC2, 0xB7, _), (0xC2, 0xBB, _), (0xE2, 0x80, 0xBA), (0xE2, 0x80, 0xA2): bars += 1
        case (0xEF, 0xBC, 0x8C), (0xE3, 0x80, 0x81): commas += 1
        case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x81), (0xEF, 0xBC, 0x9F): ends += 1
        default: break
        }
    }

    private static func endsSentence(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in text.suffix(4).reversed() {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"), 0x82, 0x9F:
                return true
            case UInt8(ascii: "\""), UInt8(ascii: ")"), UInt8(ascii: "'"), 0x20, 0x9D, 0x80, 0xE2: continue
            default: return false
            }
        }
        return false
    }
}
