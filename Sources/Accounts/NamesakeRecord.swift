package import GRDB
package import RoostSupport

/// Who is called what, and who could be taken for whom.
///
/// Compares names when they are written, in the same transaction: ICU's data changes with its version, so no key is stored.
package enum NamesakeRecord {
    private struct Person {
        let id: UserID
        let names: [String]
        let showsUsername: Bool
    }

    /// Whether the name looks like a user name or a display name of a member other than this one.
    package static func isTaken(_ name: String, except own: UserID?, in database: GRDB.Database) throws
        -> Bool
    {
        let lookalikes = NameLookalikes()
        let keys = lookalikes.keys(of: name)
        return try people(database).contains { person in
            person.id != own
                && person.names.contains { !lookalikes.keys(of: $0).isDisjoint(with: keys) }
        }
    }

    /// Notes for each member whether another one has a name that looks the same, as databases of earlier versions may have.
    /// Their user names are then shown with their names.
    static func mark(in database: GRDB.Database) throws {
        let people = try people(database)
        let lookalikes = NameLookalikes()
        var holders: [String: Set<UserID>] = [:]
        for person in people {
            for name in person.names {
                for key in lookalikes.keys(of: name) { holders[key, default: []].insert(person.id) }
            }
        }
        let shared = holders.values.filter { $0.count > 1 }.reduce(into: Set<UserID>()) { $0.formUnion($1) }
        for person in people where person.showsUsername != shared.contains(person.id) {
            try database.execute(
                sql: "UPDATE users SET shows_username = ? WHERE id = ?",
                arguments: [shared.contains(person.id), person.id])
        }
    }

    private static func people(_ database: GRDB.Database) throws -> [Person] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, username, display_name, shows_username FROM users WHERE is_stand_in = 0"
        ).readable { row in
            Person(
                id: try row.id("id"),
                names: [try row.text("username"), try row.textIfPresent("display_name")].compactMap { $0 },
                showsUsername: try row.value("shows_username"))
        }
    }
}
