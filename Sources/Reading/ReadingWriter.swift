import Foundation
import Logging
import RoostSupport

/// Changes users' reading lists in transactions, and tells who shows them.
struct ReadingWriter: Sendable {
    let store: ReadingStore
    /// When changes that were made since the program started can no longer be taken back.
    let undoEnds: SteadyEnds<Int64>
    let feed: ChangeFeed
    let clock: WallClock
    let log: Logger

    /// To the millisecond, as JSON has it.
    var now: Date {
        Date(timeIntervalSince1970: (clock.now().timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }

    /// Commits, and publishes the users' topics; errors come in words.
    func write<Value: Sendable>(
        for users: UserID..., work: @escaping @Sendable (ReadingTransaction) throws -> Value
    ) async throws -> Value {
        let value = try await inWords { try await store.write(at: now, work) }
        feed.publish(users.map(Topic.reading))
        return value
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (ReadingTransaction) throws -> Value
    ) async throws -> Value {
        try await inWords { try await store.read(work) }
    }

    /// The change may be undone for ten minutes from now.
    func noteUndo(_ id: Int64) -> String {
        undoEnds.note(id, lasting: ReadingUndoStep.lifetime)
        return "\(id)"
    }

    func undo(_ id: String, by user: UserID) async throws {
        guard let id = Int64(id) else { throw RoostError.notFound("This can no longer be undone.") }
        let judged = undoEnds.dateToJudge(id)
        try await write(for: user) { reading in
            try reading.undo(id, by: user) { madeAt in
                judged == .distantPast
                    || !ClockSkew.isOver(madeAt, lifetime: ReadingUndoStep.lifetime, now: judged)
            }
        }
    }

    func inWords<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let error as RoostError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log.error("The reading list could not use the database", metadata: ["error": "\(error)"])
            throw RoostError(storage: error) ?? .unavailable("Couldn’t save. Please try again.")
        }
    }
}
