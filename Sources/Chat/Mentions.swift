import RoostSupport

/// Finds the members that a text mentions with `@`.
enum Mentions {
    struct Name: Sendable {
        let userId: UserID
        let username: String
    }

    /// Returns the users whose name is shown as a mention, sorted by id: not in code, in addresses or inside a word.
    static func find(in text: String, among people: [Name]) -> [UserID] {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let users = Dictionary(
            people.map { ($0.username.lowercased(), $0.userId) }, uniquingKeysWith: { first, _ in first })
        var found: Set<UserID> = []
        for case .mention(let name) in MessageMarkup.parts(of: text, names: Set(users.keys)) {
            if let user = users[name.lowercased()] { found.insert(user) }
        }
        return found.sorted()
    }
}
