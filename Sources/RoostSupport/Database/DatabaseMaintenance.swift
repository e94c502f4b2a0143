import Dispatch
import Foundation
package import GRDB
package import Logging
import Synchronization

/// The operator's tasks for the whole database.
package struct DatabaseMaintenance: Sendable {
    let database: DatabasePool
    let check: DatabaseCheck
    let log: Logger

    /// Copying blocks a thread for seconds.
    private static let queue = DispatchQueue(label: "roost.backup", qos: .utility, attributes: .concurrent)

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
        let draft = try DraftCopy(of: path)
        defer { draft.discard() }
        do { try await fill(draft) } catch let error as DatabaseError
            where [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            throw Self.noBackup("the database cannot be read: \(error.message ?? "SQLite gave no reason")")
        }
        if let problem = try await check.faults(ofCopyAt: draft.file).first {
            let detail = problem.replacing(draft.file, with: "the copy").replacing("\n", with: " ")
            throw Self.noBackup("the copy failed the check: \(detail)")
        }
        try draft.publish()
    }

    private func fill(_ draft: DraftCopy) async throws {
        let isCancelled = Atomic(false)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async {
                    continuation.resume(
                        with: Result {
                            try draft.fill(from: database) { isCancelled.load(ordering: .relaxed) }
                        })
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
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
