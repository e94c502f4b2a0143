import GRDB
import Synchronization

/// Lets all reads of one request share a transaction, over a connection that is only handed out to it.
///
/// A page counts what waits in each feature and reads its own rows: six transactions, each with a queue and two statements to
/// compile, took more than a third of the watchlist's page. A read that follows a commit of this process begins another
/// transaction, so that it sees what was committed.
package final class SharedReads: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var count = 0
        var isClosed = false
    }

    let database: DatabasePool
    private let commits = CommitCount()
    private let state = Mutex(State())

    init(_ database: DatabasePool) {
        self.database = database
        database.add(transactionObserver: commits, extent: .databaseLifetime)
    }

    /// Does the work; what it reads in this task and in tasks that belong to it is read together, until it ends.
    package func sharing<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let read = SharedRead(self)
        defer { read.end() }
        return try await SharedRead.$current.withValue(read) { try await work() }
    }

    /// Closes the connections that are free; the others are closed as they come back. One that cannot be closed holds
    /// nothing that is not on the disk.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { try? connection.close() }
    }

    /// How often this process has committed.
    fileprivate var commitCount: Int { commits.count.load(ordering: .acquiring) }

    /// A connection for one request alone; nil where as many are taken as the pool may have.
    fileprivate func take() throws -> DatabaseQueue? {
        enum Found { case idle(DatabaseQueue), room, nothing }
        let found = state.withLock { state -> Found in
            guard !state.isClosed else { return .nothing }
            if let connection = state.idle.popLast() { return .idle(connection) }
            guard state.count < database.configuration.maximumReaderCount else { return .nothing }
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

    /// One that could not be opened or used is counted no more.
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
    private let state = Mutex(State.unused)

    fileprivate init(_ reads: SharedReads) { self.reads = reads }

    /// Reads in the request's transaction; nil where it has none, because another database is asked, the request has ended or no
    /// connection is left. It blocks the thread.
    func read<Value: Sendable>(
        _ database: some DatabaseReader, _ work: @Sendable (GRDB.Database) throws -> Value
    ) throws -> Value? {
        guard database === reads.database else { return nil }
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

    /// Ends the transaction; what the request's tasks read from now on is read over the pool.
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
