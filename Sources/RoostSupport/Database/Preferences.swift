import Foundation
package import GRDB

/// What a user has chosen for one feature, such as columns or a text size; stored as JSON in the table `preferences`.
///
/// Keys that are missing, and values that this version does not know, have their defaults.
package protocol Preferences: Codable, Sendable {
    /// The feature's key in the table.
    static var name: String { get }

    /// The defaults.
    init()
}

package enum PreferencesStore {
    package static let stored = [
        StoredRows("preferences") { row in
            _ = (try row.id("user_id"), try row.text("name"))
            _ = try row.json("value") as [String: AnyValue]
        }
    ]

    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Returns the stored preferences of all users. Throws database errors.
    package static func all<P: Preferences>(
        _ type: P.Type = P.self, in database: GRDB.Database
    ) throws -> [UserID: P] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT user_id, value FROM preferences WHERE name = ?", arguments: [P.name])
        let stored = rows.readable { (try $0.id("user_id"), decode(try $0.text("value")) as P) }
        return Dictionary(stored, uniquingKeysWith: { $1 })
    }

    /// Reads each value by itself if they cannot be read together.
    static func decode<P: Preferences>(_ text: String) -> P {
        let decoder = JSONDecoder()
        if let preferences = try? decoder.decode(P.self, from: Data(text.utf8)) { return preferences }
        guard
            let stored = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let defaults = try? JSONEncoder().encode(P()),
            var known = try? JSONSerialization.jsonObject(with: defaults) as? [String: Any]
        else { return P() }
        var preferences = P()
        for (key, value) in stored {
            let previous = known.updateValue(value, forKey: key)
            if let data = try? JSONSerialization.data(withJSONObject: known),
                let readable = try? decoder.decode(P.self, from: data)
            {
                preferences = readable
            } else {
                known[key] = previous
            }
        }
        return preferences
    }
}

extension Reads {
    package func preferences<P: Preferences>(_ type: P.Type = P.self, of user: UserID) throws -> P {
        let text = try database.value(
            String.self, "SELECT value FROM preferences WHERE user_id = ? AND name = ?", [user, P.name])
        return text.map(PreferencesStore.decode) ?? P()
    }
}

extension Writes {
    package func setPreferences<P: Preferences>(_ preferences: P, of user: UserID) throws {
        let value = String(decoding: try JSONEncoder().encode(preferences), as: UTF8.self)
        try execute(
            "INSERT OR REPLACE INTO preferences (user_id, name, value) VALUES (?, ?, ?)",
            [user, P.name, value])
    }
}

extension Migration {
    package static let preferences = Migration(
        "preferences",
        sql: """
            CREATE TABLE preferences (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
                value TEXT NOT NULL CHECK (json_type(value) = 'object'),
                PRIMARY KEY (user_id, name)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Moves a table with a row for each user to `preferences`.
    ///
    /// - Parameters:
    ///   - value: the new JSON object, as an expression over the table's columns
    ///   - condition: leaves out rows that another program has damaged; their users get the defaults
    package static func preferences(
        _ name: String, from table: String, value: String, where condition: String
    ) -> Migration {
        Migration(
            "preferences: \(name)",
            sql: """
                INSERT INTO preferences (user_id, name, value)
                    SELECT user_id, '\(name)', \(value) FROM \(table) WHERE \(condition);
                DROP TABLE \(table);
                """)
    }
}
