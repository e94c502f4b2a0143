import Glibc

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
