import Foundation
package import GRDB

/// The checks of `roost check`: the file, the schema, foreign keys and the values in rows.
package struct DatabaseCheck: Sendable {
    private let migrator: DatabaseMigrator
    private let stored: [StoredRows]

    package init(migrator: DatabaseMigrator, stored: [StoredRows]) {
        self.migrator = migrator
        self.stored = stored
    }

    func problems(_ database: GRDB.Database) throws -> [String] {
        let faults = try faults(database)
        // Reading rows needs the columns of the latest migrations.
        guard try migrator.hasCompletedMigrations(database) else { return faults }
        let schema = try DatabaseSchema.problems(database, migrator)
        return faults
            + stored.flatMap { rows in
                // A missing table or column is already among the schema's problems.
                do { return try rows.problems(database) } catch {
                    return schema.isEmpty ? ["The table \(rows.table) cannot be read: \(error)."] : []
                }
            }
    }

    private func faults(_ database: GRDB.Database) throws -> [String] {
        let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
            let (table, parent): (String, String) = (try row.value("table"), try row.value("parent"))
            return "A row of \(table) refers to a missing row of \(parent)."
        }
        return try Self.damage(database) + DatabaseSchema.problems(database, migrator) + orphans
    }

    private static func damage(_ database: GRDB.Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }

    func faults(ofCopyAt path: String) async throws -> [String] {
        try await Self.reading(path, faults)
    }

    /// Returns the damage of the file at `path`. Reads the whole file in one transaction; cancelling the task ends it
    /// early.
    static func damage(at path: String) async throws -> [String] { try await reading(path, damage) }

    /// Checks the database in `folder` without changing or migrating it; a server may be running on it.
    ///
    /// Throws `RoostError.unavailable` for the database of a newer version. A file that is not a database is reported
    /// as a problem.
    package func problems(in folder: String) async throws -> [String] {
        let path = folder + "/" + Database.fileName
        return try await Self.reading(path) { database in
            try DatabaseSchema.refuseNewer(database, than: migrator, path: path)
            return try problems(database)
        }
    }

    private static func reading(
        _ path: String, _ query: @escaping @Sendable (GRDB.Database) throws -> [String]
    ) async throws -> [String] {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // Not opened read-only, because the last connection must be able to checkpoint the write-ahead log.
        configuration.prepareDatabase { database in
            SearchIndexTokenizer.register(database)
            try database.execute(sql: "PRAGMA query_only = ON")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let problems = try await queue.read(query)
            try queue.close()
            return problems
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return ["\(path) is damaged or isn't a database: \(error.message ?? "SQLite cannot read it")."]
        }
    }
}
