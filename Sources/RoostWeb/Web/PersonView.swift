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
