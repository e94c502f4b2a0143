package import GRDB
import Synchronization

/// Group commit: transactions that wait for the database at the same time are written to the disk at once.
///
/// A commit waits for the disk. Meanwhile others gather, and the next takes up to thirty-two of them, each in a savepoint, so
/// that what one throws undoes that one alone. Who waits alone has a transaction of its own, as without this.
package final class GroupCommit: Sendable {
    private struct Work {
        let run: @Sendable (GRDB.Database) throws -> Void
        /// Called for the whole group before the first hears how it ended.
        let noteCommit: @Sendable () -> Void
        /// Says how it ended, with the error that undid the whole group, if there was one.
        let end: @Sendable ((any Error)?) -> Void
    }

    private final class Outcome<Value: Sendable>: Sendable {
        /// Nil until the work was done.
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Other features' writes wait behind a group.
    private static let maximumCount = 32

    private let database: any DatabaseWriter
    private let waiting = Mutex<[Work]>([])

    package init(database: any DatabaseWriter) { self.database = database }

    /// Returns after the commit. Who is cancelled meanwhile hears how it ended all the same.
    ///
    /// - Parameter committed: called after the commit and before the next begins
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (GRDB.Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            write(work, committed: committed) { continuation.resume(with: $0) }
        }
    }

    /// Calls `completion` once, on the writer's queue, after the commit: with what the work answered or threw, or with the error
    /// that undid the whole group.
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
                    // Also where the work itself threw: what it saw may be undone.
                    case (_, let error?): completion(.failure(error))
                    case (let result?, nil): completion(result)
                    case (nil, nil): preconditionFailure("A group was committed without one of its works.")
                    }
                }))
    }

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
        var undone: (any Error)?
        do {
            try database.inTransaction {
                if group.count == 1 {
                    for work in group { try work.run(database) }
                } else {
                    for work in group { try Self.runWithin(database, work) }
                }
                return .commit
            }
        } catch { undone = error }
        if undone == nil { for work in group { work.noteCommit() } }
        for work in group { work.end(undone) }
    }

    /// Throws what undoes the whole group, as a full disk does; what the work itself throws undoes only the work.
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
