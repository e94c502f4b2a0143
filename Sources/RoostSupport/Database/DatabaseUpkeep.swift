import Foundation
package import GRDB
import Glibc

/// Keeps the memory of the database's connections and its write-ahead log small while Roost runs.
package final class DatabaseUpkeep: Service {
    private let database: DatabasePool
    private let reads: SharedReads

    package init(database: DatabasePool, reads: SharedReads) {
        self.database = database
        self.reads = reads
    }

    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(60))
            guard !Task.isCancelled else { return }
            await tidy()
        }
    }

    /// Closes idle readers with their caches, which takes a few milliseconds to undo, and shortens a log that has grown.
    package func tidy() async {
        reads.closeIdle()
        // Readers that are in use close after their read.
        database.invalidateReadOnlyConnections()
        try? await shortenLog()
    }

    /// With readers at every moment SQLite never gets to start its log from the beginning: then writers wait for them once.
    private func shortenLog() async throws {
        let log = try FileManager.default.attributesOfItem(atPath: LogMark.path(ofDatabaseAt: database.path))
        guard let bytes = log[.size] as? Int, bytes > Database.maximumLogBytes else { return }
        try await database.writeWithoutTransaction { database in
            // A reader that stays for long, such as a backup, keeps frames in the log. Do not make writers wait for it.
            let copied = try database.checkpoint(.passive)
            guard copied.walFrameCount == copied.checkpointedFrameCount else { return }
            try database.checkpoint(.truncate)
        }
    }
}

/// What a commit changes of the write-ahead log, as the file system shows it: a microsecond's question.
package struct LogMark: Equatable, Sendable {
    private let seconds, nanoseconds, size, file: Int

    /// Nil while there is no log.
    ///
    /// - Parameter path: of the log
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        (size, file) = (Int(status.st_size), Int(status.st_ino))
    }

    /// The log of the database file at `path`.
    package static func path(ofDatabaseAt path: String) -> String { path + "-wal" }

    /// False for a log that was written in the last seconds: another commit could bear the same time, since the clock
    /// of a file system ticks slowly (on FAT every two seconds).
    package var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec - seconds > 2
    }
}
