import Synchronization

package final class AsyncSignal: Sendable {
    private struct State {
        var isFired = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes all waiting tasks. If none is waiting, the next `wait` returns immediately.
    package func fire() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.isFired = state.waiters.isEmpty
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    package func wait(atMost duration: Duration? = nil) async {
        guard let duration else { return await untilFired() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: duration) }
            group.addTask { await self.untilFired() }
            await group.next()
            group.cancelAll()
        }
    }

    private func untilFired() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let shouldResume = state.withLock { state -> Bool in
                    if state.isFired || Task.isCancelled {
                        state.isFired = false
                        return true
                    }
                    state.waiters[id] = continuation
                    return false
                }
                if shouldResume { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
