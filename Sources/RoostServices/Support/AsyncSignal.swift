import Synchronization

/// Wakes one background task that waits for it.
package final class AsyncSignal: Sendable {
    private struct State {
        var isFired = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the waiting task, or the next one at once.
    package func fire() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let sleeper = state.sleeper else {
                state.isFired = true
                return nil
            }
            state.sleeper = nil
            return sleeper
        }
        sleeper?.resume()
    }

    /// Waits until fired, for `duration` at most (nil: until fired), or until the task is cancelled.
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
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state -> Bool in
                    if state.isFired || Task.isCancelled {
                        state.isFired = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleeper
                state.sleeper = nil
                return sleeper
            }
            sleeper?.resume()
        }
    }
}
