import Foundation
package import GRDB

/// Details, READMEs and choices in SQLite.
package struct RepositoryStore: Sendable {
    /// A repository as it is kept.
    struct Kept: Sendable {
        var item: RepositoryItem
        /// Of REST's answer that says the same.
        var etag: String?
        /// Nil: everybody may know it.
        var viewer: UserID?
        var usedAt: Date
        var key: RepositoryKey { RepositoryKey(id: item.id, viewer: viewer) }
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Which ones are kept.
    func keys() async throws -> Set<RepositoryKey> {
        try await database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, viewer FROM repository_details")
            return Set(rows.readable(Self.key))
        }
    }

    /// What everybody may know of these, and what this viewer's account sees.
    func kept(_ ids: [RepositoryID], for viewer: UserID?) async throws -> [Kept] {
        try await database.read { [list = try Self.list(ids)] database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM repository_details WHERE id IN (SELECT value FROM json_each(?))
                        AND (viewer IS NULL OR viewer = ?)
                    """,
                arguments: [list, viewer]
            ).readable(Self.kept)
        }
    }

    /// By its name, in any case of letters; the latest where two had it.
    func kept(named name: String, for viewer: UserID?) async throws -> Kept? {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM repository_details WHERE full_name = ? AND (viewer IS NULL OR viewer = ?)
                        ORDER BY fetched_at DESC, viewer IS NULL LIMIT 1
                    """,
                arguments: [name, viewer]
            ).readable(Self.kept).first
        }
    }

    /// Keeps these, and forgets those; a README goes with its repository.
    func put(_ kept: [Kept], forget gone: Set<RepositoryKey>) async throws {
        let rows = try kept.map { ($0, String(decoding: try JSONEncoder().encode($0.item), as: UTF8.self)) }
        try await database.write { database in
            for key in gone { try Self.remove(key, database) }
            for (kept, item) in rows {
                try database.execute(
                    sql: """
                        INSERT INTO repository_details
                            (id, viewer, full_name, item, etag, fetched_at, used_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (id, coalesce(viewer, 0)) DO UPDATE SET full_name = excluded.full_name,
                            item = excluded.item, etag = excluded.etag, fetched_at = excluded.fetched_at,
                            used_at = excluded.used_at
                        """,
                    arguments: [
                        kept.item.id, kept.viewer, kept.item.fullName, item, kept.etag,
                        kept.item.fetchedAt?.timeIntervalSince1970 ?? 0,
                        kept.usedAt.timeIntervalSince1970,
                    ])
            }
        }
    }

    /// Somebody looked at these.
    func use(_ ids: [RepositoryID], at now: Date) async throws {
        try await database.write { [list = try Self.list(ids)] database in
            for table in ["repository_details", "repository_readmes"] {
                try database.execute(
                    sql: "UPDATE \(table) SET used_at = ? WHERE id IN (SELECT value FROM json_each(?))",
                    arguments: [now.timeIntervalSince1970, list])
            }
        }
    }

    /// GitHub said that it is still the same.
    func confirm(_ key: RepositoryKey, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE repository_details SET fetched_at = ?, used_at = ? WHERE id = ? AND viewer IS ?",
                arguments: [now.timeIntervalSince1970, now.timeIntervalSince1970, key.id, key.viewer])
        }
    }

    /// Keeps so many details and READMEs beside those of `ids`, the latest used; answers what went of the
    /// details.
    func trim(details: Int, readmes: Int, keeping ids: Set<RepositoryID>) async throws -> [RepositoryKey] {
        try await database.write { [list = try Self.list(Array(ids))] database in
            var gone: [RepositoryKey] = []
            for (table, most) in [("repository_readmes", readmes), ("repository_details", details)] {
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        DELETE FROM \(table) WHERE place IN (
                            SELECT place FROM \(table) WHERE id NOT IN (SELECT value FROM json_each(?))
                            ORDER BY used_at DESC, place DESC LIMIT -1 OFFSET ?)
                        RETURNING id, viewer
                        """,
                    arguments: [list, most])
                gone = rows.readable(Self.key)
            }
            return gone
        }
    }

    /// What this viewer's account alone saw.
    func removeAll(of viewer: UserID) async throws {
        try await database.write { database in
            for table in ["repository_details", "repository_readmes"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE viewer = ?", arguments: [viewer])
            }
        }
    }

    private static func remove(_ key: RepositoryKey, _ database: GRDB.Database) throws {
        for table in ["repository_details", "repository_readmes"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE id = ? AND viewer IS ?", arguments: [key.id, key.viewer])
        }
    }

    /// As SQLite's `json_each` takes it: one statement however many there are.
    private static func list(_ ids: [RepositoryID]) throws -> String {
        "[" + ids.map { "\($0)" }.joined(separator: ",") + "]"
    }

    static let stored = [
        StoredRows("repository_details") { row in
            _ = (try key(row), try row.text("full_name"), try kept(row))
        },
        StoredRows("repository_readmes") { row in
            _ = (try key(row), try keptReadme(row), try row.time("used_at"))
        },
        StoredRows("repository_choices") { _ = try choice($0) },
    ]

    private static func key(_ row: Row) throws -> RepositoryKey {
        RepositoryKey(id: try row.id("id"), viewer: try row.idIfPresent("viewer"))
    }

    /// A row that cannot be read may be one of another version: it is fetched anew.
    private static func kept(_ row: Row) throws -> Kept {
        var item: RepositoryItem = try row.json("item")
        item.fetchedAt = try row.time("fetched_at")
        return Kept(
            item: item, etag: try row.textIfPresent("etag"), viewer: try row.idIfPresent("viewer"),
            usedAt: try row.time("used_at"))
    }
}

/// Which repository, and who may know what is kept under it.
struct RepositoryKey: Hashable, Sendable {
    let id: RepositoryID
    /// Nil: everybody.
    let viewer: UserID?
}
