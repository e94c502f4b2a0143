import Synchronization

/// What follows a successful refresh.
package enum RefreshOutcome: Sendable {
    /// The job is finished and removed.
    case done
    /// The time until the next refresh while the job is watched, and while it is not (nil: only once it is watched).
    case again(after: Duration, unwatched: Duration? = nil)
    /// No request was made, because the upstream accepts none until then. The job stays unchanged and runs then at the
    /// earliest, or at a click if `unlessClicked`.
    case postponed(until: ContinuousClock.Instant, unlessClicked: Bool = false)
}

/// Makes the requests to one upstream for a refresher.
package protocol RefreshSource<Key>: Sendable {
    associatedtype Key: Hashable & Sendable

    /// Makes the request. Any error counts as a failure, except `CancellationError`, which leaves the job unchanged.
    func refresh(_ key: Key) async throws -> RefreshOutcome
    /// Called when a job has succeeded or failed; not if it was interrupted, postponed or forgotten.
    func ended(_ key: Key, _ failure: (any UpstreamFailure)?) async
}

extension RefreshSource {
    package func ended(_ key: Key, _ failure: (any UpstreamFailure)?) async {}
}

/// Makes requests to one upstream in the background.
///
/// Each job has a key and runs once at a time; more urgent jobs run first, then older ones. `request` runs a job once,
/// `watch` refreshes it for some time, and `keep` refreshes it until it is forgotten. A failed job pauses for a
/// back-off; watched and kept jobs are then retried automatically. The owner runs `run` in a task and cancels it; tests
/// use `runUntilIdle`.
package final class Refresher<Key: Hashable & Sendable>: Sendable {
    package enum Priority: Int, Comparable, Sendable {
        case background, visible, click

        package static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Status: Sendable {
        package var isRunning = false
        package var isLoading = false
        package var isClicked = false
        package var failures = 0
        /// The last failure, or nil after a success.
        package var failure: (any UpstreamFailure)?
        /// Its error; a rate limit's date follows the machine's clock when that is set.
        package var error: APIError?
        /// The time of the next run if the job is watched then; nil before the first run.
        package var nextTryAt: ContinuousClock.Instant?
        package var blockedUntil = ContinuousClock.Instant.distantPast
    }

    private struct OtherFailure: UpstreamFailure {
        let error: APIError
        var retryAfter: Double? { nil }
    }

    private struct Entry {
        var priority = Priority.background
        /// Jobs of equal priority run in this order.
        let order: Int
        var isRequested = false
        var watchedUntil = ContinuousClock.Instant.distantPast
        var watchedDue = ContinuousClock.Instant.distantPast
        var unwatchedDue = ContinuousClock.Instant.distantFuture
        var notBefore = ContinuousClock.Instant.distantPast
        var blockedUntil = ContinuousClock.Instant.distantPast
        var run: Int?
        var endSignals: [AsyncSignal] = []
        var failures = 0
        var failure: (any UpstreamFailure)?
        /// When the limit that the failure reports resets.
        var resetAt: ContinuousClock.Instant?

        mutating func fireEndSignals() {
            for signal in endSignals { signal.fire() }
            endSignals = []
        }

        func due(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            guard run == nil else { return nil }
            let due: ContinuousClock.Instant =
                isRequested ? .distantPast : watchedUntil >= now ? watchedDue : unwatchedDue
            return due == .distantFuture ? nil : max(due, notBefore)
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var running: [Int: Key] = [:]
        var waiting = 0
        var counter = 0
        var nextStart = ContinuousClock.Instant.distantPast

        mutating func next() -> Int {
            counter += 1
            return counter
        }

        @discardableResult
        mutating func change<Value>(_ key: Key, _ body: (inout Entry) -> Value) -> Value? {
            guard var entry = entries[key] else { return nil }
            let wasWaiting = entry.isRequested && entry.run == nil
            let value = body(&entry)
            waiting += (entry.isRequested && entry.run == nil ? 1 : 0) - (wasWaiting ? 1 : 0)
            entries[key] = entry
            return value
        }

        mutating func remove(_ key: Key) {
            change(key) { entry in
                entry.isRequested = false
                entry.fireEndSignals()
            }
            entries[key] = nil
        }
    }

    private let clock: WallClock
    private let backoff: Backoff
    private let capacity: Int
    private let maximumSleep: Duration
    private let minimumInterval: Duration
    private let mayStart: @Sendable (Key, _ running: [Key]) -> Bool
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: the maximum number of jobs; the oldest unused ones are removed first
    ///   - maximumSleep: the time between two checks of the clock
    ///   - minimumInterval: the time between the end of a job and the next start in `run`
    ///   - mayStart: whether a job may run at the same time as the running ones
    package init(
        clock: WallClock, backoff: Backoff, capacity: Int = 10_000, maximumSleep: Duration = .seconds(60),
        minimumInterval: Duration = .zero,
        mayStart: @escaping @Sendable (Key, _ running: [Key]) -> Bool = { _, _ in true }
    ) {
        self.clock = clock
        self.backoff = backoff
        self.capacity = capacity
        self.maximumSleep = maximumSleep
        self.minimumInterval = minimumInterval
        self.mayStart = mayStart
    }

    package var waiting: Int { state.withLock { $0.waiting } }

    package var isIdle: Bool { state.withLock { $0.waiting == 0 && $0.running.isEmpty } }

    package func status(of key: Key) -> Status {
        let now = clock.steady()
        return state.withLock { state in
            guard let entry = state.entries[key] else { return Status() }
            let due = entry.due(at: now)
            let planned = due ?? max(entry.watchedDue, entry.notBefore)
            return Status(
                isRunning: entry.run != nil, isLoading: entry.run != nil || due.map { $0 <= now } ?? false,
                isClicked: entry.priority == .click, failures: entry.failures,
                failure: entry.failure,
                error: entry.resetAt.map { .rateLimited(resetDate: clock.date(of: $0)) }
                    ?? entry.failure?.error,
                nextTryAt: planned == .distantPast ? nil : planned, blockedUntil: entry.blockedUntil)
        }
    }

    /// Runs a job once. Returns false if it is already waiting or running, is in a back-off, or the queue is full.
    ///
    /// A click ends Roost's own back-off early, but not a delay that the upstream requested.
    ///
    /// - Parameters:
    ///   - notBefore: the earliest time for a click
    ///   - room: the maximum number of waiting jobs
    @discardableResult
    package func request(
        _ key: Key, _ priority: Priority = .background, notBefore: ContinuousClock.Instant = .distantPast,
        room: Int = .max
    ) -> Bool {
        let now = clock.steady()
        let isAccepted = state.withLock { state in
            let existing = state.entries[key]
            if priority < .click {
                guard existing?.isRequested != true, existing?.run == nil,
                    (existing?.notBefore ?? now) <= now,
                    state.waiting < room
                else { return false }
            }
            guard insert(key, into: &state, at: now) else { return false }
            state.change(key) { entry in
                entry.isRequested = true
                entry.priority = max(entry.priority, priority)
                if priority == .click { entry.notBefore = max(notBefore, entry.blockedUntil) }
            }
            return true
        }
        if isAccepted { signal.fire() }
        return isAccepted
    }

    /// Refreshes a job until it is forgotten, less often while it is not watched.
    ///
    /// - Parameter notBefore: the earliest time of its next run
    package func keep(_ key: Key, notBefore: ContinuousClock.Instant = .distantPast) {
        let now = clock.steady()
        state.withLock { state in
            guard insert(key, into: &state, at: now) else { return }
            state.change(key) { entry in
                entry.unwatchedDue = min(entry.unwatchedDue, now)
                entry.notBefore = max(entry.notBefore, notBefore)
            }
        }
        signal.fire()
    }

    package func watch(_ key: Key, for time: Duration) {
        let now = clock.steady()
        let wasIdle = state.withLock { state in
            guard insert(key, into: &state, at: now) else { return false }
            return state.change(key) { entry in
                defer { entry.watchedUntil = max(entry.watchedUntil, now + time) }
                return entry.watchedUntil < now
            } ?? false
        }
        if wasIdle { signal.fire() }
    }

    package func isWatched(_ key: Key) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.entries[key]?.watchedUntil ?? .distantPast) >= now }
    }

    /// Moves the next run of a watched job to this time or earlier. A back-off still applies.
    package func advance(_ key: Key, to time: ContinuousClock.Instant) {
        let isSooner = state.withLock { state in
            state.change(key) { entry in
                defer { entry.watchedDue = min(entry.watchedDue, time) }
                return time < entry.watchedDue
            } ?? false
        }
        if isSooner { signal.fire() }
    }

    package func forget(_ key: Key) {
        state.withLock { $0.remove(key) }
        signal.fire()
    }

    package func forget(where shouldForget: (Key) -> Bool) {
        state.withLock { state in
            for key in state.entries.keys.filter(shouldForget) { state.remove(key) }
        }
        signal.fire()
    }

    package func run(_ source: some RefreshSource<Key>) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let (due, next) = startDue()
                for (key, run) in due { group.addTask { await self.perform(key, run, source) } }
                let wait = next.map { max(.milliseconds(10), $0 - clock.steady()) } ?? maximumSleep
                await signal.wait(atMost: min(wait, maximumSleep))
            }
            group.cancelAll()
        }
    }

    package func runUntilIdle(_ source: some RefreshSource<Key>) async {
        while case let due = startDue(maximum: 1).due, let (key, run) = due.first, !Task.isCancelled {
            await perform(key, run, source)
        }
    }

    /// Runs a job now, in this task, ignoring its back-off. If it is already running, waits for its end.
    ///
    /// - Parameter ifDue: true to do nothing if the job is no longer due
    package func perform(_ key: Key, _ source: some RefreshSource<Key>, ifDue: Bool = false) async {
        let now = clock.steady()
        let end = AsyncSignal()
        let run = state.withLock { state -> Int? in
            let entry = state.entries[key]
            let isDue = entry?.run != nil || entry?.due(at: now).map { $0 <= now } == true
            guard isDue || !ifDue, insert(key, into: &state, at: now) else {
                end.fire()
                return nil
            }
            if state.entries[key]?.run != nil {
                state.change(key) { $0.endSignals.append(end) }
                return nil
            }
            return start(key, in: &state)
        }
        if let run { await perform(key, run, source) } else { await end.wait() }
    }

    private func startDue(maximum: Int = .max) -> (due: [(Key, Int)], next: ContinuousClock.Instant?) {
        let now = clock.steady()
        return state.withLock { state in
            guard state.nextStart <= now else { return ([], state.nextStart) }
            var due: [(key: Key, priority: Priority, order: Int)] = []
            var next: ContinuousClock.Instant?
            for (key, entry) in state.entries {
                guard let time = entry.due(at: now) else { continue }
                if time <= now {
                    due.append((key, entry.priority, entry.order))
                } else {
                    next = min(next ?? time, time)
                }
            }
            due.sort { ($1.priority, $0.order) < ($0.priority, $1.order) }
            var running = Array(state.running.values)
            var started: [(Key, Int)] = []
            for (key, _, _) in due where started.count < maximum && mayStart(key, running) {
                running.append(key)
                started.append((key, start(key, in: &state)))
            }
            return (started, next)
        }
    }

    private func start(_ key: Key, in state: inout State) -> Int {
        let run = state.next()
        state.change(key) { $0.run = run }
        state.running[run] = key
        return run
    }

    private func perform(_ key: Key, _ run: Int, _ source: some RefreshSource<Key>) async {
        defer { signal.fire() }
        do {
            let outcome = try await source.refresh(key)
            if case .postponed(let time, let unlessClicked) = outcome {
                end(key, run) { self.postpone(key, until: time, unlessClicked, &$0) }
            } else if end(key, run, { self.succeed(outcome, key, &$0) }) {
                await source.ended(key, nil)
            }
        } catch  where Task.isCancelled {
            end(key, run) { _ in }
        } catch is CancellationError {
            // A short delay, so that a job that always throws this does not run without pause.
            end(key, run) { $0.change(key) { $0.notBefore = self.clock.steady() + .seconds(1) } }
        } catch {
            let failure = error as? any UpstreamFailure ?? OtherFailure(error: .unknown("\(error)"))
            if end(key, run, { self.fail(failure, key, &$0) }) { await source.ended(key, failure) }
        }
    }

    @discardableResult
    private func end(_ key: Key, _ run: Int, _ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            state.running[run] = nil
            if minimumInterval > .zero { state.nextStart = clock.steady() + minimumInterval }
            guard state.entries[key]?.run == run else { return false }
            state.change(key) { entry in
                entry.run = nil
                entry.fireEndSignals()
            }
            body(&state)
            return true
        }
    }

    private func succeed(_ outcome: RefreshOutcome, _ key: Key, _ state: inout State) {
        guard case .again(let watched, let unwatched) = outcome else { return state.remove(key) }
        let (now, order) = (clock.steady(), state.next())
        state.change(key) { entry in
            var next = Entry(order: order)
            next.watchedUntil = entry.watchedUntil
            next.watchedDue = now + watched
            next.unwatchedDue = unwatched.map { now + $0 } ?? .distantFuture
            entry = next
        }
    }

    private func postpone(
        _ key: Key, until time: ContinuousClock.Instant, _ unlessClicked: Bool, _ state: inout State
    ) {
        state.change(key) { entry in
            entry.notBefore = max(entry.notBefore, time)
            if !unlessClicked { entry.blockedUntil = max(entry.blockedUntil, time) }
        }
    }

    private func fail(_ failure: any UpstreamFailure, _ key: Key, _ state: inout State) {
        let (date, now) = (clock.now(), clock.steady())
        state.change(key) { entry in
            entry.isRequested = false
            entry.priority = .background
            entry.failures += 1
            entry.failure = failure
            entry.resetAt =
                if case .rateLimited(let reset) = failure.error { clock.instant(of: reset) } else { nil }
            let delay = backoff.delay(
                failures: entry.failures, failure: failure, jitter: .random(in: 0.8...1.2), at: date)
            entry.notBefore = now + delay
            let isBlocked = entry.resetAt != nil || failure.requestedWait(at: date) > .zero
            entry.blockedUntil = isBlocked ? entry.notBefore : .distantPast
            entry.watchedDue = .distantPast
            if entry.unwatchedDue != .distantFuture { entry.unwatchedDue = .distantPast }
        }
    }

    private func insert(_ key: Key, into state: inout State, at now: ContinuousClock.Instant) -> Bool {
        guard state.entries[key] == nil else { return true }
        if state.entries.count >= capacity {
            let unused = state.entries.filter { _, entry in
                entry.run == nil && !entry.isRequested && entry.watchedUntil < now
                    && entry.unwatchedDue == .distantFuture
            }
            for (key, _) in unused.sorted(by: { $0.value.order < $1.value.order }).prefix(capacity / 2 + 1) {
                state.remove(key)
            }
        }
        guard state.entries.count < capacity else { return false }
        state.entries[key] = Entry(order: state.next())
        return true
    }
}
