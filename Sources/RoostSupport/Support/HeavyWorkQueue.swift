import Synchronization

/// Work that grows with what somebody keeps, sends or asks for: on a few threads of its own, away from those that serve.
///
/// Swift's pool has as many threads as the machine has cores: arranging twenty thousand rows there holds up everybody's
/// pages. Of one user one work runs at a time, and few wait: nobody takes all threads, and nobody fills the queue.
package final class HeavyWorkQueue: Sendable {
    /// How many may be at work or wait, of one user and together.
    package struct Limits: Sendable {
        var ofOneUser = 16
        package var together = 256

        package init() {}
    }

    private struct Waiter {
        let id: Int
        let user: UserID
        let answer: CheckedContinuation<Verdict, Never>
    }

    private enum Verdict { case yourTurn, full, cancelled }

    private struct State {
        var busy: Set<UserID> = []
        var waiters: [Waiter] = []
        var lastID = 0
    }

    /// What concerns so few rows is done at once and where it is asked.
    static let fewRows = 500
    /// Pages go first; a thread that holds a lock which a page waits for still gets a tenth of a busy core.
    private static let niceness: Int32 = 10
    private static let full = RoostError.unavailable(
        "Roost is still busy with what you asked for before. Please try again in a moment.", retryAfter: 2)

    private let limits: Limits
    private let threadCount: Int
    private let threads: TaskThreads
    private let state = Mutex(State())

    /// - Parameter threadCount: how much work runs at the same time
    package init(limits: Limits = Limits(), threadCount: Int = 2) {
        self.limits = limits
        self.threadCount = threadCount
        threads = TaskThreads(count: threadCount, niceness: Self.niceness)
    }

    deinit { threads.stop() }

    /// How many works have their turn.
    package var running: Int { state.withLock { $0.busy.count } }
    /// How many wait for it.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Does the work when it is the user's turn; what it waits for meanwhile holds no thread. Its loops check for
    /// cancellation. It must not come here again: it would wait for itself.
    ///
    /// Throws `RoostError.unavailable` where too many wait already, and `CancellationError`, without having begun, for a
    /// task that is cancelled while it waits.
    ///
    /// - Parameter rows: how many it concerns; a few are no heavy work
    package func run<Value>(
        for user: UserID, rows: Int = .max, _ work: () async throws -> Value
    ) async throws -> Value {
        guard rows > Self.fewRows else { return try await work() }
        guard threads.start() else { throw Self.full }
        switch await enter(user) {
        case .yourTurn: break
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
                    // Cancelled before it was in the queue: the handler has found nothing.
                    if Task.isCancelled { return .cancelled }
                    if state.busy.count < threadCount, state.busy.insert(user).inserted {
                        return .yourTurn
                    }
                    let own = state.waiters.count { $0.user == user } + (state.busy.contains(user) ? 1 : 0)
                    guard own < limits.ofOneUser, state.waiters.count + state.busy.count < limits.together
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

    /// Next is who has waited longest of those who have nothing at work.
    private func leave(_ user: UserID) {
        let next = state.withLock { state -> Waiter? in
            state.busy.remove(user)
            guard let place = state.waiters.firstIndex(where: { !state.busy.contains($0.user) }) else {
                return nil
            }
            let next = state.waiters.remove(at: place)
            state.busy.insert(next.user)
            return next
        }
        next?.answer.resume(returning: .yourTurn)
    }
}
