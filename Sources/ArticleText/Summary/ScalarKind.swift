/// The properties of a Unicode scalar for splitting and ranking sentences. Uses tables for common scripts, because
/// `Character` is slow.
struct ScalarKind: OptionSet, Sendable {
    let rawValue: UInt8

    static let letter = ScalarKind(rawValue: 1)
    static let upper = ScalarKind(rawValue: 2)
    static let lower = ScalarKind(rawValue: 4)
    static let digit = ScalarKind(rawValue: 8)
    /// White space and control characters, including NUL.
    static let space = ScalarKind(rawValue: 16)
    /// A combining mark or a joiner, which belongs to the word before it.
    static let mark = ScalarKind(rawValue: 32)
    /// A letter of a script without spaces between words: Chinese, Japanese, Thai.
    static let unspaced = ScalarKind(rawValue: 64)
    /// Hangul, whose words end with particles.
    static let hangul = ScalarKind(rawValue: 128)

    static let wordPart: ScalarKind = [.letter, .digit, .mark]

    /// Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic are looked up in tables; higher scalars are computed.
    private static let tableEnd: UInt32 = 0x700
    private static let table: [ScalarKind] = (0..<tableEnd).map(computed)
    private static let lowerTable: [UInt32] = (0..<tableEnd).map { value in
        guard let scalar = Unicode.Scalar(value) else { return value }
        let mapped = scalar.properties.lowercaseMapping.unicodeScalars
        return mapped.count == 1 ? mapped.first?.value ?? value : value
    }

    static func of(_ value: UInt32) -> ScalarKind {
        value < tableEnd ? table[Int(value)] : above(value)
    }

    /// The lower case form, if that is one scalar.
    static func lowercased(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return value &- 0x41 < 26 ? value + 32 : value }
        return value < tableEnd ? lowerTable[Int(value)] : value
    }

    private static func above(_ value: UInt32) -> ScalarKind {
        switch value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x3FFFF, 0x3041...0x3096, 0x30A1...0x30FA,
            0x30FC...0x30FE, 0x3005...0x3007, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x0E01...0x0E3A,
            0x0E40...0x0E4E:
            [.letter, .unspaced]
        case 0xAC00...0xD7AF: [.letter, .hangul]
        case 0x200B...0x200F, 0x2060, 0xFE00...0xFE0F, 0xFEFF: .mark
        case 0x2010...0x2027, 0x2030...0x205E, 0x3001...0x3004, 0x3008...0x3020, 0x1F000...0x1FAFF: []
        default: computed(value)
        }
    }

    private static func computed(_ value: UInt32) -> ScalarKind {
        guard let properties = Unicode.Scalar(value)?.properties else { return [] }
        switch properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: return [.letter, .upper]
        case .lowercaseLetter: return [.letter, .lower]
        case .otherLetter, .modifierLetter, .letterNumber: return .letter
        case .decimalNumber: return .digit
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return .mark
        case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate: return .space
        default: return []
        }
    }
}
