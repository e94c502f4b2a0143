import Glibc

/// What monitoring shows of the database.
package struct DatabaseFigures: Sendable {
    /// Read transactions, including those that failed.
    package let reads: DurationHistogram
    /// Write transactions, each with up to 32 writes, including the sync to disk.
    package let commits: DurationHistogram
    /// Writes that wait for their transaction.
    package let waitingWrites: Int
    package let fileBytes: Int
    /// Of the write-ahead log.
    package let logBytes: Int
    /// Nil if the data folder is missing.
    package let disk: DiskSpace?
}

extension Database {
    /// Throws if the database does not answer a query.
    package func ask() async throws {
        _ = try await read { try $0.database.value(Int.self, "SELECT 1 FROM sqlite_schema LIMIT 1") }
    }
}

enum FileSize {
    /// Returns the size in bytes, or 0 if there is no such file.
    static func of(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// The space on the disk of a folder.
package struct DiskSpace: Sendable {
    package let bytes: Int
    /// The space that a program without root's rights can use, in bytes.
    package let availableBytes: Int

    /// Returns nil if the folder is missing.
    package init?(of folder: String) {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        bytes = Int(status.f_blocks) * Int(status.f_frsize)
        availableBytes = Int(status.f_bavail) * Int(status.f_frsize)
    }
}
