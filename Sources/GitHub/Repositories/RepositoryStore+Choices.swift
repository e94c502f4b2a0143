import Foundation
import GRDB
import RoostSupport

/// How users like lists of repositories shown, in SQLite.
extension RepositoryStore {
    func choices(of user: UserID, for list: RepositoryChoices.List) async throws -> RepositoryChoices {
        try await database.fetch { try Self.choices(of: user, for: list, $0) }
    }

    static func choice(_ row: Row) throws -> (UserID, RepositoryChoices.List, RepositoryChoices) {
        (try row.id("user_id"), try row.choice("list"), try row.json("choices"))
    }

    /// Changes them as they are when it is this change's turn.
    func choose(
        for list: RepositoryChoices.List, of user: UserID,
        _ change: @escaping @Sendable (inout RepositoryChoices) -> Void
    ) async throws {
        try await database.write { database in
            var choices = try Self.choices(of: user, for: list, database)
            change(&choices)
            let text = String(decoding: try JSONEncoder().encode(choices), as: UTF8.self)
            try database.execute(
                sql: "INSERT OR REPLACE INTO repository_choices (user_id, list, choices) VALUES (?, ?, ?)",
                arguments: [user, list.rawValue, text])
        }
    }

    /// A row that cannot be read is one of another version, and counts as none.
    private static func choices(
        of user: UserID, for list: RepositoryChoices.List, _ database: GRDB.Database
    ) throws -> RepositoryChoices {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM repository_choices WHERE user_id = ? AND list = ?"),
            arguments: [user, list.rawValue])
        return row.flatMap { try? choice($0).2 } ?? RepositoryChoices()
    }
}
