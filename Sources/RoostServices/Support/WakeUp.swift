import Synchronization

/// A bell that one background task sleeps by: it wakes when rung, or when the time is up.
package final class WakeUp: Sendable {
    private struct State {
        var isRung = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the sleeper, or the next one at once.
    package func ring() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let sleeper = state.sleeper else {
                state.isRung = true
                return nil
            }
            state.sleeper = nil
            return sleeper
        }
        sleeper?.resume()
    }

    /// Sleeps until rung, for `duration` at most (nil: until rung), or until the task is cancelled.
    package func wait(atMost duration: Duration? = nil) async {
        guard let duration else { return await untilRung() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: duration) }
            group.addTask { await self.untilRung() }
            await group.next()
            group.cancelAll()
        }
    }

    private func untilRung() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state -> Bool in
                    if state.isRung || Task.isCancelled {
                        state.isRung = false
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
