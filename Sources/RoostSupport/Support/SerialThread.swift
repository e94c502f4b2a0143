import Dispatch
import Synchronization

/// A thread of our own of low priority that does one thing at a time, with a short queue in front of it.
///
/// Swift's pool has as many threads as the machine has cores: work of a tenth of a second would hold up every
/// page.
package final class SerialThread: Sendable {
    private struct Job {
        let id: UInt64
        let asked: ContinuousClock.Instant
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var lastID: UInt64 = 0
        var isStarted = false
        var isStopped = false
    }

    /// The lowest there is: pages go first, and on a busy machine this work gets what they leave.
    private static let niceness: Int32 = 19

    private let maximum: Int
    private let timeout: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let full: RoostError
    private let state = Mutex(State())
    /// Signalled once for every job, and once at the end.
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - waiting: How many jobs wait at most.
    ///   - timeout: How long each waits at most, also on a busy machine.
    ///   - full: What those are told who find the queue full, or have waited so long.
    package init(
        waiting: Int, timeout: Duration = .seconds(15), full: RoostError,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        maximum = waiting
        self.timeout = timeout
        self.full = full
        self.now = now
    }

    /// How many wait for their turn.
    package var waiting: Int { state.withLock { $0.jobs.count } }

    /// Waits for its turn and the result; whoever is cancelled while waiting leaves the queue.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(
                    Job(
                        id: id, asked: now(), run: { continuation.resume(with: Result { try work() }) },
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

    /// Refuses those who wait, and ends the thread after what it is doing now. Does not wait for that.
    package func stop() {
        let jobs = state.withLock { state in
            state.isStopped = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.refuse(Self.stopped) }
        semaphore.signal()
    }

    private static let stopped = RoostError.unavailable("Roost is being stopped.", retryAfter: 5)

    private func add(_ job: Job) {
        let refusal = state.withLock { state -> (any Error)? in
            // Cancelled before it was in the queue: the handler has found nothing.
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
            // It was signalled for those as well, and then finds no job.
            for job in takeOverdue() { job.refuse(full) }
            let (job, isStopped) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            job?.run()
            if isStopped { return }
        }
    }

    /// Those who have waited too long; the first has waited longest.
    private func takeOverdue() -> [Job] {
        let limit = now() - timeout
        return state.withLock { state in
            let overdue = state.jobs.prefix { $0.asked < limit }
            state.jobs.removeFirst(overdue.count)
            return Array(overdue)
        }
    }
}
