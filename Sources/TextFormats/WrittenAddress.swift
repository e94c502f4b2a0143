/// Where an HTTP address or a path ends in text that people write. Each function visits a byte once.
package enum WrittenAddress {
    /// False for bytes that end an address: spaces, control characters, quotation marks, angle brackets and backslashes.
    /// RFC 3986 excludes "|", "^", "{" and "}" too, but sites use them.
    package static func contains(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"<>\"`\\".utf8.contains(byte)
    }

    /// Returns the end of what may belong to the address at the beginning of `bytes`, up to wide punctuation.
    package static func endOfRun(_ bytes: ArraySlice<UInt8>) -> Int {
        var end = bytes.startIndex
        while end < bytes.endIndex, contains(bytes[end]),
            bytes[end] < 0xE0 || !bytes[end...].beginsWithWidePunctuation
        {
            end += 1
        }
        return end
    }

    /// Returns the end without the punctuation of the sentence around it, of any script.
    ///
    /// A closing bracket stays if the address has the opening one.
    ///
    /// - Parameters:
    ///   - run: up to `endOfRun`
    ///   - isOpen: whether a mark of emphasis was opened before the address; then it isn't part of it
    package static func end(_ run: ArraySlice<UInt8>, isOpen: (UInt8) -> Bool) -> Int {
        // Closing brackets without an opening one. Counted only once, because there may be thousands.
        var (round, square) = (0, 0)
        for byte in run {
            switch byte {
            case UInt8(ascii: "("): round -= 1
            case UInt8(ascii: ")"): round += 1
            case UInt8(ascii: "["): square -= 1
            case UInt8(ascii: "]"): square += 1
            default: continue
            }
        }
        var end = run.endIndex
        while end > run.startIndex {
            let last = run[end - 1]
            switch last {
            case _ where ".,;:!?'".utf8.contains(last) || isOpen(last): end -= 1
            case UInt8(ascii: ")") where round > 0: (round, end) = (round - 1, end - 1)
            case UInt8(ascii: "]") where square > 0: (square, end) = (square - 1, end - 1)
            case 0x80...:
                guard let scalar = lastScalar(run[..<end]), scalar.isSentencePunctuation else { return end }
                end -= scalar.utf8.count
            default: return end
            }
        }
        return end
    }

    private static func lastScalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let tail = bytes.suffix(4)
        let start = tail.lastIndex { $0 & 0xC0 != 0x80 }
        return start.flatMap { String(decoding: tail[$0...], as: UTF8.self).unicodeScalars.first }
    }
}

extension Unicode.Scalar {
    /// Punctuation beyond ASCII that ends a sentence or a quotation around an address: "。", "»", "।".
    fileprivate var isSentencePunctuation: Bool {
        guard value >= 0x80 else { return false }
        switch properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the UTF-8 begins with the wide punctuation of Chinese and Japanese text, which ends an address even
    /// without a space after it.
    fileprivate var beginsWithWidePunctuation: Bool {
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
