import Foundation

/// Text as filters look at it: bytes in lower case, made once, so that each look takes a time that grows with the
/// length and with nothing else.
///
/// One Swift `Character` may be a letter with thousands of accents; whatever compares those takes seconds.
package struct FoldedText: Equatable, Sendable {
    /// UTF-8.
    package let bytes: [UInt8]

    /// As a text, for SQLite.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// One line each, so that no word is found across two of them.
    package init(lines: [String], ignoresAccents: Bool = false) {
        var bytes: [UInt8] = []
        for (place, line) in lines.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: "\n")) }
            bytes += Self.fold(line, ignoresAccents: ignoresAccents)
        }
        self.bytes = bytes
    }

    /// In lower case; a letter and its accent become one code point where Unicode has that, so that both spellings
    /// of "é" are the same.
    package static func fold(_ text: String, ignoresAccents: Bool) -> [UInt8] {
        let (bytes, longestRun) = lowercase(text)
        // Foundation sorts the accents of one letter in a time that grows with the square of their number.
        guard longestRun <= maximumAccents, bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
        let lower = String(decoding: bytes, as: UTF8.self)
        return Array(
            (ignoresAccents
                ? lower.folding(options: .diacriticInsensitive, locale: nil)
                : lower.precomposedStringWithCanonicalMapping).utf8)
    }

    /// As many as Unicode's own "stream-safe text format" allows (UAX #15, section 13): no language needs more.
    private static let maximumAccents = 30

    /// And how many accents stand in a row at most.
    private static func lowercase(_ text: String) -> (bytes: [UInt8], longestRun: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var (run, longestRun) = (0, 0)
        for scalar in text.unicodeScalars {
            var isAccent = false
            switch scalar.value {
            case 0x41...0x5A: bytes.append(UInt8(scalar.value) | 0x20)
            case ..<0x80: bytes.append(UInt8(scalar.value))
            // The block of accents: whole notes may be made of them, and looking each up takes ten times as long.
            case 0x300...0x36F:
                isAccent = true
                bytes.append(contentsOf: scalar.utf8)
            default:
                isAccent = scalar.properties.canonicalCombiningClass != .notReordered
                if scalar.properties.changesWhenLowercased {
                    bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
                } else {
                    bytes.append(contentsOf: scalar.utf8)
                }
            }
            run = isAccent ? run + 1 : 0
            longestRun = max(longestRun, run)
        }
        return (bytes, longestRun)
    }
}
