/// Finds characters in code that a reader cannot see, or that reorder the text around them.
///
/// They make code look different from what a compiler reads (CVE-2021-42574).
package enum InvisibleCharacters {
    struct Match {
        let range: Range<Int>
        let scalar: Unicode.Scalar
    }

    /// Returns "U+202E".
    static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// Returns the invisible characters of valid UTF-8. Ranges are indexes of `bytes`.
    static func matches(in bytes: [UInt8], _ range: Range<Int>) -> [Match] {
        guard range.contains(where: { mayBelong(bytes[$0]) }) else { return [] }
        var matches: [Match] = []
        var previous: Unicode.Scalar?
        var index = range.lowerBound
        while index < range.upperBound {
            let (scalar, length) = scalar(in: bytes, at: index, before: range.upperBound)
            let next = index + length
            if isInvisible(scalar),
                !joinsEmoji(
                    scalar, after: previous, next: { peek(bytes, at: next, before: range.upperBound) })
            {
                matches.append(Match(range: index..<next, scalar: scalar))
            }
            previous = scalar
            index = next
        }
        return matches
    }

    /// Returns the text with codes in place of invisible characters: what to show for the name of a file.
    package static func visible(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return visible(bytes, bytes.indices)
    }

    /// Returns the text with codes in place of invisible characters.
    static func visible(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        var text = ""
        var start = range.lowerBound
        for match in matches(in: bytes, range) {
            text += String(decoding: bytes[start..<match.range.lowerBound], as: UTF8.self)
            text += code(of: match.scalar)
            start = match.range.upperBound
        }
        return text + String(decoding: bytes[start..<range.upperBound], as: UTF8.self)
    }

    /// True for control characters other than tabs, and for all that is not ASCII.
    private static func mayBelong(_ byte: UInt8) -> Bool {
        byte >= 0x7F || byte < 0x20 && byte != UInt8(ascii: "\t")
    }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300: false
        // Signs of Arabic, Syriac and Kaithi that enclose numbers. Unicode calls them format characters.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: false
        // The blank of Braille has no dots.
        case 0x2800: true
        // Han, Hangul, and private use, which has the icons of terminals.
        case 0x3400..<0xA000, 0xAC00..<0xD7A4, 0xE000..<0xF900: false
        default:
            scalar.properties.isDefaultIgnorableCodePoint || isFormat(scalar.properties.generalCategory)
        }
    }

    private static func isFormat(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .format, .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// True for the variation selectors and joiners that emoji consist of.
    private static func joinsEmoji(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, next: () -> Unicode.Scalar?
    ) -> Bool {
        guard let previous else { return false }
        switch scalar.value {
        case 0xFE0E, 0xFE0F: return isEmoji(previous) || next()?.value == 0x20E3
        case 0x200D:
            return (isEmoji(previous) || previous.value == 0xFE0F) && next().map(isEmoji) ?? false
        default: return false
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xA0 && scalar.properties.isEmoji
    }

    private static func peek(_ bytes: [UInt8], at index: Int, before end: Int) -> Unicode.Scalar? {
        index < end ? scalar(in: bytes, at: index, before: end).0 : nil
    }

    /// Decodes valid UTF-8. A part of a character is a replacement character.
    private static func scalar(
        in bytes: [UInt8], at index: Int, before end: Int
    ) -> (Unicode.Scalar, length: Int) {
        let first = bytes[index]
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        guard length > 1, index + length <= end else { return ("\u{FFFD}", 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
