package import Foundation
import Synchronization

/// What follows a refresh that went well.
package enum RefreshOutcome: Sendable {
    /// The job is finished and forgotten.
    case done
    /// Seconds until the next refresh: while it is watched, and while it is not (nil: no refresh until it is).
    case again(after: TimeInterval, unwatched: TimeInterval? = nil)
    /// Nothing was asked, since the upstream takes no requests until then, by the steady clock: the job stays as it was,
    /// and runs then at the earliest, or at a click where one may cut the wait short.
    case postponed(until: Date, unlessClicked: Bool = false)
}

/// What a refresher asks: one upstream's questions, by key.
package protocol RefreshSource<Key>: Sendable {
    associatedtype Key: Hashable & Sendable

    /// Asks the upstream. What it throws is a failure, but for `CancellationError`, which leaves the job as it was.
    func refresh(_ key: Key) async throws -> RefreshOutcome
    /// Hears of a job's end when its status has changed; not of one that was interrupted, postponed or forgotten.
    func ended(_ key: Key, _ failure: (any UpstreamFailure)?) async
}

extension RefreshSource {
    package func ended(_ key: Key, _ failure: (any UpstreamFailure)?) async {}
}

/// Asks one upstream for what is wanted of it, in the background.
///
/// Each job has a key and runs once at a time, the more urgent before the older. `request` wants a job done once,
/// `watch` wants it kept fresh for a while, `keep` until it is forgotten. After a failure a job is left alone for a
/// back-off, and tried again by itself where it is watched or kept. The owner runs `run` in a task and cancels it; tests
/// use `runUntilIdle`.
///
/// All times are the steady clock's.
package final class Refresher<Key: Hashable & Sendable>: Sendable {
    package enum Priority: Int, Comparable, Sendable {
        case background, visible, click

        package static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// How a job stands, for a page.
    package struct Status: Sendable {
        package var isRunning = false
        /// Runs, or is due.
        package var isLoading = false
        /// Somebody clicked, and waits for it.
        package var isClicked = false
        /// In a row.
        package var failures = 0
        /// The last failure; nil after a success. Its dates are the machine's clock's.
        package var failure: (any UpstreamFailure)?
        /// When it runs next, if anybody looks then; nil before the first run.
        package var nextTryAt: Date?
        /// Until when the upstream asked to be left alone.
        package var blockedUntil = Date.distantPast
    }

    private struct OtherFailure: UpstreamFailure {
        let error: APIError
        var retryAfter: Double? { nil }
        func moved(by seconds: TimeInterval) -> OtherFailure { self }
    }

    private struct Entry {
        var priority = Priority.background
        /// Among jobs of one priority the lower goes first.
        let order: Int
        /// To be done once, whether somebody watches or not.
        var isRequested = false
        var watchedUntil = Date.distantPast
        var watchedDue = Date.distantPast
        var unwatchedDue = Date.distantFuture
        /// Back-off.
        var notBefore = Date.distantPast
        var blockedUntil = Date.distantPast
        /// The number of the run that is under way.
        var run: Int?
        /// Fired at its end.
        var endSignals: [AsyncSignal] = []
        var failures = 0
        var failure: (any UpstreamFailure)?
        /// By which the failure's dates are to be read.
        var shift: TimeInterval = 0

        mutating func fireEndSignals() {
            for signal in endSignals { signal.fire() }
            endSignals = []
        }

        /// When it wants to run; nil: not until somebody asks.
        func due(at now: Date) -> Date? {
            guard run == nil else { return nil }
            let due = isRequested ? .distantPast : watchedUntil >= now ? watchedDue : unwatchedDue
            return due == .distantFuture ? nil : max(due, notBefore)
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var running: [Int: Key] = [:]
        /// Requested, and not running.
        var waiting = 0
        var counter = 0
        /// No job starts earlier.
        var nextStart = Date.distantPast

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
    private let maximumSleep: TimeInterval
    private let minimumInterval: TimeInterval
    private let mayStart: @Sendable (Key, _ running: [Key]) -> Bool
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: how many jobs are remembered; of those that are not wanted, the oldest go first
    ///   - maximumSleep: in seconds, between two looks at the clock
    ///   - minimumInterval: seconds between a job's end and the next start in `run`
    ///   - mayStart: whether a job may run beside those that do
    package init(
        clock: WallClock, backoff: Backoff, capacity: Int = 10_000, maximumSleep: TimeInterval = 60,
        minimumInterval: TimeInterval = 0,
        mayStart: @escaping @Sendable (Key, _ running: [Key]) -> Bool = { _, _ in true }
    ) {
        self.clock = clock
        self.backoff = backoff
        self.capacity = capacity
        self.maximumSleep = maximumSleep
        self.minimumInterval = minimumInterval
        self.mayStart = mayStart
    }

    /// How many requested jobs wait, those that wait for a back-off included.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Whether nothing runs and nothing that was requested waits.
    package var isIdle: Bool { state.withLock { $0.waiting == 0 && $0.running.isEmpty } }

    package func status(of key: Key) -> Status {
        let (now, shift) = (clock.steady(), clock.shift)
        return state.withLock { state in
            guard let entry = state.entries[key] else { return Status() }
            let due = entry.due(at: now)
            let planned = due ?? max(entry.watchedDue, entry.notBefore)
            return Status(
                isRunning: entry.run != nil, isLoading: entry.run != nil || due.map { $0 <= now } ?? false,
                isClicked: entry.priority == .click, failures: entry.failures,
                failure: entry.failure?.moved(by: shift - entry.shift),
                nextTryAt: planned == .distantPast ? nil : planned, blockedUntil: entry.blockedUntil)
        }
    }

    /// Wants a job done once; refused where it is waited for already, rests after a failure, or there is no room.
    ///
    /// A click cuts a back-off of our own short, but not a wait that the upstream asked for.
    ///
    /// - Parameters:
    ///   - notBefore: the earliest time for a click
    ///   - room: how many may wait
    @discardableResult
    package func request(
        _ key: Key, _ priority: Priority = .background, notBefore: Date = .distantPast, room: Int = .max
    ) -> Bool {
        let now = clock.steady()
        let isTaken = state.withLock { state in
            let known = state.entries[key]
            if priority < .click {
                guard known?.isRequested != true, known?.run == nil, (known?.notBefore ?? now) <= now,
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
        if isTaken { signal.fire() }
        return isTaken
    }

    /// Wants a job's result kept fresh until it is forgotten, less often while it is not watched.
    ///
    /// - Parameter notBefore: the earliest time of its next run
    package func keep(_ key: Key, notBefore: Date = .distantPast) {
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

    /// Wants a job's result kept fresh for so many seconds.
    package func watch(_ key: Key, for seconds: TimeInterval) {
        let now = clock.steady()
        let wasIdle = state.withLock { state in
            guard insert(key, into: &state, at: now) else { return false }
            return state.change(key) { entry in
                defer { entry.watchedUntil = max(entry.watchedUntil, now + seconds) }
                return entry.watchedUntil < now
            } ?? false
        }
        if wasIdle { signal.fire() }
    }

    package func isWatched(_ key: Key) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.entries[key]?.watchedUntil ?? .distantPast) >= now }
    }

    /// Has a watched job run no later than this, unless a back-off lasts longer.
    package func advance(_ key: Key, to time: Date) {
        let isSooner = state.withLock { state in
            state.change(key) { entry in
                defer { entry.watchedDue = min(entry.watchedDue, time) }
                return time < entry.watchedDue
            } ?? false
        }
        if isSooner { signal.fire() }
    }

    /// Drops a job; what is under way for it comes to nothing.
    package func forget(_ key: Key) {
        state.withLock { $0.remove(key) }
        signal.fire()
    }

    package func forget(where isMeant: (Key) -> Bool) {
        state.withLock { state in
            for key in state.entries.keys.filter(isMeant) { state.remove(key) }
        }
        signal.fire()
    }

    /// Runs what is due until cancelled, and then cancels what is under way.
    package func run(_ source: some RefreshSource<Key>) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let (due, next) = takeDue()
                for (key, run) in due { group.addTask { await self.perform(key, run, source) } }
                let wait = next.map { max(0.01, $0.timeIntervalSince(clock.steady())) } ?? maximumSleep
                await signal.wait(atMost: .seconds(min(wait, maximumSleep)))
            }
            group.cancelAll()
        }
    }

    /// Runs what is due by the clock, one job after the other, until nothing is.
    package func runUntilIdle(_ source: some RefreshSource<Key>) async {
        while case let due = takeDue(maximum: 1).due, let (key, run) = due.first, !Task.isCancelled {
            await perform(key, run, source)
        }
    }

    /// Runs one job now, in this task, whatever its back-off; where it runs already, waits for its end.
    ///
    /// - Parameter ifDue: does nothing where it is not due any more, since it has ended in the meantime
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

    private func takeDue(maximum: Int = .max) -> (due: [(Key, Int)], next: Date?) {
        let now = clock.steady()
        return state.withLock { state in
            guard state.nextStart <= now else { return ([], state.nextStart) }
            var due: [(key: Key, priority: Priority, order: Int)] = []
            var next: Date?
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
            var taken: [(Key, Int)] = []
            for (key, _, _) in due where taken.count < maximum && mayStart(key, running) {
                running.append(key)
                taken.append((key, start(key, in: &state)))
            }
            return (taken, next)
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
            // Not at once: a job that always ends so would run without a pause.
            end(key, run) { $0.change(key) { $0.notBefore = self.clock.steady() + 1 } }
        } catch {
            let failure = error as? any UpstreamFailure ?? OtherFailure(error: .unknown("\(error)"))
            if end(key, run, { self.fail(failure, key, &$0) }) { await source.ended(key, failure) }
        }
    }

    /// Ends a run; false where the job was forgotten meanwhile.
    @discardableResult
    private func end(_ key: Key, _ run: Int, _ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            state.running[run] = nil
            if minimumInterval > 0 { state.nextStart = clock.steady() + minimumInterval }
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

    private func postpone(_ key: Key, until time: Date, _ unlessClicked: Bool, _ state: inout State) {
        state.change(key) { entry in
            entry.notBefore = max(entry.notBefore, time)
            if !unlessClicked { entry.blockedUntil = max(entry.blockedUntil, time) }
        }
    }

    private func fail(_ failure: any UpstreamFailure, _ key: Key, _ state: inout State) {
        let (date, now, shift) = (clock.now(), clock.steady(), clock.shift)
        state.change(key) { entry in
            entry.isRequested = false
            entry.priority = .background
            entry.failures += 1
            entry.failure = failure
            entry.shift = shift
            let delay = backoff.delay(
                failures: entry.failures, failure: failure, jitter: .random(in: 0.8...1.2), at: date)
            entry.notBefore = now + delay
            let isLimit = if case .rateLimited = failure.error { true } else { false }
            let isBlocked = isLimit || failure.requestedWait(at: date) > 0
            entry.blockedUntil = isBlocked ? entry.notBefore : .distantPast
            entry.watchedDue = .distantPast
            if entry.unwatchedDue != .distantFuture { entry.unwatchedDue = .distantPast }
        }
    }

    /// False where there is no room for another job.
    private func insert(_ key: Key, into state: inout State, at now: Date) -> Bool {
        guard state.entries[key] == nil else { return true }
        if state.entries.count >= capacity {
            let unwanted = state.entries.filter { _, entry in
                entry.run == nil && !entry.isRequested && entry.watchedUntil < now
                    && entry.unwatchedDue == .distantFuture
            }
            for (key, _) in unwanted.sorted(by: { $0.value.order < $1.value.order }).prefix(capacity / 2 + 1)
            {
                state.remove(key)
            }
        }
        guard state.entries.count < capacity else { return false }
        state.entries[key] = Entry(order: state.next())
        return true
    }
}
