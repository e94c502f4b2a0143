/// Words that people wrote elsewhere, made fit to stand among ours.
extension String {
    /// Without control characters (C0 and C1), and without those that turn the order of letters around beyond their
    /// own line (Unicode TR9, explicit embeddings, overrides and isolates); a tab or a new line becomes a blank.
    ///
    /// The marks for a single place (LRM, RLM, ALM) stay: Hebrew and Arabic titles have them.
    package var sanitized: String {
        guard utf8.contains(where: Self.mayBeControlOrBidi),
            unicodeScalars.contains(where: Self.isControlOrBidi)
        else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if !Self.isControlOrBidi(scalar) {
                result.append(scalar)
            } else if scalar.properties.isWhitespace {
                result.append(" ")
            }
        }
        return String(result)
    }

    /// Whether the byte is a control character of ASCII, or begins the UTF-8 of any other such scalar.
    private static func mayBeControlOrBidi(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }

    private static func isControlOrBidi(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
