import Foundation
import Synchronization

/// Announces changes: services publish topics, and long polls wait for them.
///
/// It carries topic names, never content. The sequence counts everyone's changes, so cursors hold it sealed, under a
/// key that is new at each start. A cursor from before a restart gets all its topics at once, so that every live region
/// is fetched again.
package final class ChangeFeed: Service {
    /// The result of a poll: the changed topics (empty after a time-out) and the next cursor.
    package struct Changes: Sendable {
        package let changed: [String]
        package let cursor: String
        /// The same object for all polls that are answered together.
        fileprivate let shared: Shared

        /// Makes a value once for all polls that are answered together and use the same key. Blocks until all of them
        /// have been answered and the value is made.
        package func shared<Value: Sendable>(_ key: String, _ make: () -> Value) -> Value {
            shared.values.withLock { values in
                if let value = values[key] as? Value { return value }
                let value = make()
                values[key] = value
                return value
            }
        }
    }

    fileprivate final class Shared: Sendable {
        let values = Mutex<[String: any Sendable]>([:])
    }

    private struct Waiter {
        let topics: [String]
        let since: Int
        let deadline: ContinuousClock.Instant
        let isOpen: @Sendable () -> Bool
        let answer: @Sendable (Changes) -> Void
    }

    private struct State {
        var sequence = 0
        var lastChange: [String: Int] = [:]
        var waiters: [Int: Waiter] = [:]
        var waitersByTopic: [String: Set<Int>] = [:]
        var due: Set<Int> = []
        /// When many polls were last answered at once. No poll is answered until `pauseEnd`.
        var lastBroadcast = ContinuousClock.now
        var pauseEnd = ContinuousClock.now
        /// The number of answered clients that have yet to ask again before the pause can end early.
        var awaited = 0
        var nextWaiter = 0
        var isStopped = false
        /// Fired at each change of the topic.
        var signals: [String: AsyncSignal] = [:]

        var isPaused: Bool { .now < pauseEnd }

        mutating func notePoll() {
            awaited -= 1
            if awaited == 0 { pauseEnd = min(pauseEnd, .now + lastBroadcast.duration(to: .now) / 4) }
        }

        func changes(of topics: [String], since: Int) -> [String] {
            topics.filter { (lastChange[$0] ?? 0) > since }
        }
    }

    /// After answering more than `pauseThreshold` polls at once, the feed pauses until 90% of those clients have asked
    /// again, plus a quarter of that time, but at most `pauseForEach` per client. Changes during the pause share one
    /// answer. Without it, a hundred messages a second to a thousand clients cause a hundred thousand answers a second,
    /// each half a second late or more. With twice that pause they arrive a third later.
    package static let (pauseThreshold, pauseForEach) = (200, Duration.microseconds(200))

    package let boot: String
    private let sealer = NumberSealer()
    private let state = Mutex(State())
    private let signal = AsyncSignal()
    private let pauseForEach: Duration

    package init(
        boot: String = String(UInt64.random(in: .min ... .max), radix: 36),
        pauseForEach: Duration = ChangeFeed.pauseForEach
    ) {
        self.boot = boot
        self.pauseForEach = pauseForEach
    }

    package var waiting: Int { state.withLock { $0.waiters.count } }

    package var cursor: String { cursor(at: position) }

    /// The sequence of the last change. Must not reach a client.
    package var position: Int { state.withLock(\.sequence) }

    /// A name for the last change of any of the topics, safe to show to clients. The same name means the same data.
    package func versionName(of topics: [String]) -> String {
        "\(boot)-\(sealer.name(of: Int64(version(of: topics))))"
    }

    /// The sequence of the last change of any of the topics. The same number means the same data. Must not reach a
    /// client.
    package func version(of topics: [String]) -> Int {
        state.withLock { state in topics.reduce(0) { max($0, state.lastChange[$1] ?? 0) } }
    }

    /// Announces that the topics have changed. Waiting polls are answered before it returns, or at the end of a pause.
    package func publish(_ topics: String...) { publish(topics) }

    /// Fires the signal at each change of the topic, for the one task in this program that acts on it.
    package func fire(_ signal: AsyncSignal, at topic: String) {
        state.withLock { $0.signals[topic] = signal }
    }

    package func publish(_ topics: [String]) {
        let (isPaused, signals) = state.withLock { state in
            state.sequence += 1
            for topic in topics {
                state.lastChange[topic] = state.sequence
                state.due.formUnion(state.waitersByTopic[topic] ?? [])
            }
            let signals = state.signals.isEmpty ? [] : topics.compactMap { state.signals[$0] }
            return (!state.due.isEmpty && state.isPaused, signals)
        }
        for signal in signals { signal.fire() }
        if isPaused { signal.fire() } else { answerDue() }
    }

    private func answerDue() {
        let (waiters, sequence) = state.withLock { state in
            let due = state.due
            state.due = []
            let waiters = remove(due, from: &state)
            if waiters.count > Self.pauseThreshold {
                state.lastBroadcast = .now
                state.pauseEnd = state.lastBroadcast + pauseForEach * waiters.count
                state.awaited = waiters.count * 9 / 10
            }
            return (waiters, state.sequence)
        }
        guard !waiters.isEmpty else { return }
        let (shared, cursor) = (Shared(), cursor(at: sequence))
        // Holding the lock keeps early clients from making shared values before the last one is answered.
        shared.values.withLock { _ in
            for (waiter, changed) in waiters {
                waiter.answer(Changes(changed: changed, cursor: cursor, shared: shared))
            }
        }
    }

    /// Calls `answer` once, on any thread: immediately if a topic has changed since the cursor or `duration` is zero,
    /// otherwise at the next change or after `duration`. During a pause changes are answered at its end.
    ///
    /// - Parameters:
    ///   - isOpen: whether the client is still connected; must not call the feed. The next `expire` removes a closed
    /// poll.
    ///   - answer: must not call the feed or `Changes.shared`; do that later or on another thread
    package func wait(
        for topics: [String], after cursor: String?, atMost duration: Duration,
        isOpen: @escaping @Sendable () -> Bool = { true },
        answer: @escaping @Sendable (Changes) -> Void
    ) {
        let cursorSequence = cursor.map { sequence(in: $0) }
        let (now, isDue) = state.withLock { state -> ((changed: [String], sequence: Int)?, isDue: Bool) in
            state.notePoll()
            guard case let since?? = cursorSequence, since <= state.sequence else {
                return ((cursorSequence == nil ? [] : topics, state.sequence), false)
            }
            let changed = state.changes(of: topics, since: since)
            if state.isStopped || duration == .zero || !changed.isEmpty && !state.isPaused {
                return ((changed, state.sequence), false)
            }
            let id = state.nextWaiter
            state.nextWaiter += 1
            for topic in topics { state.waitersByTopic[topic, default: []].insert(id) }
            if !changed.isEmpty { state.due.insert(id) }
            state.waiters[id] = Waiter(
                topics: topics, since: since, deadline: .now + duration, isOpen: isOpen, answer: answer)
            // Also for the poll that lets the pause end early: it resets the timer.
            return (nil, !changed.isEmpty || state.awaited == 0)
        }
        if let now {
            answer(Changes(changed: now.changed, cursor: self.cursor(at: now.sequence), shared: Shared()))
        } else if isDue {
            signal.fire()
        }
    }

    /// Answers the polls that have timed out and removes closed ones. The owner calls it about every second.
    package func expire(now: ContinuousClock.Instant = .now) {
        release { $0.deadline <= now || !$0.isOpen() }
    }

    package func stop() {
        state.withLock { $0.isStopped = true }
        release { _ in true }
    }

    package func run() async {
        async let expiry: Void = expireEverySecond()
        while !Task.isCancelled {
            // The wait is zero if the pause is over.
            let pauseEnd = state.withLock { $0.due.isEmpty ? nil : $0.pauseEnd }
            await signal.wait(atMost: pauseEnd.map { $0 - .now })
            if !state.withLock(\.isPaused) { answerDue() }
        }
        await expiry
    }

    private func expireEverySecond() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            expire()
        }
    }

    private func release(where isOver: (Waiter) -> Bool) {
        let (waiters, sequence) = state.withLock { state in
            let over = state.waiters.filter { isOver($0.value) }.keys
            return (remove(over, from: &state), state.sequence)
        }
        guard !waiters.isEmpty else { return }
        let (shared, cursor) = (Shared(), cursor(at: sequence))
        for (waiter, changed) in waiters {
            waiter.answer(Changes(changed: changed, cursor: cursor, shared: shared))
        }
    }

    private func remove(_ ids: some Sequence<Int>, from state: inout State) -> [(Waiter, changed: [String])] {
        ids.compactMap { id in
            guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
            state.due.remove(id)
            for topic in waiter.topics {
                state.waitersByTopic[topic]?.remove(id)
                if state.waitersByTopic[topic]?.isEmpty == true { state.waitersByTopic[topic] = nil }
            }
            return (waiter, state.changes(of: waiter.topics, since: waiter.since))
        }
    }

    package func cursor(at sequence: Int) -> String { sealer.seal(Int64(sequence)) }

    /// Returns nil for an invalid cursor or one from another run.
    package func sequence(in cursor: String) -> Int? { sealer.open(cursor).map { Int($0) } }
}

/// The names of topics. Only that user or display receives a topic with a user or display in its name.
///
/// Each feature declares its topics in an extension.
package enum Topic {}
