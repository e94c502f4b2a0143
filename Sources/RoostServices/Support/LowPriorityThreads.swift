import Dispatch
import Synchronization

/// Threads of our own on which Swift's tasks run with less right to a core than what serves.
final class LowPriorityThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var started = 0
        var isStopped = false
    }

    /// Pages go first; and whoever holds a lock that a page waits for still gets a tenth of a busy core.
    private static let niceness: Int32 = 10

    private let count: Int
    private let state = Mutex(State())
    /// Signalled once for every job, and once for each thread at the end.
    private let semaphore = DispatchSemaphore(value: 0)

    init(count: Int) {
        self.count = count
    }

    /// Starts what is not started yet; false if the system gives no thread at all.
    func start() -> Bool {
        state.withLock { state in
            while state.started < count, LowPriorityThread.start(niceness: Self.niceness, loop) {
                state.started += 1
            }
            return state.started > 0
        }
    }

    /// Ends the threads when nothing is left to do; waits for nothing.
    func stop() {
        let started = state.withLock { state in
            state.isStopped = true
            return state.started
        }
        for _ in 0..<started { semaphore.signal() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
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
