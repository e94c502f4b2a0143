import Foundation
package import GRDB
import Glibc
package import Logging

/// Keeps the caches of the connections, the write-ahead log and the file small while Roost runs.
package final class DatabaseUpkeep: Service {
    /// The file shrinks when more than a fifth of its pages are free, until a twentieth is.
    private static let (worthwhile, enough) = (5, 20)
    /// Pages; a megabyte is not worth the work.
    private static let minimumPages = 256
    /// Pages to release in one write, which takes a few milliseconds.
    private static let batch = 200

    private let database: DatabasePool
    private let log: Logger

    package init(database: DatabasePool, log: Logger) {
        self.database = database
        self.log = log
    }

    /// Rewrites the file of an earlier version once, before anyone uses it: only then can it shrink in small steps.
    package func load() async throws {
        let pages = try await database.read(Pages.init)
        guard !pages.canShrink else { return }
        let bytes = pages.bytes
        // The new file is made in the temporary folder, and its pages then pass through the log.
        let temporary = FreeSpace.bytes(in: FileManager.default.temporaryDirectory.path) ?? 0
        let room = FreeSpace.bytes(in: (database.path as NSString).deletingLastPathComponent) ?? 0
        guard temporary > bytes + bytes / 4, room > 2 * bytes + bytes / 2 else {
            log.warning(
                "The database cannot shrink yet. Rewriting it once needs \(bytes * 5 / 2 >> 20) MB of room.")
            return
        }
        log.notice(
            "Rewriting the database once, so that it can shrink later", metadata: ["bytes": "\(bytes)"])
        do {
            try await database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
                // Sets busy when another process reads, which empties the log later.
                try? Database.emptyLog(database)
            }
        } catch let error as DatabaseError where error.resultCode != .SQLITE_CORRUPT {
            log.warning("The database could not be rewritten", metadata: ["error": "\(error)"])
        }
    }

    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(60))
            guard !Task.isCancelled else { return }
            await cleanUp()
        }
    }

    /// Closes idle readers to free their caches (reopening takes a few milliseconds), truncates a large log, and
    /// returns free pages to the file system.
    package func cleanUp() async {
        database.invalidateReadOnlyConnections()
        try? await shortenLog()
        try? await releaseFreePages()
    }

    /// Shrinks the file in short writes, between which others take place. SQLite cuts the file at a checkpoint.
    private func releaseFreePages() async throws {
        let pages = try await database.read(Pages.init)
        guard pages.canShrink, pages.free > max(Self.minimumPages, pages.all / Self.worthwhile) else {
            return
        }
        var left = pages
        while left.free > left.all / Self.enough, !Task.isCancelled {
            left = try await database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA incremental_vacuum(\(Self.batch))")
                return try Pages(database)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        log.info("The database shrank", metadata: ["from": "\(pages.bytes)", "to": "\(left.bytes)"])
    }

    private struct Pages: Sendable {
        let all, free, bytes: Int
        let canShrink: Bool

        init(_ database: GRDB.Database) throws {
            func number(_ name: String) throws -> Int {
                try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
            }
            all = try number("page_count")
            free = try number("freelist_count")
            bytes = try all * number("page_size")
            canShrink = try number("auto_vacuum") == 2
        }
    }

    /// Truncates the log. While there is always a reader, SQLite never restarts its log; here writers wait for readers
    /// once, for a moment.
    private func shortenLog() async throws {
        let log = try FileManager.default.attributesOfItem(atPath: LogMark.path(ofDatabaseAt: database.path))
        guard let bytes = log[.size] as? Int, bytes > Database.maximumLogBytes else { return }
        try await database.writeWithoutTransaction { database in
            // A long-running reader, such as a backup, keeps frames in the log. Do not make writers wait for it.
            let copied = try database.checkpoint(.passive)
            guard copied.walFrameCount == copied.checkpointedFrameCount else { return }
            try Database.emptyLog(database)
        }
    }
}

/// The state of the write-ahead log's file, which changes with each commit. Reading it takes a microsecond.
package struct LogMark: Equatable, Sendable {
    private let seconds, nanoseconds, size, file: Int

    /// Returns nil if there is no log.
    ///
    /// - Parameter path: the path of the log
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        (size, file) = (Int(status.st_size), Int(status.st_ino))
    }

    package static func path(ofDatabaseAt path: String) -> String { path + "-wal" }

    /// False if the log was written in the last two seconds. The clock of a file system is coarse (two seconds on FAT),
    /// so another commit could get the same time.
    package var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - seconds > 2
    }
}
