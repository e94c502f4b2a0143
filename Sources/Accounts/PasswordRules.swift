import RoostSupport

/// What a new password must be (NIST SP 800-63B, section 5.1.1): long, and not what is tried first. Any
/// characters, no mixture of kinds.
enum PasswordRules {
    /// In code points, as the two below.
    static let minimumLength = 10
    package static let maximumLength = 1_024
    /// What a password must hold besides a name of its user: as much as NIST asks of a whole one.
    private static let minimumRemainder = 8
    /// Of different characters.
    private static let minimumKinds = 4

    /// - Parameter names: The user's name, the name that is shown and the e-mail address, as far as they are
    /// known.
    ///
    /// Throws `RoostError.invalid(field: "password")` with the reason.
    package static func check(_ password: String, names: [String]) throws(RoostError) {
        if let why = objection(to: password, names: names) {
            throw RoostError.invalid(field: "password", why: why)
        }
    }

    private static func objection(to password: String, names: [String]) -> String? {
        // Before anything is normalised, which takes the square of the marks upon one letter.
        guard password.utf8.count <= 4 * maximumLength else {
            return "A password has at most 1,024 characters."
        }
        let counts = [password, Password.normalised(password)].map(\.unicodeScalars.count)
        guard counts.allSatisfy({ $0 >= minimumLength }) else {
            return "A password has at least \(minimumLength) characters."
        }
        guard counts.allSatisfy({ $0 <= maximumLength }) else {
            return "A password has at most 1,024 characters."
        }
        let text = PlainText(password)
        if text.kinds < minimumKinds || text.repeatsPiece(shorterThan: minimumLength) {
            return
                "This password repeats one short piece or few characters. Choose one that is harder to guess."
        }
        if text.isMadeOfRuns {
            return "This password follows the alphabet, the figures or the keyboard. Choose another one."
        }
        if CommonPasswords.contains(text) {
            return "This password is among those that are tried first. Choose another one."
        }
        return isBuilt(text, from: names)
            ? "This password is built from your name, your e-mail address or “Roost”. Add other words."
            : nil
    }

    /// True when a name stands in it, and what is left without all names would not be worth having: less than
    /// eight letters and figures, fewer than four different ones, figures alone (a year, a birthday), or a
    /// common word.
    private static func isBuilt(_ text: PlainText, from names: [String]) -> Bool {
        let rest = text.without(pieces(of: names))
        guard rest.count < text.count else { return false }
        let own = rest.lettersAndFigures
        return own.count < minimumRemainder || own.kinds < minimumKinds || own.isFigures || own.isMadeOfRuns
            || own.repeatsPiece(shorterThan: minimumRemainder) || CommonPasswords.contains(own)
    }

    /// The words of three and more letters in what somebody is called. Of an address the part before the "@".
    private static func pieces(of names: [String]) -> [PlainText] {
        let words = names.flatMap { name in
            name.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return (words + ["roost"]).map { PlainText($0) }.filter { $0.count >= 3 }
    }
}
