extension String {
    /// The text without control characters and those that could reorder the text around it. Tabs and line breaks become
    /// spaces.
    package var sanitized: String {
        guard utf8.contains(where: Self.mayBeUnwanted),
            unicodeScalars.contains(where: Self.isUnwanted)
        else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if !Self.isUnwanted(scalar) {
                result.append(scalar)
            } else if scalar.properties.isWhitespace {
                result.append(" ")
            }
        }
        return String(result)
    }

    /// True if the byte is an ASCII control character or may begin one of the other characters in UTF-8.
    private static func mayBeUnwanted(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isControl || scalar.isReordering || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}

extension Unicode.Scalar {
    /// C0 and C1.
    @inlinable package var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }

    /// True for explicit embeddings, overrides and isolates (Unicode TR9), which could reorder the text around them;
    /// false for the implicit marks (LRM, RLM, ALM), because Hebrew and Arabic texts use them.
    @inlinable package var isReordering: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
