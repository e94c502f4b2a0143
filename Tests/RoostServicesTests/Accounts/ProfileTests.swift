import RoostServices
import Testing

@Suite struct ProfileTests {
    private func field(_ make: () throws -> Profile) -> String? {
        do {
            _ = try make()
            return nil
        } catch {
            return (error as? RoostError)?.field ?? "\(error)"
        }
    }

    /// An astronaut is one character of three code points: the schema counts these.
    @Test(arguments: [
        "", "  ", String(repeating: "x", count: 65), "a\nb", "a\u{0}", String(repeating: "👩‍🚀", count: 30),
        "\u{202E}ada", "\u{3164}", "\u{200D}", "a\u{2028}b", "\u{E000}",
    ])
    func `a name that is empty, too long or unprintable is refused in words`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(error == .invalid(field: "username", why: "A user name has 1 to 64 characters."))
    }

    @Test(arguments: [
        "ada", "Ada Lovelace", "李小龙", "żółw", "👩‍🚀", "o'brien", String(repeating: "x", count: 64), "<b>",
    ])
    func `any other name is one`(name: String) throws {
        #expect(try Profile(username: " \(name)\n").username == name)
    }

    /// What is read as "@" could stand for somebody's e-mail address at the sign-in.
    @Test(arguments: ["ada@example.org", "@", "ada＠example.org", "ada﹫example.org"])
    func `a user name holds no at sign, however it is written`(name: String) {
        let error = #expect(throws: RoostError.self) { try Profile(username: name) }
        #expect(error?.field == "username")
        #expect(error?.message.contains("e-mail address") == true)
    }

    @Test(arguments: [
        "ada", "@example.org", "ada@", "ada@@example.org", "a b@example.org", "ada@exa\nmple.org",
        String(repeating: "x", count: 250) + "@example.org",
    ])
    func `what is no e-mail address is refused at its field`(email: String) {
        #expect(field { try Profile(username: "ada", email: email) } == "email")
    }

    @Test func `an e-mail address and a display name may be left out, or left empty`() throws {
        for empty in [nil, "", "  "] {
            let profile = try Profile(username: "ada", email: empty, displayName: empty)
            #expect(profile.email == nil && profile.displayName == nil)
        }
        let full = try Profile(username: "ada", email: " ada@example.org ", displayName: "Ada @ home")
        #expect(full.email == "ada@example.org" && full.displayName == "Ada @ home")
    }

    @Test func `a display name has the limits of a name`() {
        let long = String(repeating: "x", count: 65)
        #expect(field { try Profile(username: "ada", displayName: long) } == "displayName")
        #expect(field { try Profile(username: "ada", displayName: "a\u{7}") } == "displayName")
    }

    @Test(arguments: [
        ("Ada", "ada"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("Élan", "e\u{301}lan"), ("ﬁn", "fin"),
        ("Ada Lovelace", " ada \u{A0} lovelace"), ("ada", "a\u{200C}d\u{200D}a\u{FE0F}"),
    ])
    func `names that look the same are the same`(one: String, other: String) {
        #expect(Profile.key(one) == Profile.key(other))
        #expect(Profile.key(Profile.key(one)) == Profile.key(one))
    }

    @Test func `names that differ stay different`() {
        let names = ["ada", "adá", "ada b", "adab", "ädä", "ad", "аda"]
        #expect(Set(names.map(Profile.key)).count == names.count)
    }
}
