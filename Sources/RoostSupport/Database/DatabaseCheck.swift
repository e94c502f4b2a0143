import Foundation
package import GRDB

/// What `roost check` looks at: the file, the schema, what rows point at, and the values in them.
package struct DatabaseCheck: Sendable {
    private let migrator: DatabaseMigrator
    private let stored: [StoredRows]

    /// - Parameters:
    ///   - migrator: makes the schema that the database should have
    ///   - stored: how the rows of each table are read
    package init(migrator: DatabaseMigrator, stored: [StoredRows]) {
        self.migrator = migrator
        self.stored = stored
    }

    /// What is wrong, a sentence each; empty when all is well.
    func problems(_ database: GRDB.Database) throws -> [String] {
        let faults = try faults(database)
        // Rows are read with the columns that the latest migrations make.
        guard try migrator.hasCompletedMigrations(database) else { return faults }
        let schema = try DatabaseSchema.problems(database, migrator)
        return faults
            + stored.flatMap { rows in
                // Rows cannot be read where a table or a column is missing, which the schema's problems say.
                do { return try rows.problems(database) } catch {
                    return schema.isEmpty ? ["The table \(rows.table) cannot be read: \(error)."] : []
                }
            }
    }

    /// What is wrong with the file, the schema and what rows point at; values in rows are not checked.
    private func faults(_ database: GRDB.Database) throws -> [String] {
        let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
            let (table, parent): (String, String) = (try row.value("table"), try row.value("parent"))
            return "A row of \(table) points at nothing in \(parent)."
        }
        return try Self.damage(database) + DatabaseSchema.problems(database, migrator) + orphans
    }

    private static func damage(_ database: GRDB.Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }

    /// What is wrong with a copy at `path`, before it counts as a backup.
    func faults(ofCopyAt path: String) async throws -> [String] {
        try await Self.reading(path, faults)
    }

    /// The damage of the file at `path`. It reads the whole file in one transaction, and ends early when the task is cancelled.
    static func damage(at path: String) async throws -> [String] { try await reading(path, damage) }

    /// Checks the database in `folder` without changing or migrating it, beside a running server or not.
    ///
    /// Throws `RoostError.unavailable` for the database of a newer version, and for a file that is no database.
    package func problems(in folder: String) async throws -> [String] {
        let path = folder + "/" + Database.fileName
        return try await Self.reading(path) { database in
            try DatabaseSchema.refuseNewer(database, than: migrator, path: path)
            return try problems(database)
        }
    }

    private static func reading(
        _ path: String, _ look: @escaping @Sendable (GRDB.Database) throws -> [String]
    ) async throws -> [String] {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // Not opened read-only: the last connection could then not take the write-ahead log over.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let problems = try await queue.read(look)
            try queue.close()
            return problems
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return ["\(path) is damaged or no database: \(error.message ?? "SQLite cannot read it")."]
        }
    }
}
