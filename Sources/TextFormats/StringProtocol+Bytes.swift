// Text of strangers, looked at byte by byte as browsers, spreadsheets and parsers look at it.
//
// Swift's own `replacing`, `split` and `contains` go by Character: a sign that a letter before it (U+0D4E) or a mark
// behind it (U+0301) joins is another Character than the sign alone, and a Greek question mark is the same as `;`.
//
// Everything is inlinable so that callers in other modules are compiled for their own types.

extension Collection<UInt8> {
    /// Tells whether these bytes stand anywhere in a row.
    @inlinable package func containsBytes(_ part: some Collection<UInt8>) -> Bool {
        let part = Array(part)
        // Looking at each place is quickest, but a long part that is nearly there would be compared again at each.
        guard let first = part.first, part.count <= 128 else { return firstRange(of: part) != nil }
        func isThere(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            var rest = bytes[...]
            while let place = rest.firstIndex(of: first), rest.endIndex - place >= part.count {
                rest = rest[place...]
                if rest.starts(with: part) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
        return withContiguousStorageIfAvailable(isThere)
            ?? Array(self).withUnsafeBufferPointer(isThere)  // as a text in Foundation's own storage
    }
}

extension StringProtocol {
    /// Tells whether these bytes stand anywhere in the text.
    @inlinable package func containsBytes(_ part: String) -> Bool { utf8.containsBytes(part.utf8) }

    /// The text with other words in each place where these bytes stand.
    @inlinable package func replacingBytes(of part: String, with other: String) -> String {
        guard containsBytes(part) else { return String(self) }
        let bytes = Array(utf8).replacing(Array(part.utf8), with: Array(other.utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The pieces between the separators, as `split` has them.
    ///
    /// - Parameter separator: of ASCII
    @inlinable package func splitBytes(
        at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The pieces between blanks of any kind.
    @inlinable package var words: [SubSequence] {
        unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
            self[$0.startIndex..<$0.endIndex]
        }
    }
}
