/// What makes a name run into the text around it, or hides a part of it, although each of its code points is printable.
enum NameFault: Equatable {
    /// A letter that joins whatever follows it (Grapheme_Cluster_Break=Prepend, UAX #29): U+0D4E, U+110BD, U+0600.
    case joining
    /// A combining mark with nothing before it to stand on: it would join the text before the name.
    case loneMark
    /// A letter or sign that is drawn as nothing: U+2800, U+3164, U+115F.
    case invisible

    /// Signs that Unicode does not call ignorable, and that every font draws as empty space: the braille pattern
    /// without dots, a musical notehead without one, the filler of Khitan and the blanks of hieroglyphs.
    private static let blanks: Set<Unicode.Scalar> = [
        "\u{2800}", "\u{1D159}", "\u{16FE4}", "\u{13441}", "\u{13442}",
    ]

    /// The first fault in a name, nil for none.
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
            // A joiner: what stood before it still does.
            case .format: break
            default: hasBase = !scalar.properties.isWhitespace
            }
        }
        return nil
    }

    func sentence(_ what: String) -> String {
        switch self {
        case .joining: "\(what) holds no letter that runs into what comes after it."
        case .loneMark: "\(what) holds no accent or mark without a letter before it."
        case .invisible: "\(what) holds no invisible letters."
        }
    }

    /// Such letters that Swift's own rules for characters do not know of.
    private static let joiningElsewhere: Set<Unicode.Scalar> = ["\u{11A3A}", "\u{113D1}"]

    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        if joiningElsewhere.contains(scalar) { return true }
        return String(String.UnicodeScalarView([scalar, "x"])).count == 1
    }

    /// Joiners are needed inside words, variation selectors choose among forms of the letter before them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if blanks.contains(scalar) { return true }
        return scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
            && scalar.value != 0x200C && scalar.value != 0x200D
    }
}
