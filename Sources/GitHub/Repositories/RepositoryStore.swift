package import Foundation
package import GRDB
package import RoostSupport

/// Repositories, READMEs and choices in SQLite.
package struct RepositoryStore: Sendable {
    let database: any DatabaseWriter
    private let follower: (any RepositoryFollower)?

    /// - Parameter follower: whose rows refer to repositories
    package init(database: any DatabaseWriter, follower: (any RepositoryFollower)? = nil) {
        self.database = database
        self.follower = follower
    }

    private var referred: String { follower?.referredPlaces ?? "SELECT NULL WHERE FALSE" }

    /// What is known of these: what the viewer's own account sees goes before what everybody knows.
    func records(_ ids: [RepositoryID], for viewer: UserID?) async throws -> [RepositoryID: RepositoryRecord]
    {
        guard !ids.isEmpty else { return [:] }
        let records = try await database.fetch { database in
            try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT \(RepositoryRecord.selection) FROM repositories AS repository
                        WHERE id IN (SELECT value FROM json_each(?)) AND status = 'current'
                            AND (viewer IS NULL OR viewer = ?)
                        """), arguments: [ids.jsonArray, viewer]
            ).readable(RepositoryRecord.init(row:))
        }
        return Dictionary(records.map { ($0.item.id, $0) }) { one, other in one.viewer == nil ? other : one }
    }

    /// By its name, in any case of letters; the latest where two had it.
    func record(named name: String, for viewer: UserID?) async throws -> RepositoryRecord? {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(RepositoryRecord.selection) FROM repositories AS repository
                        WHERE full_name = ? AND status = 'current' AND (viewer IS NULL OR viewer = ?)
                        ORDER BY fetched_at DESC, viewer IS NULL LIMIT 1
                        """), arguments: [name, viewer]
            ).readable(RepositoryRecord.init(row:)).first
        }
    }

    /// Likewise of several names.
    func records(named names: [RepositoryName], for viewer: UserID?) async throws -> [RepositoryRecord] {
        guard !names.isEmpty else { return [] }
        // Names are of letters and figures: nothing in them needs an escape.
        let list = "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(RepositoryRecord.selection) FROM repositories AS repository
                        WHERE full_name IN (SELECT value FROM json_each(?)) AND status = 'current'
                            AND (viewer IS NULL OR viewer = ?)
                        ORDER BY fetched_at DESC, viewer IS NULL
                        """), arguments: [list, viewer]
            ).readable(RepositoryRecord.init(row:))
        }
    }

    /// Keeps these and forgets those, with all that follows from it, in one transaction. Answers the followers' topics
    /// that have changed.
    @discardableResult
    package func put(_ items: [RepositoryItem], owner: UserID?, at now: Date) async throws -> [String] {
        try await put(items.map { .init(item: $0, viewer: owner, usedAt: now) }, at: now)
    }

    @discardableResult
    func put(_ records: [RepositoryRecord], forget gone: Set<RepositoryKey> = [], at now: Date) async throws
        -> [String]
    {
        guard !records.isEmpty || !gone.isEmpty else { return [] }
        return try await database.write { [follower, referred] database in
            let transaction = RepositoryTransaction(database: database)
            let changes = try records.map(transaction.put)
            let topics = try follower?.follow(changes, in: database, at: now) ?? []
            // After those who referred to them have followed.
            for key in gone { try transaction.forget(key, referred: referred) }
            return topics
        }
    }

    /// Somebody looked at these.
    private static func use(_ ids: Set<RepositoryID>, at now: Date, _ database: GRDB.Database) throws {
        for table in ["repositories", "repository_readmes"] {
            try database.execute(
                sql: "UPDATE \(table) SET used_at = ? WHERE id IN (SELECT value FROM json_each(?))",
                arguments: [now.timeIntervalSince1970, ids.sorted().jsonArray])
        }
    }

    /// GitHub said that it is still the same.
    func confirm(_ key: RepositoryKey, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE repositories SET fetched_at = ?, used_at = ?
                    WHERE id = ? AND viewer IS ? AND status = 'current'
                    """,
                arguments: [now.timeIntervalSince1970, now.timeIntervalSince1970, key.id, key.viewer])
        }
    }

    /// Notes what was `used`, and keeps so many details and READMEs beside those that are referred to, the latest used.
    func tidy(used: Set<RepositoryID>, details: Int, readmes: Int, at now: Date) async throws {
        try await database.write { [referred] database in
            if !used.isEmpty { try Self.use(used, at: now, database) }
            try database.execute(
                sql: """
                    DELETE FROM repository_readmes WHERE place IN (
                        SELECT place FROM repository_readmes
                        WHERE id NOT IN (SELECT id FROM repositories WHERE place IN (\(referred)))
                        ORDER BY used_at DESC, place DESC LIMIT -1 OFFSET ?)
                    """, arguments: [readmes])
            try database.execute(
                sql: """
                    DELETE FROM repositories WHERE place IN (
                        SELECT place FROM repositories WHERE status = 'current' AND place NOT IN (\(referred))
                        ORDER BY used_at DESC, place DESC LIMIT -1 OFFSET ?)
                    """, arguments: [details])
        }
    }

    /// What this viewer's account alone saw.
    func removeAll(of viewer: UserID) async throws {
        try await database.write { [referred] database in
            try RepositoryTransaction(database: database).forgetAll(of: viewer, referred: referred)
        }
    }

    package static let stored = [
        StoredRows(
            "repositories", sql: "SELECT \(RepositoryRecord.selection) FROM repositories AS repository"
        ) { try RepositoryRecord(row: $0).judge() },
        StoredRows("repository_readmes") { row in
            _ = (try row.id("id"), try row.idIfPresent("viewer"))
            _ = (try storedReadme(row), try row.time("used_at"))
        },
        StoredRows("repository_choices") { _ = try choice($0) },
    ]
}
