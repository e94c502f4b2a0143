import Accounts
import TextFormats

/// A person: the one who is signed in, or one of the members.
struct PersonView: Pictured, Sendable {
    let name: String
    let avatar: String?
    let initials: String
    let tone: Int

    /// - Parameters:
    ///   - avatar: the address of the picture: "/avatars/7/2"; nil where initials stand for it
    ///   - toneKey: see `Tone`; nil: the name
    init(name: String, avatar: String? = nil, toneKey: String? = nil) {
        self.name = name
        self.avatar = avatar
        initials = Initials(name).text
        tone = Tone.of(toneKey ?? name)
    }

    var personName: String { self.name }
}

/// Where a person's picture is served; nil without a picture.
enum AvatarAddress {
    static func of(_ user: User) -> String? {
        user.avatar.map { "/avatars/\(user.userId)/\(PercentEncoding.encode($0))" }
    }
}

extension WebContext {
    /// How a page shows a person.
    func person(_ user: User) -> PersonView {
        PersonView(name: user.name, avatar: AvatarAddress.of(user), toneKey: "\(user.userId)")
    }
}

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

/// One of the colours of letters that are shown in place of a picture.
enum Tone {
    private static let count: UInt32 = 10

    /// Always the same for a key; keys that are numbers in a row have different ones.
    ///
    /// - Parameter key: a user's id, a login, a coin's id
    static func of(_ key: String) -> Int {
        // Swift's own hashes differ in each run.
        Int(key.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % count)
    }
}
