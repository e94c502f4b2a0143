import Dispatch
import Synchronization

/// Threads on which Swift tasks run and may block. Tasks must not block the threads of Swift's pool, which has only one
/// for each core.
package final class TaskThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var started = 0
        var isStopped = false
    }

    private let count: Int
    private let niceness: Int32
    private let state = Mutex(State())
    /// Signalled once for every job, and by `stop` once for each thread.
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameter niceness: from 0 (normal) to 19 (lowest priority)
    package init(count: Int, niceness: Int32 = 0) {
        self.count = count
        self.niceness = niceness
    }

    /// Starts the threads that are not running yet. Returns whether any thread is running.
    @discardableResult
    package func start() -> Bool {
        state.withLock { state in
            while state.started < count, DetachedThread.start(niceness: niceness, loop) {
                state.started += 1
            }
            return state.started > 0
        }
    }

    /// Lets the threads exit when no jobs are left. Does not wait.
    package func stop() {
        let started = state.withLock { state in
            state.isStopped = true
            return state.started
        }
        for _ in 0..<started { semaphore.signal() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        semaphore.signal()
    }

    @Sendable private func loop() {
        while true {
            semaphore.wait()
            let (job, isStopped) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else if isStopped { return }
        }
    }
}
