import Dispatch
import Synchronization

/// Threads of our own on which Swift's tasks run, and which a task may block: those of Swift's pool it may not, since
/// there are as many as the machine has cores.
package final class TaskThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var started = 0
        var isStopped = false
    }

    private let count: Int
    private let niceness: Int32
    private let state = Mutex(State())
    /// Signalled once for every job, and once for each thread at the end.
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameter niceness: from 0, as all threads have it, to 19, which is the least right to a core
    package init(count: Int, niceness: Int32 = 0) {
        self.count = count
        self.niceness = niceness
    }

    /// Starts what is not started yet; false if the system gives no thread at all.
    @discardableResult
    package func start() -> Bool {
        state.withLock { state in
            while state.started < count, DetachedThread.start(niceness: niceness, loop) {
                state.started += 1
            }
            return state.started > 0
        }
    }

    /// Ends the threads when nothing is left to do; waits for nothing.
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
