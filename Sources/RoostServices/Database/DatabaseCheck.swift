import Foundation
import GRDB

/// What `roost check` looks at: the file, the schema, what rows point at, and the values in them.
enum DatabaseCheck {
    /// What is wrong, a sentence each; empty when all is well.
    static func problems(_ database: GRDB.Database, _ stored: [StoredRows]) throws -> [String] {
        let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let schema = try DatabaseSchema.problems(database)
        let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
            let (table, parent): (String, String) = (try row.value("table"), try row.value("parent"))
            return "A row of \(table) points at nothing in \(parent)."
        }
        // Rows are read with the columns that the latest migrations make.
        let isCurrent = try Migrations.migrator.hasCompletedMigrations(database)
        return integrity + schema + orphans
            + (isCurrent ? stored : []).flatMap { rows in
                // Rows cannot be read where a table or a column is missing, which the schema's problems say.
                do { return try rows.problems(database) } catch {
                    return schema.isEmpty ? ["The table \(rows.table) cannot be read: \(error)."] : []
                }
            }
    }

    /// Checks the database in `folder` without changing or migrating it, beside a running server or not.
    ///
    /// Throws `RoostError.unavailable` for the database of a newer version, and for a file that is no database.
    static func problems(in folder: String, _ stored: [StoredRows]) async throws -> [String] {
        let path = folder + "/" + Database.fileName
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // Not opened read-only: the last connection could then not take the write-ahead log over.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try await queue.read { database in
                try DatabaseSchema.refuseNewer(database, path: path)
                return try problems(database, stored)
            }
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return ["\(path) is damaged or no database: \(error.message ?? "SQLite cannot read it")."]
        }
    }
}
