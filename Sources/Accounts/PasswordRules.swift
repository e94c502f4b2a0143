package import RoostSupport

/// The rules for a new password (NIST SP 800-63B, section 5.1.1): long, and not easy to guess. All characters are
/// allowed, and no mixture of kinds is required.
package enum PasswordRules {
    /// In code points, as are the next two.
    package static let minimumLength = 10
    package static let maximumLength = 1_024
    /// How much a password must contain in addition to the user's name: what NIST requires of a whole one.
    private static let minimumRemainder = 8
    /// The number of different characters.
    private static let minimumKinds = 4

    /// Throws `RoostError.invalid(field: "password")` with the reason.
    package static func check(_ password: String, names: [String]) throws(RoostError) {
        if let why = objection(to: password, names: names) {
            throw RoostError.invalid(field: "password", why: why)
        }
    }

    private static func objection(to password: String, names: [String]) -> String? {
        // Checked before normalising, whose time grows with the square of the marks on one letter.
        guard password.utf8.count <= 4 * maximumLength else {
            return "A password can have at most 1,024 characters."
        }
        let counts = [password, Password.normalised(password)].map(\.unicodeScalars.count)
        guard counts.allSatisfy({ $0 >= minimumLength }) else {
            return "A password needs at least \(minimumLength) characters."
        }
        guard counts.allSatisfy({ $0 <= maximumLength }) else {
            return "A password can have at most 1,024 characters."
        }
        let text = PlainText(password)
        if text.kinds < minimumKinds || text.repeatsPart(shorterThan: minimumLength) {
            return
                "This password repeats a few characters. Choose one that is harder to guess."
        }
        if text.consistsOfRuns {
            return "This password is a run of letters, digits or neighbouring keys. Choose another one."
        }
        if CommonPasswords.contains(text) {
            return "This password is too easy to guess. Choose another one."
        }
        return isBuilt(text, from: names)
            ? "This password is built from your name, your e-mail address or “Roost”. Add other words."
            : nil
    }

    /// True if the password contains a name, and the rest without all names is too weak: fewer than eight letters and
    /// digits, fewer than four different ones, digits only (a year, a birthday), or a common word.
    private static func isBuilt(_ text: PlainText, from names: [String]) -> Bool {
        let rest = text.without(nameParts(in: names))
        guard rest.count < text.count else { return false }
        let own = rest.lettersAndDigits
        return own.count < minimumRemainder || own.kinds < minimumKinds || own.isAllDigits
            || own.consistsOfRuns
            || own.repeatsPart(shorterThan: minimumRemainder) || CommonPasswords.contains(own)
    }

    /// The words of three or more letters in the names. Of an e-mail address, only the part before the "@".
    private static func nameParts(in names: [String]) -> [PlainText] {
        let words = names.flatMap { name in
            name.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return (words + ["roost"]).map { PlainText($0) }.filter { $0.count >= 3 }
    }
}
