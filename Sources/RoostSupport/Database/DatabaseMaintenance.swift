import Foundation
package import GRDB
import Glibc
package import Logging

/// The operator's tasks for the whole database.
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
        try await database.read { [check] in try check.problems($0) }
    }

    /// Copies the database to `path`. The copy is checked before it gets its name, because SQLite copies damaged pages
    /// without an error.
    ///
    /// If the process is killed, it leaves only a file that ends in ".part".
    /// - Throws: `RoostError.conflict` if the file exists, and `.databaseDamaged` if the copy fails the check
    package func backup(to path: String) async throws {
        let conflict = RoostError.conflict(field: "file", why: "There is already a file at \(path).")
        guard !FileManager.default.fileExists(atPath: path) else { throw conflict }
        let draft = "\(path).\(UUID().uuidString.prefix(8)).part"
        try Database.makeFile(at: draft)
        defer {
            for file in [draft, draft + "-journal", draft + "-wal", draft + "-shm"] { unlink(file) }
        }
        do { try copy(to: draft) } catch let error as DatabaseError
            where [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            throw Self.noBackup("the database cannot be read: \(error.message ?? "SQLite gave no reason")")
        }
        if let problem = try await check.faults(ofCopyAt: draft).first {
            let detail = problem.replacing(draft, with: "the copy").replacing("\n", with: " ")
            throw Self.noBackup("the copy failed the check: \(detail)")
        }
        // Unlike rename, link never replaces a file that was created in the meantime. Some file systems have no links.
        if link(draft, path) == 0 { return }
        guard errno != EEXIST else { throw conflict }
        guard rename(draft, path) == 0 else {
            throw RoostError.unavailable(
                "The backup cannot be named \(path): \(String(cString: strerror(errno))).")
        }
    }

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

    /// Closes the database and moves the log into its main file, unless another process still reads or the disk is
    /// full.
    package func close() throws {
        do { try Database.close(database) } catch let error as DatabaseError {
            log.warning(
                "The latest changes are in roost.sqlite-wal: keep it next to roost.sqlite",
                metadata: ["error": "\(error)"])
        }
    }
}
