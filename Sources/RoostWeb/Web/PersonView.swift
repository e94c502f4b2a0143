/// A person: the one who is signed in, or one of the members.
package struct PersonView: Pictured, Sendable {
    package let name: String
    package let avatar: String?
    package let initials: String

    /// - Parameter avatar: the address of the picture: "/avatars/7/2"; nil where initials stand for it
    package init(name: String, avatar: String? = nil) {
        self.name = name
        self.avatar = avatar
        initials = Initials(name).text
    }

    package static let sample = PersonView(name: "Ada Lovelace")

    var personName: String { self.name }
}
