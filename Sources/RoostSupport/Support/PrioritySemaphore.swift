import Synchronization

/// Lets one work at a time go ahead: among those that wait the more urgent first, then the older.
package final class PrioritySemaphore: Sendable {

    package init() {
    }
    private struct Waiter {
        let id: Int
        let urgency: Int
        /// True: it is this one's turn; false: it was cancelled.
        let answer: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isTaken = false
        var next = 0
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    /// How many wait, the one at work not among them.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Throws `CancellationError`, without having done anything, when the task is cancelled while it waits.
    package func take<Value>(urgency: Int = 0, _ work: () async throws -> Value) async throws -> Value {
        try await enter(urgency)
        defer { leave() }
        return try await work()
    }

    private func enter(_ urgency: Int) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let now = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiters.append(Waiter(id: id, urgency: urgency, answer: answer))
                    return nil
                }
                if let now { answer.resume(returning: now) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.answer.resume(returning: false)
        }
        guard isMine else { throw CancellationError() }
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            let urgency = state.waiters.map(\.urgency).max()
            guard let index = state.waiters.firstIndex(where: { $0.urgency == urgency }) else {
                state.isTaken = false
                return nil
            }
            return state.waiters.remove(at: index)
        }
        next?.answer.resume(returning: true)
    }
}
