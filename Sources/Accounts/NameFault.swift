/// A flaw in a name that makes it run into the text around it, or hides part of it, although every code point is
/// printable.
enum NameFault: Equatable {
    /// A letter that joins the next one (Grapheme_Cluster_Break=Prepend, UAX #29): U+0D4E, U+110BD, U+0600.
    case joining
    /// A combining mark without a base: it would join the text before the name.
    case loneMark
    /// A letter or sign that is drawn as nothing: U+2800, U+3164, U+115F.
    case invisible

    /// Signs that Unicode does not call ignorable but that every font draws as empty space: the empty braille pattern,
    /// the null musical notehead, the Khitan filler and the hieroglyph blanks.
    private static let blanks: Set<Unicode.Scalar> = [
        "\u{2800}", "\u{1D159}", "\u{16FE4}", "\u{13441}", "\u{13442}",
    ]

    init?(in name: String) {
        var hasBase = false
        for scalar in name.unicodeScalars {
            if Self.joins(scalar) {
                self = .joining
                return
            }
            if Self.isInvisible(scalar) {
                self = .invisible
                return
            }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark:
                guard hasBase else {
                    self = .loneMark
                    return
                }
            // A joiner does not change whether there is a base.
            case .format: break
            default: hasBase = !scalar.properties.isWhitespace
            }
        }
        return nil
    }

    func sentence(_ what: String) -> String {
        switch self {
        case .joining: "\(what) can’t contain letters that merge with the next character."
        case .loneMark: "\(what) can’t contain an accent or mark without a letter before it."
        case .invisible: "\(what) can’t contain invisible characters."
        }
    }

    /// Prepending letters that Swift's grapheme breaking does not recognise.
    private static let additionalPrependLetters: Set<Unicode.Scalar> = ["\u{11A3A}", "\u{113D1}"]

    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        if additionalPrependLetters.contains(scalar) { return true }
        return String(String.UnicodeScalarView([scalar, "x"])).count == 1
    }

    /// Joiners are needed inside words. Variation selectors choose a form of the letter before them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if blanks.contains(scalar) { return true }
        return scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
            && scalar.value != 0x200C && scalar.value != 0x200D
    }
}
