import Synchronization

/// Runs one piece of work at a time, the most urgent first, then the oldest.
package final class PrioritySemaphore: Sendable {

    package init() {
    }
    private struct Waiter {
        let id: Int
        let urgency: Int
        let answer: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isBusy = false
        var next = 0
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Throws `CancellationError`, without running the work, if the task is cancelled while waiting.
    package func run<Value>(urgency: Int = 0, _ work: () async throws -> Value) async throws -> Value {
        try await enter(urgency)
        defer { leave() }
        return try await work()
    }

    private func enter(_ urgency: Int) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let now = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.isBusy else {
                        state.isBusy = true
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
        guard isAdmitted else { throw CancellationError() }
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            let urgency = state.waiters.map(\.urgency).max()
            guard let index = state.waiters.firstIndex(where: { $0.urgency == urgency }) else {
                state.isBusy = false
                return nil
            }
            return state.waiters.remove(at: index)
        }
        next?.answer.resume(returning: true)
    }
}
