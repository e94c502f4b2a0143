extension Unicode.Scalar {
    /// Punctuation beyond ASCII that ends a sentence or a quotation around an address: "。", "»", "।".
    package var isSentencePunctuation: Bool {
        guard value >= 0x80 else { return false }
        switch properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }
}

extension Collection<UInt8> {
    /// Whether the UTF-8 begins with the wide punctuation of Chinese and Japanese text, which ends an address even
    /// without a space after it.
    package var beginsWithWidePunctuation: Bool {
        guard first == 0xE3 || first == 0xEF else { return false }
        let bytes = Array(prefix(3))
        guard bytes.count == 3 else { return false }
        switch (bytes[0], bytes[1], bytes[2]) {
        // U+3000 to U+303F, except for the signs 々, 〆 and 〇.
        case (0xE3, 0x80, let last): return !(0x85...0x87).contains(last)
        // U+FF01 to U+FF0F, to U+FF20, to U+FF40, and U+FF5B to U+FF65.
        case (0xEF, 0xBC, let last):
            return (0x81...0x8F).contains(last) || (0x9A...0xA0).contains(last)
                || (0xBB...0xBF).contains(last)
        case (0xEF, 0xBD, let last): return last == 0x80 || (0x9B...0xA5).contains(last)
        default: return false
        }
    }
}
