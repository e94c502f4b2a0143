import Foundation
import GRDB

/// How users like lists of repositories shown, in SQLite.
extension RepositoryStore {
    typealias ChoicesByList = [RepositoryChoices.List: RepositoryChoices]

    /// Everybody's; a row that cannot be read is one of another version, and counts as none.
    func choices() async throws -> [UserID: ChoicesByList] {
        try await database.read { database in
            var all: [UserID: ChoicesByList] = [:]
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM repository_choices")
            for (user, list, choices) in rows.readable(Self.choice) {
                all[user, default: [:]][list] = choices
            }
            return all
        }
    }

    static func choice(_ row: Row) throws -> (UserID, RepositoryChoices.List, RepositoryChoices) {
        (try row.id("user_id"), try row.choice("list"), try row.json("choices"))
    }

    /// `kept` is called after the commit, in the order of commits.
    func choose(
        _ choices: RepositoryChoices, for list: RepositoryChoices.List, of user: UserID,
        kept: @escaping @Sendable () -> Void
    ) async throws {
        let text = String(decoding: try JSONEncoder().encode(choices), as: UTF8.self)
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO repository_choices (user_id, list, choices) VALUES (?, ?, ?)",
                arguments: [user, list.rawValue, text])
            database.afterNextTransaction { _ in kept() }
        }
    }
}
