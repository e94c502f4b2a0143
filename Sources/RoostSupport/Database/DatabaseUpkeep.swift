import Foundation
package import GRDB
import Glibc

/// Keeps the caches of the connections and the write-ahead log small while Roost runs.
package final class DatabaseUpkeep: Service {
    private let database: DatabasePool

    package init(database: DatabasePool) { self.database = database }

    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(60))
            guard !Task.isCancelled else { return }
            await cleanUp()
        }
    }

    /// Closes idle readers to free their caches (reopening takes a few milliseconds), and truncates a large log.
    package func cleanUp() async {
        database.invalidateReadOnlyConnections()
        try? await shortenLog()
    }

    /// Truncates the log. While there is always a reader, SQLite never restarts its log; here writers wait for readers
    /// once.
    private func shortenLog() async throws {
        let log = try FileManager.default.attributesOfItem(atPath: LogMark.path(ofDatabaseAt: database.path))
        guard let bytes = log[.size] as? Int, bytes > Database.maximumLogBytes else { return }
        try await database.writeWithoutTransaction { database in
            // A long-running reader, such as a backup, keeps frames in the log. Do not make writers wait for it.
            let copied = try database.checkpoint(.passive)
            guard copied.walFrameCount == copied.checkpointedFrameCount else { return }
            try database.checkpoint(.truncate)
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
