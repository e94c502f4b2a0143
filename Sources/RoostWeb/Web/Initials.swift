/// One or two letters shown in place of a picture.
struct Initials: Sendable {
    let text: String

    /// The first letters of the first and the last word: "Ada Lovelace" is "AL"; of one word the first alone.
    /// Skips what is neither letter nor digit; "?" if nothing is left.
    init(_ name: String, limit: Int = 2) {
        if limit == 1, let first = name.utf8.first, let letter = Self.capital(first) {
            text = letter
            return
        }
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let chosen =
            words.count > 1 && limit > 1 ? [words[0], words[words.count - 1]] : Array(words.prefix(1))
        let letters = chosen.compactMap(\.first).map { String($0).uppercased().prefix(1) }.joined()
        text = letters.isEmpty ? "?" : letters
    }

    /// Upper case of an ASCII letter or digit; Unicode's rules cost microseconds for each of the many names on a page.
    /// Combining marks are lost, which is fine in place of a picture.
    private static func capital(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            String(UnicodeScalar(byte))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): String(UnicodeScalar(byte - 32))
        default: nil
        }
    }
}
