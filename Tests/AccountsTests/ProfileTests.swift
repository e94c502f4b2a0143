import TestSupport
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct ProfileTests {
    private func field(_ make: () throws -> Profile) -> String? {
        do {
            _ = try make()
            return nil
        } catch {
            return (error as? RoostError)?.field ?? "\(error)"
        }
    }

    /// An astronaut is one character of three code points, and the schema counts code points.
    @Test(arguments: [
        "", "  ", String(repeating: "x", count: 65), "a\nb", "a\u{0}", String(repeating: "👩‍🚀", count: 30),
        "\u{200D}", "a\u{2028}b", "\u{E000}",
    ])
    func `a name that is empty, too long or unprintable is refused with a message`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(error == .invalid(field: "username", why: "A user name has 1 to 64 characters."))
    }

    /// Every letter with Grapheme_Cluster_Break=Prepend in Unicode 15.
    private static let joining: [UInt32] =
        Array(0x600...0x605) + [0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E, 0x110BD, 0x110CD, 0x111C2, 0x111C3]
        + [0x1193F, 0x11941, 0x11A3A] + Array(0x11A84...0x11A89) + [0x11D46, 0x11F02]

    @Test func `a name with a letter that joins the next one is refused at its field`() throws {
        for value in Self.joining {
            let letter = String(try #require(Unicode.Scalar(value)))
            for name in [letter, "ada" + letter, letter + "ada", "a" + letter + "b"] {
                let hex = String(value, radix: 16)
                #expect(field { try Profile(username: name) } == "username", "\(hex)")
                #expect(field { try Profile(username: "x", displayName: name) } == "displayName", "\(hex)")
            }
        }
        let error = #expect(throws: RoostError.self) { try Profile(username: "ada\u{D4E}") }
        #expect(error?.message == "A user name can’t contain letters that merge with the next character.")
    }

    @Test(arguments: [
        "\u{301}ada", "\u{FE0F}", "\u{20DD}x", "a \u{301}da", "\u{200D}\u{301}ada", "\u{E0100}x", "\u{903}x",
    ])
    func `a name with a combining mark that follows no letter is refused with a message`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(
            error
                == .invalid(
                    field: "username",
                    why: "A user name can’t contain an accent or mark without a letter before it."))
        #expect(field { try Profile(username: "x", displayName: name) } == "displayName")
    }

    @Test(arguments: [
        "\u{2800}", "a\u{2800}da", "\u{3164}", "ada\u{3164}", "\u{115F}a", "\u{1160}a", "\u{FFA0}a",
        "\u{202E}ada", "a\u{AD}da", "a\u{34F}da", "\u{1D159}", "\u{E0041}x", "a\u{17B4}",
    ])
    func `a name with invisible characters is refused with a message`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(error == .invalid(field: "username", why: "A user name can’t contain invisible characters."))
        #expect(field { try Profile(username: "x", displayName: name) } == "displayName")
    }

    @Test(arguments: [
        "ada", "Ada Lovelace", "李小龙", "żółw", "👩‍🚀", "o'brien", String(repeating: "x", count: 64), "<b>",
        "e\u{301}lan", "नेहा", "মিতা", "র\u{200C}\u{9CD}য", "❤\u{FE0F}", "葛\u{E0100}", "1\u{FE0F}\u{20E3}", "אָדָם",
        "عَلِيّ", "한국",
        "🏳️‍🌈",
    ])
    func `any other name is accepted`(name: String) throws {
        #expect(try Profile(username: " \(name)\n").username == name)
    }

    /// A name with "@" could pass for someone's e-mail address at the sign-in.
    @Test(arguments: ["ada@example.org", "@", "ada＠example.org", "ada﹫example.org"])
    func `a user name contains no at sign in any form`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(error?.field == "username")
        #expect(error?.message.contains("e-mail address") == true)
    }

    @Test(arguments: [
        "ada", "@example.org", "ada@", "ada@@example.org", "a b@example.org", "ada@exa\nmple.org",
        String(repeating: "x", count: 250) + "@example.org",
    ])
    func `an invalid e-mail address is refused at its field`(email: String) {
        #expect(field { try Profile(username: "ada", email: email) } == "email")
    }

    @Test func `an e-mail address and a display name may be missing or empty`() throws {
        for empty in [nil, "", "  "] {
            let profile = try Profile(username: "ada", email: empty, displayName: empty)
            #expect(profile.email == nil && profile.displayName == nil)
        }
        let full = try Profile(username: "ada", email: " ada@example.org ", displayName: "Ada @ home")
        #expect(full.email == "ada@example.org" && full.displayName == "Ada @ home")
    }

    @Test func `a display name has the same limits as a user name`() {
        let long = String(repeating: "x", count: 65)
        #expect(field { try Profile(username: "ada", displayName: long) } == "displayName")
        #expect(field { try Profile(username: "ada", displayName: "a\u{7}") } == "displayName")
    }

    @Test(arguments: [
        ("Ada", "ada"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("Élan", "e\u{301}lan"), ("ﬁn", "fin"),
        ("Ada Lovelace", " ada \u{A0} lovelace"), ("ada", "a\u{200C}d\u{200D}a\u{FE0F}"),
    ])
    func `names that look the same count as the same`(one: String, other: String) {
        #expect(Profile.key(one) == Profile.key(other))
        #expect(Profile.key(Profile.key(one)) == Profile.key(one))
    }

    @Test func `names that differ stay different`() {
        let names = ["ada", "adá", "ada b", "adab", "ädä", "ad", "аda"]
        #expect(Set(names.map(Profile.key)).count == names.count)
    }
}
