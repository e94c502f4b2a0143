import Foundation
import GRDB
import Glibc
import Logging

/// What an operator does with the database as a whole.
struct DatabaseMaintenance: Sendable {
    let database: DatabasePool
    /// How the rows of each table are read.
    let stored: [StoredRows]
    let log: Logger

    func problems() async throws -> [String] {
        try await database.fetch { try DatabaseCheck.problems($0, stored) }
    }

    /// Copies the database to `path`, which gets the copy whole or not at all.
    ///
    /// Whoever ends the process meanwhile leaves only a file beside it that ends in ".part".
    /// - Throws: `RoostError.conflict` when the file exists
    func backup(to path: String) async throws {
        let isTaken = RoostError.conflict(field: "file", why: "There already is a file at \(path).")
        guard !FileManager.default.fileExists(atPath: path) else { throw isTaken }
        let draft = "\(path).\(UUID().uuidString.prefix(8)).part"
        try Database.makeFile(at: draft)
        defer {
            for file in [draft, draft + "-journal", draft + "-wal", draft + "-shm"] { unlink(file) }
        }
        let destination = try DatabaseQueue(path: draft)
        let copy = Result { try database.backup(to: destination) }
        let closing = Result { try destination.close() }
        try copy.get()
        try closing.get()
        // Unlike renaming, linking never replaces a file that has come meanwhile. Some file systems know no links.
        if link(draft, path) == 0 { return }
        guard errno != EEXIST else { throw isTaken }
        guard rename(draft, path) == 0 else {
            throw RoostError.unavailable(
                "The backup cannot be named \(path): \(String(cString: strerror(errno))).")
        }
    }

    /// Closes the database; its main file alone is whole then, unless another process still reads or the disk is full.
    func close() throws {
        do { try Database.close(database) } catch let error as DatabaseError {
            log.warning(
                "What was saved last is in roost.sqlite-wal: keep it beside roost.sqlite",
                metadata: ["error": "\(error)"])
        }
    }
}
