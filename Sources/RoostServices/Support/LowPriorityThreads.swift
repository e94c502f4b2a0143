import Dispatch
import Glibc
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
    /// Rung once for every job, and once for each thread at the end.
    private let bell = DispatchSemaphore(value: 0)

    init(count: Int) {
        self.count = count
    }

    /// Starts what is not started yet; false if the system gives no thread at all.
    func start() -> Bool {
        state.withLock { state in
            while state.started < count, startThread() { state.started += 1 }
            return state.started > 0
        }
    }

    /// Ends the threads when nothing is left to do; waits for nothing.
    func stop() {
        let started = state.withLock { state in
            state.isStopped = true
            return state.started
        }
        for _ in 0..<started { bell.signal() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        bell.signal()
    }

    private func startThread() -> Bool {
        // The +1 ends in `lowPriorityThreadStarted`, or here if there is no thread.
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        guard pthread_create(&thread, nil, lowPriorityThreadStarted, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate func loop() {
        // On Linux this is the calling thread alone (setpriority(2), C library/kernel differences).
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while true {
            bell.wait()
            let (job, isStopped) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else if isStopped { return }
        }
    }
}

/// A thread's life. Takes over the +1 that `LowPriorityThreads.startThread` put into `context`.
private func lowPriorityThreadStarted(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Signals are for the program's own threads.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<LowPriorityThreads>.fromOpaque(context).takeRetainedValue().loop()
    return nil
}
