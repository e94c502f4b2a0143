// Bytewise operations for untrusted text, which match how browsers, spreadsheets and parsers read it.
//
// Swift's own `replacing`, `split` and `contains` compare Characters. A separator joined to a preceding letter (U+0D4E)
// or a following mark (U+0301) is a different Character, and a Greek question mark equals `;`.
//
// Everything is inlinable so that other modules can specialise it.

extension Collection<UInt8> {
    @inlinable package func containsBytes(_ part: some Collection<UInt8>) -> Bool {
        let part = Array(part)
        // The simple search is fastest, but takes quadratic time for long parts that almost match.
        guard let first = part.first, part.count <= 128 else { return firstRange(of: part) != nil }
        func isContained(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            var rest = bytes[...]
            while let index = rest.firstIndex(of: first), rest.endIndex - index >= part.count {
                rest = rest[index...]
                if rest.starts(with: part) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
        return withContiguousStorageIfAvailable(isContained)
            ?? Array(self).withUnsafeBufferPointer(isContained)  // such as strings in Foundation's storage
    }
}

extension StringProtocol {
    @inlinable package func containsBytes(_ part: String) -> Bool { utf8.containsBytes(part.utf8) }

    @inlinable package func replacingBytes(of part: String, with other: String) -> String {
        guard !part.isEmpty, containsBytes(part) else { return String(self) }
        let (part, other) = (Array(part.utf8), Array(other.utf8))
        var rest = Array(utf8)[...]
        var bytes: [UInt8] = []
        // Many times as fast as the standard library's generic `replacing`.
        while let byte = rest.first {
            let isPart = byte == part[0] && rest.starts(with: part)
            if isPart { bytes += other } else { bytes.append(byte) }
            rest = rest.dropFirst(isPart ? part.count : 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Splits like `split`, but by bytes.
    ///
    /// - Parameter separator: an ASCII character
    @inlinable package func splitBytes(
        at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    @inlinable package var words: [SubSequence] {
        unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
            self[$0.startIndex..<$0.endIndex]
        }
    }
}
