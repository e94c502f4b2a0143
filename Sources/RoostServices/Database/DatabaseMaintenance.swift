import Foundation
import GRDB

/// What an operator does with the database as a whole.
struct DatabaseMaintenance: Sendable {
    let database: DatabasePool

    func problems() async throws -> [String] {
        try await database.read { database in
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
                "A row of \(row["table"] as String? ?? "?") points at nothing in \(row["parent"] as String? ?? "?")."
            }
            return integrity + orphans
        }
    }

    /// Throws `RoostError.conflict` when the file exists.
    func backup(to path: String) async throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw RoostError.conflict(field: "file", why: "There already is a file at \(path).")
        }
        try Database.makeFile(at: path)
        let destination = try DatabaseQueue(path: path)
        try database.backup(to: destination)
        try destination.close()
    }

    func close() throws { try database.close() }
}
