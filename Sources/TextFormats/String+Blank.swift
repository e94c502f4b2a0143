extension String {
    /// True for text that shows nothing: empty, or only white space and invisible characters.
    ///
    /// Emoji may contain joiners and variation selectors: the text is blank only if every code point is invisible.
    package var isBlank: Bool {
        // A fast path for most texts: Unicode's rules take a microsecond.
        if let first = utf8.first, 0x21...0x7E ~= first { return false }
        return unicodeScalars.allSatisfy(\.isInvisible)
    }

    /// True for empty text or white space. Use this for stored text and text from other servers, because text of
    /// invisible characters must stay readable there.
    package var isWhitespace: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    package var trimmed: String {
        if let first = utf8.first, let last = utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
            return self
        }
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch value {
        // Drawn as empty space, although Unicode classifies them as letters and symbols: blank Braille, the Khitan
        // filler and the null note head.
        case 0x2800, 0x16FE4, 0x1D159: true
        // Format characters that Unicode does not classify as ignorable: interlinear annotations and hieroglyph layout.
        // Others, such as the Arabic number signs, are visible.
        case 0xFFF9...0xFFFB, 0x13430...0x1343F: true
        default:
            isControl || properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        }
    }
}
