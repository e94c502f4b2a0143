import Glibc
package import TextFormats

/// The words of a filter, made once for all the texts they are looked for in.
package struct TextFilter: Sendable {
    /// In code points: what is longer is cut.
    package static let maximumLength = 200
    /// Further words are passed over.
    package static let maximumWords = 20

    private let words: [Word]

    /// - Parameter ignoresAccents: as the texts were folded
    package init(_ text: String, ignoresAccents: Bool = false) {
        words = Self.folded(text, ignoresAccents: ignoresAccents).map(Word.init)
    }

    /// The words as SQLite looks for them in a folded text.
    package static func words(of text: String) -> [String] {
        folded(text, ignoresAccents: false).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func folded(_ text: String, ignoresAccents: Bool) -> [[UInt8]] {
        text.unicodeScalars.prefix(maximumLength)
            .split(maxSplits: .max, whereSeparator: \.properties.isWhitespace)
            .prefix(maximumWords)
            .map { FoldedText.fold(String($0), ignoresAccents: ignoresAccents) }
    }

    /// Whether every text fits.
    package var isEmpty: Bool { words.isEmpty }

    /// Whether each of the words stands in one of the texts.
    package func fits(_ texts: [FoldedText]) -> Bool {
        words.allSatisfy { word in
            texts.contains { $0.bytes.withUnsafeBufferPointer { word.isIn($0) } }
        }
    }

    /// Searched for by Knuth, Morris and Pratt's method: no byte of a text is read again and again, whatever it is
    /// made of.
    private struct Word: Sendable {
        let bytes: [UInt8]
        /// Of each beginning of the word, how long the longest end of it is that is a beginning too.
        let overlaps: [Int]
        /// The one that the word has least of: most texts are passed over for want of it.
        let rarest: UInt8

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var overlaps = [Int](repeating: 0, count: bytes.count)
            var length = 0
            for place in bytes.indices.dropFirst() {
                while length > 0, bytes[place] != bytes[length] { length = overlaps[length - 1] }
                if bytes[place] == bytes[length] { length += 1 }
                overlaps[place] = length
            }
            self.overlaps = overlaps
            var counts = [Int](repeating: 0, count: 256)
            for byte in bytes { counts[Int(byte)] += 1 }
            rarest = bytes.min { counts[Int($0)] < counts[Int($1)] } ?? 0
        }

        func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            guard let first = bytes.first else { return true }
            guard let start = text.baseAddress, text.count >= bytes.count,
                memchr(start, Int32(rarest), text.count) != nil
            else { return false }
            return bytes.withUnsafeBufferPointer { word in
                overlaps.withUnsafeBufferPointer { overlaps in
                    var (place, matched) = (0, 0)
                    while place < text.count {
                        if matched == 0 {
                            guard let next = memchr(start + place, Int32(first), text.count - place) else {
                                return false
                            }
                            place = UnsafeRawPointer(next) - UnsafeRawPointer(start) + 1
                            matched = 1
                        } else if text[place] == word[matched] {
                            place += 1
                            matched += 1
                        } else {
                            matched = overlaps[matched - 1]
                        }
                        if matched == word.count { return true }
                    }
                    return false
                }
            }
        }
    }
}
