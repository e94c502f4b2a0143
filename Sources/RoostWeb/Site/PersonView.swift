package import Accounts
import TextFormats

package struct PersonView: Pictured, Sendable {
    package let name: String
    package let avatar: String?
    package let initials: String
    package let tone: Int

    /// - Parameters:
    ///   - avatar: the address of the picture, "/avatars/7/2"; nil shows initials
    ///   - toneKey: see `Tone`; nil uses the name
    package init(name: String, avatar: String? = nil, toneKey: String? = nil) {
        self.name = name
        self.avatar = avatar
        initials = Initials(name).text
        tone = Tone.of(toneKey ?? name)
    }
}

package enum AvatarAddress {
    package static func of(_ user: User) -> String? {
        user.avatar.map { "/avatars/\(user.userId)/\(PercentEncoding.encode($0))" }
    }
}

extension WebContext {
    package func person(_ user: User) -> PersonView {
        PersonView(name: user.name, avatar: AvatarAddress.of(user), toneKey: "\(user.userId)")
    }
}

package struct Initials: Sendable {
    package let text: String

    /// Takes the first letters of the first and last words: "Ada Lovelace" becomes "AL". A single word gives one
    /// letter. Skips everything except letters and digits; "?" if nothing is left.
    package init(_ name: String, limit: Int = 2) {
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

    /// Upper case of an ASCII letter or digit. Unicode's rules would take microseconds for each of the many names on a
    /// page. Combining marks are lost, which is fine here.
    private static func capital(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            String(UnicodeScalar(byte))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): String(UnicodeScalar(byte - 32))
        default: nil
        }
    }
}

/// The colour of letters shown instead of a picture.
package enum Tone {
    private static let count: UInt32 = 10

    /// Stable for a key; consecutive numbers get different colours.
    package static func of(_ key: String) -> Int {
        // Swift's own hash values differ in each run.
        Int(key.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % count)
    }
}
