package import GRDB
import Synchronization

/// Group commit: writes that queue up at the same time share one transaction and one sync to disk.
///
/// While one commit waits for the disk, further writes queue up. The next transaction runs up to 32 of them, each in a
/// savepoint, so an error undoes only its own write. A single write gets its own transaction.
package final class GroupCommit: Sendable {
    private struct Work {
        let run: @Sendable (GRDB.Database) throws -> Void
        let noteCommit: @Sendable () -> Void
        let end: @Sendable ((any Error)?) -> Void
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// A limit, because writes of other features wait for the group to finish.
    private static let maximumCount = 32

    private let database: any DatabaseWriter
    private let waiting = Mutex<[Work]>([])
    private let committing = Mutex(DurationHistogram())

    package init(database: any DatabaseWriter) { self.database = database }

    /// Runs `work` and returns after the commit. Cancelling the task after the start has no effect.
    ///
    /// - Parameter committed: called after the commit and before the next one begins
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (GRDB.Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            write(work, committed: committed) { continuation.resume(with: $0) }
        }
    }

    /// Calls `completion` once, on the writer's queue, after the commit: with the work's result or error, or with the
    /// error that undid the whole group.
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (GRDB.Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in },
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let outcome = Outcome<Value>()
        add(
            Work(
                run: { database in
                    let result = Result { try work(database) }
                    outcome.result.withLock { $0 = result }
                    _ = try result.get()
                },
                noteCommit: {
                    if case .success(let value) = outcome.result.withLock(\.self) { committed(value) }
                },
                end: { error in
                    let result = outcome.result.withLock(\.self)
                    switch (result, error) {
                    case (.failure(let own as DatabaseError), _): completion(.failure(own))
                    // Also if the work itself threw: it may have read changes that were undone.
                    case (_, let error?): completion(.failure(error))
                    case (let result?, nil): completion(result)
                    case (nil, nil): preconditionFailure("A group was committed without one of its works.")
                    }
                }))
    }

    /// How long the transactions took, with the sync to disk.
    var durations: DurationHistogram { committing.withLock(\.self) }

    var waitingCount: Int { waiting.withLock(\.count) }

    private func add(_ work: Work) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(work)
            return waiting.count == 1
        }
        if isFirst { begin() }
    }

    private func begin() { database.asyncWriteWithoutTransaction { self.writeGroup($0) } }

    private func writeGroup(_ database: GRDB.Database) {
        let (group, hasMore) = waiting.withLock { waiting in
            let group = waiting.prefix(Self.maximumCount)
            waiting.removeFirst(group.count)
            return (group, !waiting.isEmpty)
        }
        if hasMore { begin() }
        var groupError: (any Error)?
        let start = ContinuousClock.now
        do {
            try database.inTransaction {
                if group.count == 1 {
                    for work in group { try work.run(database) }
                } else {
                    for work in group { try Self.runWithin(database, work) }
                }
                return .commit
            }
        } catch { groupError = error }
        committing.withLock { $0.add(.now - start) }
        if groupError == nil { for work in group { work.noteCommit() } }
        for work in group { work.end(groupError) }
    }

    /// Runs the work in a savepoint. An error of the work undoes only the work; an error that ends the transaction,
    /// such as a full disk, is thrown and undoes the whole group.
    private static func runWithin(_ database: GRDB.Database, _ work: Work) throws {
        try database.inSavepoint {
            do { try work.run(database) } catch {
                guard database.isInsideTransaction else { throw error }
                return .rollback
            }
            return .commit
        }
    }
}
