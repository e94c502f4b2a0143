extension String {
    /// True for a text that shows nothing: empty, or only white space and invisible characters.
    ///
    /// An emoji keeps its joiners and variation selectors: the text is blank only if every code point is invisible.
    package var isBlank: Bool {
        // As most are not: Unicode's rules cost a microsecond.
        if let first = utf8.first, 0x21...0x7E ~= first { return false }
        return unicodeScalars.allSatisfy(\.isInvisible)
    }

    /// True for a text of white space or of nothing. What is stored already, or comes from another server, is checked by
    /// this one: text that only shows nothing must stay readable.
    package var isWhitespace: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Without white space at both ends.
    package var trimmed: String {
        // As most are: Unicode's rules cost a microsecond.
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
    /// True if the code point shows nothing when it is alone.
    fileprivate var isInvisible: Bool {
        switch value {
        // Drawn as empty space, though Unicode calls them letters and symbols: blank Braille, the filler of Khitan,
        // the null note head.
        case 0x2800, 0x16FE4, 0x1D159: true
        // Format characters that Unicode does not call ignorable: interlinear annotation, hieroglyph layout. Other ones,
        // such as the Arabic number signs, are visible.
        case 0xFFF9...0xFFFB, 0x13430...0x1343F: true
        default:
            properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .control
        }
    }
}
