import Glibc
package import TextFormats

/// The search words of a filter, prepared once for many texts.
package struct TextFilter: Sendable {
    /// In code points. Longer input is cut off.
    package static let maximumLength = 200
    package static let maximumWords = 20

    private let words: [Word]

    /// - Parameter ignoresAccents: must match the folding of the texts
    package init(_ text: String, ignoresAccents: Bool = false) {
        words = Self.folded(text, ignoresAccents: ignoresAccents).map(Word.init)
    }

    /// Returns the folded words, for searching folded text in SQLite.
    package static func words(of text: String) -> [String] {
        folded(text, ignoresAccents: false).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func folded(_ text: String, ignoresAccents: Bool) -> [[UInt8]] {
        text.unicodeScalars.prefix(maximumLength)
            .split(maxSplits: .max, whereSeparator: \.properties.isWhitespace)
            .prefix(maximumWords)
            .map { FoldedText.fold(String($0), ignoresAccents: ignoresAccents) }
    }

    package var isEmpty: Bool { words.isEmpty }

    /// Returns true if each word occurs in at least one of the texts.
    package func matches(_ texts: [FoldedText]) -> Bool {
        words.allSatisfy { word in
            texts.contains { $0.bytes.withUnsafeBufferPointer { word.isIn($0) } }
        }
    }

    /// Knuth-Morris-Pratt search: linear time for every text.
    private struct Word: Sendable {
        let bytes: [UInt8]
        /// For each prefix of the word, the length of its longest proper suffix that is also a prefix.
        let overlaps: [Int]
        /// The word's rarest byte. Most texts do not contain it and are rejected at once.
        let rarest: UInt8

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var overlaps = [Int](repeating: 0, count: bytes.count)
            var length = 0
            for index in bytes.indices.dropFirst() {
                while length > 0, bytes[index] != bytes[length] { length = overlaps[length - 1] }
                if bytes[index] == bytes[length] { length += 1 }
                overlaps[index] = length
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
                    var (offset, matched) = (0, 0)
                    while offset < text.count {
                        if matched == 0 {
                            guard let next = memchr(start + offset, Int32(first), text.count - offset) else {
                                return false
                            }
                            offset = UnsafeRawPointer(next) - UnsafeRawPointer(start) + 1
                            matched = 1
                        } else if text[offset] == word[matched] {
                            offset += 1
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
