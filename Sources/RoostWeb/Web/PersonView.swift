/// A person: the one who is signed in, or one of the members.
package struct PersonView: Pictured, Sendable {
    package let name: String
    package let avatar: String?
    package let initials: String
    package let tone: Int

    /// - Parameters:
    ///   - avatar: the address of the picture: "/avatars/7/2"; nil where initials stand for it
    ///   - toneKey: see `Tone`; nil: the name
    package init(name: String, avatar: String? = nil, toneKey: String? = nil) {
        self.name = name
        self.avatar = avatar
        initials = Initials(name).text
        tone = Tone.of(toneKey ?? name)
    }

    package static let sample = PersonView(name: "Ada Lovelace")

    var personName: String { self.name }
}
