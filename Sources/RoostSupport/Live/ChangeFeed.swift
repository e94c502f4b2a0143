import Foundation
import Synchronization

/// The one place that knows what changed: services publish topics, long polls hear of them.
///
/// It carries names, never content. The sequence counts what everyone does, so cursors hold it sealed, under a key of this
/// boot: a cursor of another boot hears of all its topics at once, so that after a restart every live region is fetched again.
package final class ChangeFeed: Service {
    /// What a poll is told: the topics that changed (none on a time-out) and where to go on.
    package struct Changes: Sendable {
        package let changed: [String]
        package let cursor: String
        /// The same object for all who are told at once.
        fileprivate let shared: Shared

        /// Makes a value once for all who are told at once and ask by the same key, after all of them have been told; who
        /// asks meanwhile waits.
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
        /// The sequence that its client knows.
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
        /// The waiters with news.
        var due: Set<Int> = []
        /// When many were told; no poll is until `pauseEnd`.
        var told = ContinuousClock.now
        var pauseEnd = ContinuousClock.now
        /// How many more of those who were told have to ask again.
        var awaited = 0
        var nextWaiter = 0
        var isStopped = false

        var isPaused: Bool { .now < pauseEnd }

        mutating func noteQuestion() {
            awaited -= 1
            if awaited == 0 { pauseEnd = min(pauseEnd, .now + told.duration(to: .now) / 4) }
        }

        func changes(of topics: [String], since: Int) -> [String] {
            topics.filter { (lastChange[$0] ?? 0) > since }
        }
    }

    /// After the feed has answered more than `few` polls at once, it pauses: until nine of ten clients have asked again plus a
    /// quarter of that time, but at most `pauseForEach` for each client. Changes during the pause share one answer. Without it,
    /// a hundred messages a second to a thousand clients are a hundred thousand answers a second, and each arrives half a second
    /// late or more. A pause of twice that time delays them by a third.
    package static let (few, pauseForEach) = (200, Duration.microseconds(200))

    /// Names this run of the program.
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

    /// How many polls are waiting.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// The cursor of this moment: a poll with it hears of what comes after.
    package var cursor: String { cursor(at: state.withLock(\.sequence)) }

    /// Names the last change of any of the topics for a client: the same name, the same data.
    package func versionName(of topics: [String]) -> String {
        "\(boot)-\(sealer.name(of: Int64(version(of: topics))))"
    }

    /// The sequence of the last change of any of the topics: the same number, the same data. It must not reach a client.
    package func version(of topics: [String]) -> Int {
        state.withLock { state in topics.reduce(0) { max($0, state.lastChange[$1] ?? 0) } }
    }

    /// Says that what these topics name has changed. Waiting polls are answered before it returns, or at the end of the pause
    /// after many were.
    package func publish(_ topics: String...) { publish(topics) }

    package func publish(_ topics: [String]) {
        let isPaused = state.withLock { state in
            state.sequence += 1
            for topic in topics {
                state.lastChange[topic] = state.sequence
                state.due.formUnion(state.waitersByTopic[topic] ?? [])
            }
            return !state.due.isEmpty && state.isPaused
        }
        if isPaused { signal.fire() } else { tell() }
    }

    /// Answers all who have news.
    private func tell() {
        let (waiters, sequence) = state.withLock { state in
            let due = state.due
            state.due = []
            let waiters = remove(due, from: &state)
            if waiters.count > Self.few {
                state.told = .now
                state.pauseEnd = state.told + pauseForEach * waiters.count
                state.awaited = waiters.count * 9 / 10
            }
            return (waiters, state.sequence)
        }
        guard !waiters.isEmpty else { return }
        let (shared, cursor) = (Shared(), cursor(at: sequence))
        // Nothing is made for the first, who asks again as soon as he has it, before the last has been told.
        shared.values.withLock { _ in
            for (waiter, changed) in waiters {
                waiter.answer(Changes(changed: changed, cursor: cursor, shared: shared))
            }
        }
    }

    /// Answers once, from any thread: now, if a topic changed after the cursor or `duration` is zero; otherwise at the next change or
    /// when `duration` is over. In the pause after many were told also what has changed waits for its end.
    ///
    /// - Parameters:
    ///   - isOpen: whether anybody still waits for the answer; must not call back. A poll that has been left is
    ///     forgotten by the next `expire`.
    ///   - answer: must not call back either, nor make what is shared: that is done after it, on another thread or later
    package func wait(
        for topics: [String], after cursor: String?, atMost duration: Duration,
        isOpen: @escaping @Sendable () -> Bool = { true },
        answer: @escaping @Sendable (Changes) -> Void
    ) {
        let known = cursor.map { sequence(in: $0) }
        let (now, isDue) = state.withLock { state -> ((changed: [String], sequence: Int)?, isDue: Bool) in
            state.noteQuestion()
            guard case let since?? = known, since <= state.sequence else {
                return ((known == nil ? [] : topics, state.sequence), false)
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
            // Also the poll after which the pause may end sooner sets the timer again.
            return (nil, !changed.isEmpty || state.awaited == 0)
        }
        if let now {
            answer(Changes(changed: now.changed, cursor: self.cursor(at: now.sequence), shared: Shared()))
        } else if isDue {
            signal.fire()
        }
    }

    /// Answers the polls whose time is over, and lets go of those that were left; the owner calls it about every second.
    package func expire(now: ContinuousClock.Instant = .now) {
        release { $0.deadline <= now || !$0.isOpen() }
    }

    /// Ends every poll, and every later one at once: the server is going away.
    package func stop() {
        state.withLock { $0.isStopped = true }
        release { _ in true }
    }

    /// Runs until cancelled: the timers behind `expire` and the pauses.
    package func run() async {
        async let expiry: Void = expireEverySecond()
        while !Task.isCancelled {
            // A pause that has ended meanwhile is a wait of no time.
            let pauseEnd = state.withLock { $0.due.isEmpty ? nil : $0.pauseEnd }
            await signal.wait(atMost: pauseEnd.map { $0 - .now })
            if !state.withLock(\.isPaused) { tell() }
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

    /// Takes out these waiters, each with its topics that have changed.
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

    /// The sequence that a cursor of this boot holds, nil for another boot's or for nonsense.
    package func sequence(in cursor: String) -> Int? { sealer.open(cursor).map { Int($0) } }
}

/// The names of what can change; one with a user or a display in it is heard by that user or display only.
///
/// Each feature declares its topics in an extension.
package enum Topic {}
