struct TextMeasure {
    private(set) var bytes = 0
    private(set) var commas = 0
    private(set) var ends = 0
    private(set) var endsSentence = false
    private(set) var startsUpper = false
    private(set) var capitals = 0
    private(set) var digits = 0
    private(set) var hasMoney = false
    private(set) var hasCopyright = false
    private(set) var bars = 0
    /// The mean of the words' weights: positive for words typical of articles, negative for those of menus, notices and
    /// buttons.
    private(set) var wordMean: Float = 0
    private(set) var wordSum: Float = 0
    private(set) var hash = PageHash.seed
    private(set) var firstWords: [UInt64] = []

    private static let maximumFirstWords = 30

    init(_ text: ArraySlice<UInt8>, _ weights: TokenWeights) {
        bytes = text.count
        text.withUnsafeBufferPointer { read($0, weights) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ weights: TokenWeights) {
        var index = 0
        var words = 0
        while index < text.count {
            let byte = text[index]
            if PageText.isWord(byte) {
                if byte &- 0x41 < 26 {
                    capitals += 1
                    if words == 0 { startsUpper = true }
                }
                var word = PageHash.seed
                while index < text.count, PageText.isWord(text[index]) {
                    if text[index] &- 0x30 < 10 { digits += 1 }
                    noteSign(text, index)
                    word = PageHash.add(PageText.lower(text[index]), to: word)
                    index += 1
                }
                words += 1
                hash = (hash ^ word) &* 0x100_0000_01b3
                if words <= Self.maximumFirstWords { firstWords.append(word) }
                wordSum += weights[word]
                continue
            }
            switch byte {
            case UInt8(ascii: ","): commas += 1
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                if index + 1 == text.count || PageText.isSpace(text[index + 1]) || text[index + 1] == 0x22 {
                    ends += 1
                }
            case UInt8(ascii: "$"): hasMoney = true
            case UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "/"): bars += 1
            default: break
            }
            index += 1
        }
        wordMean = wordSum / Float(max(words, 1))
        wordSum = max(-12, min(12, wordSum))
        endsSentence = Self.endsSentence(text)
    }

    /// Detects relevant non-ASCII characters.
    @inline(__always)
    private mutating func noteSign(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) {
        let byte = text[index]
        guard byte >= 0xC2 else { return }
        let second = index + 1 < text.count ? text[index + 1] : 0
        let third = index + 2 < text.count ? text[index + 2] : 0
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
