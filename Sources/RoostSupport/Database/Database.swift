import Foundation
package import GRDB
package import Logging
import Synchronization

/// Roost's one SQLite database. `read` and `write` run one transaction each.
package final class Database: Sendable {
    package static let fileName = "roost.sqlite"
    /// SQLite copies the log into the main file every 1,000 pages (4 MB), so that it rarely gets this large.
    static let maximumLogBytes = 8 << 20

    package struct Preparation: Sendable {
        package let prepare: @Sendable (GRDB.Database) -> Void

        package init(_ prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }) {
            self.prepare = prepare
        }
    }

    package let pool: DatabasePool
    private let file: OpenedFile
    private let commits: GroupCommit
    private let feed: ChangeFeed
    /// When changes made since the start of the program can no longer be undone.
    private let undoExpirations: SteadyExpirations<UndoID>
    private let log: Logger
    /// Counts the writes, in the order of their transactions, and how many of them are committed.
    private let writeCount = Atomic<Int>(0)
    private let committedCount = Atomic<Int>(0)
    private let reading = Mutex(DurationHistogram())

    package init(_ pool: DatabasePool, feed: ChangeFeed, clock: WallClock = WallClock(), log: Logger) {
        self.pool = pool
        file = OpenedFile(path: pool.path)
        commits = GroupCommit(database: pool)
        self.feed = feed
        undoExpirations = SteadyExpirations(clock: clock)
        self.log = log
    }

    /// Runs `work` in a read transaction, so that everything it reads is from the moment of its first query. Throws what
    /// `work` throws, and database errors as `RoostError`.
    ///
    /// It runs on the current thread if the task runs on threads that may block, as requests do. Other tasks, which run
    /// on Swift's own threads, read on separate threads.
    package func read<Value>(_ work: (Reads) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let mayBlock = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
        guard !mayBlock, Self.readers.start() else { return try readNow(work) }
        return try await withTaskExecutorPreference(Self.readers) {
            try Task.checkCancellation()
            return try readNow(work)
        }
    }

    private static let readers = TaskThreads(count: 2)

    private func readNow<Value>(_ work: (Reads) throws -> Value) throws -> Value {
        let feedPosition = feed.position
        let start = ContinuousClock.now
        defer { reading.withLock { $0.add(.now - start) } }
        do {
            return try pool.unsafeRead { database in
                try Self.transaction(database) {
                    try work(Reads(database, feedPosition: feedPosition, undoExpirations: undoExpirations))
                }
            }
        } catch { throw described(error, "Couldn’t read the database. Please try again.") }
    }

    /// The same on the current thread, which must be one that may block. Returns nil inside another `read` or `write`,
    /// whose moment may be older.
    package func readUnlessNested<Value>(_ work: (Reads) throws -> Value) throws -> Value? {
        try pool.unsafeReentrantRead { database in
            guard !database.isInsideTransaction else { return nil }
            return try Self.transaction(database) {
                try work(Reads(database, undoExpirations: undoExpirations))
            }
        }
    }

    private static func transaction<Value>(
        _ database: GRDB.Database, _ work: () throws -> Value
    ) throws -> Value {
        // Statements that stay compiled: GRDB's own transactions take longer than most reads.
        try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        let result = Result { try work() }
        // SQLite itself ends a transaction after some errors.
        if database.isInsideTransaction {
            try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
        }
        return try result.get()
    }

    /// Runs `work` in a write transaction, and returns once it is committed and its topics are published. Writes that
    /// are queued at the same time share a commit; an error undoes only its own write. Throws what `work` throws, and
    /// database errors as `RoostError`. Cancelling the task after the start has no effect.
    /// Refuses if the file is no longer in its folder, where the change would be lost.
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (Writes) throws -> Value
    ) async throws -> Value {
        guard file.isInPlace else { throw RoostError.dataFolderMissing(RoostError.missingFolder) }
        let (value, effects): (Value, Writes.Effects)
        let first = FirstWrite.current?.take()
        do {
            (value, effects, _) = try await commits.write { [self] database in
                let writes = Writes(database, undoExpirations: undoExpirations)
                try first?(writes)
                let value = try work(writes)
                return (value, writes.effects, writeCount.add(1, ordering: .relaxed).newValue)
            } committed: { [self] _, effects, number in
                committedCount.store(number, ordering: .releasing)
                for action in effects.actions { action() }
            }
        } catch {
            if first != nil { FirstWrite.current?.giveBack() }
            throw described(error, "Couldn’t save. Please try again.")
        }
        let topics = effects.topics.sorted() + effects.laterTopics.flatMap { $0() }
        if !topics.isEmpty { feed.publish(topics) }
        return value
    }

    /// How many writes are committed. Whatever is read later contains them.
    package var commitCount: Int { committedCount.load(ordering: .acquiring) }

    /// Returns whether there was no write since. For `FirstWrite` only, which no other write overtakes.
    package func isUnchanged(since count: Int) -> Bool { writeCount.load(ordering: .relaxed) == count }

    /// For monitoring.
    package var figures: DatabaseFigures {
        DatabaseFigures(
            reads: reading.withLock(\.self), commits: commits.durations, waitingWrites: commits.waitingCount,
            fileBytes: FileSize.of(pool.path), logBytes: FileSize.of(pool.path + "-wal"),
            disk: DiskSpace(of: String(pool.path.dropLast(Self.fileName.utf8.count + 1))))
    }

    /// Logs a database error and gives it a message for the user. See `Logger.databaseFailure`.
    private func described(_ error: any Error, _ message: String) -> any Error {
        let described = RoostError(storage: error)
        guard described != nil || error is DatabaseError else { return error }
        log.error("The database could not be used", metadata: ["error": "\(error)"])
        return described ?? .unavailable(message)
    }

    /// Opens the database in `folder`, creating it if necessary (mode 0600, in a folder of mode 0700), and migrates it.
    ///
    /// It uses WAL with `synchronous=FULL`, so acknowledged writes survive a power cut.
    /// - Parameters:
    ///   - migrator: all migrations
    ///   - backups: where to copy an existing database before migrations; nil makes no copy
    ///   - maximumPages: SQLite's `max_page_count`, with which tests fill the database
    ///   - prepare: called with each connection, for tests that watch its statements
    /// - Throws: `RoostError.unavailable` for the database of a newer version or of another program, and
    ///   `.databaseDamaged` with the path and the remedy
    package static func open(
        in folder: String, migrator: DatabaseMigrator, backups: DatabaseBackups.Configuration? = nil,
        maximumPages: Int? = nil, log: Logger = Logger(label: "roost"),
        prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }
    ) throws -> DatabasePool {
        try DataFolder.prepare(folder)
        let path = folder + "/" + fileName
        if !FileManager.default.fileExists(atPath: path) {
            try FolderOwner.checkAccess(to: folder, file: path)
            try makeFile(at: path)
            // SQLite gives the files next to it the same owner.
            FolderOwner.give(path)
            try letShrink(path)
        }
        do {
            let pool = try makePool(path, maximumPages, prepare)
            let isOld = try pool.read { database in
                try DatabaseSchema.refuseOther(database, than: migrator, path: path, mayBeEmpty: true)
                return try !migrator.appliedIdentifiers(database).isEmpty
                    && !migrator.hasCompletedMigrations(database)
            }
            if isOld, let backups { try DatabaseBackups.copy(pool, backups, log: log) }
            try migrator.migrate(pool)
            if isOld, let backups { DatabaseBackups.deleteExpired(backups, log) }
            return pool
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            log.debug("The database cannot be opened", metadata: ["error": "\(error)"])
            throw RoostError.databaseDamaged(damage(of: path, newestBackup: backups?.newest))
        }
    }

    /// Tells the operator how to repair a damaged file.
    package static func damage(of path: String, newestBackup: String?) -> String {
        let backup = newestBackup.map { " The newest one is \($0)." } ?? ""
        return """
            \(path) is damaged or isn't a database. `roost check` shows what is damaged. Stop Roost and restore a \
            backup with `roost restore FILE --force`, which keeps the current file next to it.\(backup)
            """
    }

    /// Makes a new file able to shrink later. This must happen before it has tables.
    private static func letShrink(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    private static func makePool(
        _ path: String, _ maximumPages: Int?, _ prepare: @escaping @Sendable (GRDB.Database) -> Void
    ) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        // Four request threads, two for heavy work and two for background work.
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { database in
            SearchIndexTokenizer.register(database)
            prepare(database)
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // In KiB, for each of at most eight readers: SQLite's default of 2,000 is too small for 10,000 bookmarks.
            try database.execute(sql: "PRAGMA cache_size = -4000")
            // In bytes. A log that grew while a reader kept it in use shrinks to this size when it is reused.
            try database.execute(sql: "PRAGMA journal_size_limit = \(maximumLogBytes)")
            if let maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The writer reads little that it does not change; a larger cache would only fill slowly.
        try pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -2000")
        }
        return pool
    }

    /// In seconds; how long a write waits for another process's.
    private static let busyTimeout = 5.0

    /// Moves the log into the main file and empties it, unless a reader needs it for longer than a moment: another
    /// process, such as Litestream, may read for hours, and all writes would wait for it.
    static func emptyLog(_ database: GRDB.Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 250")
        let checkpoint = Result { try database.checkpoint(.truncate) }
        try database.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout * 1_000))")
        _ = try checkpoint.get()
    }

    /// Closes the database after moving the whole log into the main file.
    ///
    /// Throws if the log could not be moved, because of a reader in another process or a full disk. The database is
    /// closed then too, and the rest stays in the log.
    package static func close(_ pool: DatabasePool) throws {
        // SQLite removes the log with the last connection, provided that it can write: so close the readers first.
        pool.invalidateReadOnlyConnections()
        let checkpoint = Result {
            try pool.writeWithoutTransaction { database in
                // Nil if the pool has been closed before; a checkpoint would then use a closed connection.
                guard database.sqliteConnection != nil else { return }
                try emptyLog(database)
            }
        }
        try pool.close()
        try checkpoint.get()
    }

    static func makeFile(at path: String) throws {
        let isCreated = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isCreated else { throw RoostError.unavailable("The file \(path) could not be made.") }
    }
}

/// A named step of the schema. Released migrations are never changed; changes are added as new migrations.
package struct Migration: Sendable {
    package let name: String
    package let run: @Sendable (GRDB.Database) throws -> Void

    package init(_ name: String, run: @escaping @Sendable (GRDB.Database) throws -> Void) {
        self.name = name
        self.run = run
    }

    package init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }
}

extension Logger {
    /// Logs why background work on the database failed, unless `Database` has logged it: then it is a `RoostError`.
    package func databaseFailure(_ message: Logger.Message, _ error: any Error) {
        guard !(error is RoostError) else { return }
        self.error(message, metadata: ["error": "\(error)"])
    }
}
