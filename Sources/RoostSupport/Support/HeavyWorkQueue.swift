import Synchronization

/// Runs long computations on a few threads, separate from those that serve requests.
///
/// Swift's pool has one thread for each core, so sorting twenty thousand rows there delays everyone's pages. Each user
/// runs one job at a time and may queue a few, so that no one can occupy all threads or fill the queue.
package final class HeavyWorkQueue: Sendable {
    package struct Limits: Sendable {
        var perUser = 16
        package var total = 256

        package init() {}
    }

    private struct Waiter {
        let id: Int
        let user: UserID
        let answer: CheckedContinuation<Verdict, Never>
    }

    private enum Verdict { case admitted, full, cancelled }

    private struct State {
        var busy: Set<UserID> = []
        var waiters: [Waiter] = []
        var lastID = 0
    }

    /// Jobs with at most this many rows run immediately in the calling task.
    static let fewRows = 500
    /// Pages have priority; a thread holding a lock that a page needs still gets a tenth of a busy core.
    private static let niceness: Int32 = 10
    private static let full = RoostError.unavailable(
        "Roost is still working on your previous request. Please try again in a moment.", retryAfter: 2)

    private let limits: Limits
    private let threadCount: Int
    private let threads: TaskThreads
    private let state = Mutex(State())

    package init(limits: Limits = Limits(), threadCount: Int = 2) {
        self.limits = limits
        self.threadCount = threadCount
        threads = TaskThreads(count: threadCount, niceness: Self.niceness)
    }

    deinit { threads.stop() }

    package var running: Int { state.withLock { $0.busy.count } }
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the work when it is the user's turn. Awaiting inside it occupies no thread. Long loops must check for
    /// cancellation. The work must not call `run` again, which would deadlock.
    ///
    /// Throws `RoostError.unavailable` if the queue is full, and `CancellationError` if the task is cancelled while
    /// waiting.
    ///
    /// - Parameter rows: the number of rows to process; small jobs run immediately
    package func run<Value>(
        for user: UserID, rows: Int = .max, _ work: () async throws -> Value
    ) async throws -> Value {
        guard rows > Self.fewRows else { return try await work() }
        guard threads.start() else { throw Self.full }
        switch await enter(user) {
        case .admitted: break
        case .full: throw Self.full
        case .cancelled: throw CancellationError()
        }
        defer { leave(user) }
        try Task.checkCancellation()
        return try await withTaskExecutorPreference(threads, operation: work)
    }

    private func enter(_ user: UserID) async -> Verdict {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let verdict = state.withLock { state -> Verdict? in
                    // Cancelled before it was queued, so the handler found nothing to remove.
                    if Task.isCancelled { return .cancelled }
                    if state.busy.count < threadCount, state.busy.insert(user).inserted {
                        return .admitted
                    }
                    let own = state.waiters.count { $0.user == user } + (state.busy.contains(user) ? 1 : 0)
                    guard own < limits.perUser, state.waiters.count + state.busy.count < limits.total
                    else { return .full }
                    state.waiters.append(Waiter(id: id, user: user, answer: answer))
                    return nil
                }
                if let verdict { answer.resume(returning: verdict) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.answer.resume(returning: .cancelled)
        }
    }

    /// Starts the longest waiting job of a user who has no running job.
    private func leave(_ user: UserID) {
        let next = state.withLock { state -> Waiter? in
            state.busy.remove(user)
            guard let index = state.waiters.firstIndex(where: { !state.busy.contains($0.user) }) else {
                return nil
            }
            let next = state.waiters.remove(at: index)
            state.busy.insert(next.user)
            return next
        }
        next?.answer.resume(returning: .admitted)
    }
}
