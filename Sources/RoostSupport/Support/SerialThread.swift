import Dispatch
import Synchronization

/// A low-priority thread that runs one job at a time, with a short queue.
///
/// Swift's pool has one thread for each core, so jobs of a tenth of a second would delay every page.
package final class SerialThread: Sendable {
    private struct Job {
        let id: UInt64
        let queuedAt: ContinuousClock.Instant
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var lastID: UInt64 = 0
        var isStarted = false
        var isStopped = false
    }

    private static let niceness: Int32 = 19

    private let maximum: Int
    private let timeout: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let full: RoostError
    private let state = Mutex(State())
    /// Signalled once for every job, and once by `stop`.
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - waiting: the maximum length of the queue
    ///   - timeout: the maximum time in the queue
    ///   - full: the error if the queue is full or the time is over
    package init(
        waiting: Int, timeout: Duration = .seconds(15), full: RoostError,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        maximum = waiting
        self.timeout = timeout
        self.full = full
        self.now = now
    }

    package var waiting: Int { state.withLock { $0.jobs.count } }

    /// Runs the work on the thread and returns its result. Cancelling the task while it waits removes the job.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(
                    Job(
                        id: id, queuedAt: now(), run: { continuation.resume(with: Result { try work() }) },
                        refuse: { continuation.resume(throwing: $0) }))
            }
        } onCancel: {
            let job = state.withLock { state -> Job? in
                guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return nil }
                return state.jobs.remove(at: index)
            }
            job?.refuse(CancellationError())
        }
    }

    /// Rejects queued and new jobs; the thread exits after its current job. Does not wait.
    package func stop() {
        let jobs = state.withLock { state in
            state.isStopped = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.refuse(Self.stopped) }
        semaphore.signal()
    }

    private static let stopped = RoostError.unavailable("Roost is stopping.", retryAfter: 5)

    private func add(_ job: Job) {
        let refusal = state.withLock { state -> (any Error)? in
            // Cancelled before it was queued, so the handler found nothing to remove.
            if Task.isCancelled { return CancellationError() }
            if state.isStopped { return Self.stopped }
            guard state.jobs.count < maximum,
                state.isStarted || DetachedThread.start(niceness: Self.niceness, loop)
            else { return full }
            state.isStarted = true
            state.jobs.append(job)
            return nil
        }
        if let refusal { job.refuse(refusal) } else { semaphore.signal() }
    }

    @Sendable private func loop() {
        while true {
            semaphore.wait()
            // The semaphore was signalled for these jobs too; the loop then finds no job.
            for job in removeOverdue() { job.refuse(full) }
            let (job, isStopped) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            job?.run()
            if isStopped { return }
        }
    }

    /// The first job has waited longest.
    private func removeOverdue() -> [Job] {
        let limit = now() - timeout
        return state.withLock { state in
            let overdue = state.jobs.prefix { $0.queuedAt < limit }
            state.jobs.removeFirst(overdue.count)
            return Array(overdue)
        }
    }
}
