import Foundation

/// Text prepared for filters: lower case bytes, which can be searched in linear time.
///
/// One Swift `Character` may be a letter with thousands of accents; comparing those takes seconds.
package struct FoldedText: Equatable, Sendable {
    package let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Joins the lines with newlines, so that no word matches across two of them.
    package init(lines: [String], ignoresAccents: Bool = false) {
        var bytes: [UInt8] = []
        for (place, line) in lines.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: "\n")) }
            bytes += Self.fold(line, ignoresAccents: ignoresAccents)
        }
        self.bytes = bytes
    }

    /// Converts to lower case and composes letters and accents, so that both encodings of "é" are equal. Without
    /// accents, folds as the full-text indexes do.
    package static func fold(_ text: String, ignoresAccents: Bool) -> [UInt8] {
        guard !ignoresAccents else { return foldForSearch(text) }
        let (bytes, longestRun) = lowercase(text)
        // Foundation takes quadratic time to sort the accents of one letter.
        guard longestRun <= maximumAccents, bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
        let lower = String(decoding: bytes, as: UTF8.self)
        return Array(lower.precomposedStringWithCanonicalMapping.utf8)
    }

    private static func foldForSearch(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            SearchFolding.shared.fold(scalar) { folded, kind in
                if kind != .ignored { bytes.append(contentsOf: folded.utf8) }
            }
        }
        return bytes
    }

    /// The limit of Unicode's "stream-safe text format" (UAX #15, section 13), enough for every language.
    private static let maximumAccents = 30

    private static func lowercase(_ text: String) -> (bytes: [UInt8], longestRun: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var (run, longestRun) = (0, 0)
        for scalar in text.unicodeScalars {
            var isAccent = false
            switch scalar.value {
            case 0x41...0x5A: bytes.append(UInt8(scalar.value) | 0x20)
            case ..<0x80: bytes.append(UInt8(scalar.value))
            // Combining accents: text may consist of nothing else, and looking up each one takes ten times as long.
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
