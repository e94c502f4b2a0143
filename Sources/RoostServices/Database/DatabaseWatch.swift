import GRDB
import Glibc
import Synchronization

/// Notices that another process, such as `roost token revoke`, has written to the database.
final class DatabaseWatch: Sendable {
    /// What a commit changes of the write-ahead log, as the file system shows it.
    private struct Mark: Equatable {
        let seconds, nanoseconds, size, file: Int
    }

    private struct Known {
        var mark: Mark?
        var version: Int?
    }

    private let database: any DatabaseWriter
    private let log: String
    private let known = Mutex(Known())

    /// - Parameter path: of the database file
    init(database: any DatabaseWriter, path: String) {
        self.database = database
        log = path + "-wal"
    }

    /// Begins to hear of this process's own commits.
    func listen() { database.add(transactionObserver: OwnCommits(self), extent: .databaseLifetime) }

    /// After a commit of this process, so that its own writing makes nobody look.
    ///
    /// What another process commits in the very same microseconds is taken over by `run`, within a second.
    func noteOwnCommit() {
        let mark = mark()
        known.withLock { $0.mark = mark }
    }

    /// True when another process may have written since the last look: a microsecond's question.
    var mayHaveChanged: Bool {
        let mark = mark()
        return known.withLock { $0.mark != mark }
    }

    /// Calls back if it was another process that wrote; what it wrote before this call is then taken over.
    func catchUp(changed: () async -> Void) async {
        let mark = mark()
        guard let version = try? await version() else { return }
        if known.withLock({ $0.version != version }) { await changed() }
        known.withLock { $0 = Known(mark: mark, version: version) }
    }

    /// Looks every second until cancelled, for the sake of pages that only wait.
    func run(changed: () async -> Void) async {
        while !Task.isCancelled {
            await catchUp(changed: changed)
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// SQLite's `data_version` stays the same for commits of the connection that asks: here the only writer's.
    private func version() async throws -> Int? {
        try await database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
    }

    private func mark() -> Mark? {
        var status = stat()
        guard stat(log, &status) == 0 else { return nil }
        return Mark(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: Int(status.st_size),
            file: Int(status.st_ino))
    }
}

/// Tells the watch of this process's own commits; it is called on the writer's queue only.
final class OwnCommits: TransactionObserver {
    private let watch: DatabaseWatch
    private var isFirst = false

    init(_ watch: DatabaseWatch) { self.watch = watch }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ database: GRDB.Database) {}

    /// While this process holds the write lock: what differs now, another one has written before.
    func databaseWillCommit() { isFirst = !watch.mayHaveChanged }
    func databaseDidCommit(_ database: GRDB.Database) { if isFirst { watch.noteOwnCommit() } }
}
