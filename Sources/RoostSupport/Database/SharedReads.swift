package import GRDB
import Glibc
import Synchronization

/// Lets the reads of one request share a transaction, over a connection of its own, until the request waits for anything.
///
/// A page counts what waits in each feature and reads its own rows: six transactions, each with a queue and two statements to
/// compile, took more than a third of the watchlist's page. A read that follows a commit of this process begins another
/// transaction, so that it sees what was committed.
///
/// SQLite cannot reuse its log while a transaction is open, so a transaction must not stay open while a request waits for
/// GitHub, a turn or a disk.
package final class SharedReads: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var count = 0
        var isClosed = false
    }

    /// No more requests than this read at the same moment over connections of their own; others use the pool.
    private static let maximumConnections = 4

    let database: DatabasePool
    private let commits = CommitCount()
    private let state = Mutex(State())

    package init(_ database: DatabasePool) {
        self.database = database
        database.add(transactionObserver: commits, extent: .databaseLifetime)
    }

    /// Does the work. What it reads before it first suspends is read in one transaction; later reads use the pool.
    package func sharing<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let read = SharedRead(self)
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addImmediateTask {
                try await SharedRead.$current.withValue(read) { try await work() }
            }
            // An immediate task returns here when it has ended or suspended.
            read.end()
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    /// Closes the connections that no request uses, with their caches.
    func closeIdle() {
        let idle = state.withLock { state in
            state.count -= state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { try? connection.close() }
    }

    /// Closes the idle connections; the others are closed when their requests end. One that cannot be closed holds nothing that
    /// is not on the disk.
    package func close() {
        state.withLock { $0.isClosed = true }
        closeIdle()
    }

    /// How often this process has committed.
    fileprivate var commitCount: Int { commits.count.load(ordering: .acquiring) }

    /// A connection for one request alone, or nil if all are in use.
    fileprivate func take() throws -> DatabaseQueue? {
        enum Found { case idle(DatabaseQueue), room, nothing }
        let found = state.withLock { state -> Found in
            guard !state.isClosed else { return .nothing }
            if let connection = state.idle.popLast() { return .idle(connection) }
            guard state.count < Self.maximumConnections else { return .nothing }
            state.count += 1
            return .room
        }
        switch found {
        case .idle(let connection): return connection
        case .nothing: return nil
        case .room:
            do { return try open() } catch {
                drop()
                throw error
            }
        }
    }

    /// Stops counting a connection that could not be opened or used.
    fileprivate func drop() { state.withLock { $0.count -= 1 } }

    fileprivate func giveBack(_ connection: DatabaseQueue) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
            return state.isClosed
        }
        if isClosed { try? connection.close() }
    }

    private func open() throws -> DatabaseQueue {
        var configuration = database.configuration
        configuration.readonly = true
        // A transaction lasts from one read to the next.
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: database.path, configuration: configuration)
    }
}

/// What one request reads. Its connection is taken with the first read.
final class SharedRead: Sendable {
    private enum State {
        case unused, ended
        /// - Parameter commits: as many had been made when the transaction began
        case reading(DatabaseQueue, commits: Int)
    }

    /// The request's that this task belongs to.
    @TaskLocal static var current: SharedRead?

    private let reads: SharedReads
    /// The thread on which the request began; it leaves that thread when it suspends.
    private let thread = pthread_self()
    private let state = Mutex(State.unused)

    fileprivate init(_ reads: SharedReads) { self.reads = reads }

    /// Reads in the request's transaction. Returns nil if it has none: for another database, after the request has suspended, or
    /// while all connections are in use. It blocks the thread.
    func read<Value: Sendable>(
        _ database: some DatabaseReader, _ work: @Sendable (GRDB.Database) throws -> Value
    ) throws -> Value? {
        guard thread == pthread_self(), database === reads.database else { return nil }
        return try state.withLock { state in
            // Asked before the transaction begins: what is committed meanwhile begins another.
            let commits = reads.commitCount
            switch state {
            case .ended: return nil
            case .reading(let connection, let known):
                state = .reading(connection, commits: commits)
                return try connection.unsafeRead { database in
                    if known != commits, database.isInsideTransaction { try Self.commit(database) }
                    return try Self.read(database, work)
                }
            case .unused:
                guard let connection = try reads.take() else {
                    state = .ended
                    return nil
                }
                state = .reading(connection, commits: commits)
                return try connection.unsafeRead { try Self.read($0, work) }
            }
        }
    }

    /// Ends the transaction and returns the connection.
    fileprivate func end() {
        state.withLock { state in
            guard case .reading(let connection, _) = state else { return state = .ended }
            state = .ended
            do {
                try connection.unsafeRead { if $0.isInsideTransaction { try Self.commit($0) } }
                reads.giveBack(connection)
            } catch {
                reads.drop()
            }
        }
    }

    private static func read<Value: Sendable>(
        _ database: GRDB.Database, _ work: @Sendable (GRDB.Database) throws -> Value
    ) throws -> Value {
        if !database.isInsideTransaction {
            try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        }
        return try work(database)
    }

    private static func commit(_ database: GRDB.Database) throws {
        try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
    }
}

/// Counts the commits of this process's one writer; each is counted before its write returns.
private final class CommitCount: TransactionObserver, Sendable {
    let count = Atomic(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: GRDB.Database) { count.add(1, ordering: .releasing) }
    func databaseDidRollback(_ database: GRDB.Database) {}
}
