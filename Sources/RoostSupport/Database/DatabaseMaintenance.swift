import Foundation
package import GRDB
import Glibc
package import Logging

/// What an operator does with the database as a whole.
package struct DatabaseMaintenance: Sendable {
    let database: DatabasePool
    let check: DatabaseCheck
    let log: Logger

    package init(database: DatabasePool, check: DatabaseCheck, log: Logger) {
        self.database = database
        self.check = check
        self.log = log
    }

    package func problems() async throws -> [String] {
        try await database.fetch { try check.problems($0) }
    }

    /// Copies the database to `path`, which gets a whole and sound copy or none: SQLite copies damaged pages without an error, so
    /// the copy is checked before it gets its name.
    ///
    /// If the process is killed, only a file that ends in ".part" is left.
    /// - Throws: `RoostError.conflict` when the file exists, and `.databaseDamaged` when the copy fails the check
    package func backup(to path: String) async throws {
        let isTaken = RoostError.conflict(field: "file", why: "There already is a file at \(path).")
        guard !FileManager.default.fileExists(atPath: path) else { throw isTaken }
        let draft = "\(path).\(UUID().uuidString.prefix(8)).part"
        try Database.makeFile(at: draft)
        defer {
            for file in [draft, draft + "-journal", draft + "-wal", draft + "-shm"] { unlink(file) }
        }
        do { try copy(to: draft) } catch let error as DatabaseError
            where [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            throw Self.noBackup("the database cannot be read: \(error.message ?? "SQLite says no more")")
        }
        if let problem = try await check.faults(ofCopyAt: draft).first {
            let detail = problem.replacing(draft, with: "the copy").replacing("\n", with: " ")
            throw Self.noBackup("the copy failed the check: \(detail)")
        }
        // Unlike renaming, linking never replaces a file that has come meanwhile. Some file systems know no links.
        if link(draft, path) == 0 { return }
        guard errno != EEXIST else { throw isTaken }
        guard rename(draft, path) == 0 else {
            throw RoostError.unavailable(
                "The backup cannot be named \(path): \(String(cString: strerror(errno))).")
        }
    }

    /// Closes the copy, so that the check reads what is in the file.
    private func copy(to path: String) throws {
        let destination = try DatabaseQueue(path: path)
        let copy = Result { try database.backup(to: destination) }
        let closing = Result { try destination.close() }
        try copy.get()
        try closing.get()
    }

    private static func noBackup(_ reason: String) -> RoostError {
        .databaseDamaged(
            """
            No backup was made, because \(reason). Keep your earlier backups, run `roost check`, and restore the \
            last good backup.
            """)
    }

    /// Closes the database; its main file alone is whole then, unless another process still reads or the disk is full.
    package func close() throws {
        do { try Database.close(database) } catch let error as DatabaseError {
            log.warning(
                "What was saved last is in roost.sqlite-wal: keep it beside roost.sqlite",
                metadata: ["error": "\(error)"])
        }
    }
}
