import TestSupport
import Testing

@testable import Accounts

@Suite struct PasswordRulesTests {
    private static let names = ["ada", "Ada Lovelace", "countess@example.org"]

    /// Returns the reason for the refusal, or nil when the password is accepted.
    private func why(_ password: String, names: [String] = Self.names) -> String? {
        do {
            try PasswordRules.check(password, names: names)
            return nil
        } catch {
            guard case .invalid("password", let why) = error else { return "\(error)" }
            return why
        }
    }

    @Test(arguments: [
        "correct horse battery", "a heron eats frogs", "kx7#vQ2m!p", "8375920164", "пароль ужасно длинный",
        "十文字以上の長い合言葉",
        "🐢🐇🦉🦆🪿🐓🦅🦜🦚🐦", "           x y z w", "property of nobody", "start of the art", "welcome to the jungle",
        "rainbow over denmark", "passwords are annoying", "abcdef over the hills", "\u{0}binary\u{1}stuff",
    ])
    func `a long password of any characters is accepted`(password: String) {
        #expect(why(password) == nil)
    }

    @Test(arguments: ["", "short", "123456789", "kx7#vQ2m!", "🐢🐇🦉🦆🪿🐓🦅🦜🦚", "ﷺ"])
    func `fewer than ten characters are refused`(password: String) {
        #expect(why(password) == "A password needs at least 10 characters.")
    }

    /// Combined, these are nine characters: the keyboard's encoding must not decide.
    @Test func `characters are counted in the form that is hashed`() {
        #expect(why("한국어비밀번호좋") == "A password needs at least 10 characters.")
        let apart = "e\u{301}a\u{301}o\u{301}i\u{301}u\u{301}y\u{301}"
        #expect(why(apart) == "A password needs at least 10 characters.")
    }

    @Test func `a password has at most 1,024 characters`() {
        let words = (0..<400).map { "\($0 * 7 % 401)" }.joined(separator: "x")
        #expect(why(String(words.prefix(1_024))) == nil)
        #expect(why(String(words.prefix(1_025))) == "A password can have at most 1,024 characters.")
        // One code point that normalisation turns into eighteen.
        let grown = String(words.prefix(1_000)) + "ﷺﷺ"
        #expect(why(grown) == "A password can have at most 1,024 characters.")
    }

    @Test(arguments: [
        "aaaaaaaaaa", "abcabcabcabc", "abcabcabcabca", "xy7xy7xy7xy7", "hellohello", "ababababab",
        "🐢🐢🐢🐢🐢🐢🐢🐢🐢🐢",
        "aaaaaaaaab", "1111122222333", "blue7!blue7!", "kx7#vQ2mkx7#vQ2m",
    ])
    func `a repeated short piece is refused`(password: String) {
        #expect(why(password)?.hasPrefix("This password repeats a few characters.") == true)
    }

    @Test(arguments: [
        "1234567890", "0987654321", "01234567890", "abcdefghij", "zyxwvutsrq", "qwertyuiop", "poiuytrewq",
        "asdfghjklö", "QWERTZuiop", "azertyuiop", "qwerty123456", "123456qwerty", "abc123def456",
        "1qaz2wsx3edc",
        "1q2w3e4r5t6y", "qazwsxedcrfv", "12345-67890", "1-2-3-4-5-6-7-8-9", "aabbccddeeff", "абвгдежзик",
        "йцукенгшщз",
        "1 2 3 4 5 6 7 8 9 0", "!qwertyuiop!",
    ])
    func `a run of the alphabet or the keyboard is refused`(password: String) {
        #expect(why(password)?.hasPrefix("This password is a run of letters") == true)
    }

    @Test(arguments: [
        "password123", "Password2024!", "p@ssw0rd99", "PASSWORD!!", "P4$$w0rd1!", "iloveyou12", "letmein1234",
        "welcome2024", "Summer2025!", "football99", "123password", "dragonmonkey", "passw0rd-dr4g0n",
        "a1b2c3d4e5",
        "trustno1 trustno12", "correcthorsebatterystaple", "1029384756", "3141592653", "everythingisok",
        "ｐａｓｓｗｏｒｄ１２", "admin12345678", "hello kitty", "changeme 2026",
    ])
    func `the most common passwords are refused, also in disguise`(password: String) {
        #expect(why(password)?.hasPrefix("This password is too easy to guess.") == true)
    }

    @Test(arguments: [
        "adalovelace", "Ada Lovelace 1815", "lovelace-2026", "10121815Lovelace", "l0vel4ce12", "countess1815",
        "Countess!Ada!7",
        "roostroost", "Roost2026!!", "R00$t rules", "roost ada lovelace", "lovelace12345678",
        "lovelacepassword1",
        "lovelaceabcdefgh", "lovelace kx7q kx7q", "adaadaadaada-xyz",
    ])
    func `a password built from the user's name or from Roost is refused`(password: String) {
        let why = why(password)
        let isRefused =
            why?.hasPrefix("This password is built from your name") == true
            || why?.hasPrefix("This password repeats") == true
        #expect(isRefused, "\(why ?? "good")")
    }

    @Test(arguments: [
        "ada likes the heron", "a roost full of geese", "lovelace kx7#vQ2m!p", "countess of the northern bog",
    ])
    func `a name is allowed in a password that is good without it`(password: String) {
        #expect(why(password) == nil)
    }

    @Test func `names of fewer than three letters and e-mail domains do not count as names`() {
        #expect(why("bo and jo go fishing", names: ["bo", "Bo Jo", "b@fishing.example"]) == nil)
        #expect(why("fishing887", names: ["bo", "b@fishing.example"]) == nil)
        #expect(why("fishing887", names: ["fishing@bo.example"]) != nil)
        #expect(why("fishing887", names: []) == nil)
    }

    @Test func `judging the longest password is fast`() {
        let long = String(repeating: "roostabcdefghijkl1", count: 56)
        let began = threadSeconds()
        _ = why(long, names: [long, "oost", "stab"])
        #expect(threadSeconds() - began < 5)
    }
}
