package import RoostSupport

extension Reads {
    /// Whether the name looks like a user name or a display name of another member.
    ///
    /// Names are compared at each write, in the same transaction. Keys are not stored because ICU's data changes
    /// between versions.
    package func hasLookalike(_ name: String, except own: UserID?) throws -> Bool {
        let lookalikes = NameLookalikes()
        let keys = lookalikes.keys(of: name)
        return try people().contains { person in
            person.userId != own
                && person.names.contains { !lookalikes.keys(of: $0).isDisjoint(with: keys) }
        }
    }

    fileprivate func people() throws -> [User] { try users().filter { !$0.isPlaceholder } }
}

extension Writes {
    /// Marks the members whose names look like another member's, which databases of earlier versions may contain. They
    /// are shown with their user names.
    func updateShowsUsername() throws {
        let people = try people()
        let lookalikes = NameLookalikes()
        var holders: [String: Set<UserID>] = [:]
        for person in people {
            for name in person.names {
                for key in lookalikes.keys(of: name) { holders[key, default: []].insert(person.userId) }
            }
        }
        let shared = holders.values.filter { $0.count > 1 }.reduce(into: Set<UserID>()) { $0.formUnion($1) }
        for person in people where person.showsUsername != shared.contains(person.userId) {
            try database.execute(
                sql: "UPDATE users SET shows_username = ? WHERE id = ?",
                arguments: [shared.contains(person.userId), person.userId])
        }
    }
}

extension User {
    fileprivate var names: [String] { [username, displayName].compactMap { $0 } }
}
