import Foundation
import Synchronization

/// The one place that knows what changed: services publish topics, long polls hear of them.
///
/// It carries names, never content. A cursor is `BOOT.SEQUENCE`: a cursor of another boot hears of all its topics at
/// once, so that after a restart every live region is fetched again.
package final class ChangeFeed: Service {
    /// What a poll is told: the topics that changed (none on a time-out) and where to go on.
    package struct Changes: Sendable {
        package let changed: [String]
        package let cursor: String
        /// The same object for all who are told at once.
        fileprivate let shared: Shared

        /// Makes a value once for all who are told at once and ask by the same key.
        package func shared<Value: Sendable>(_ key: String, _ make: () -> Value) -> Value {
            if let value = shared.values.withLock({ $0[key] }) as? Value { return value }
            let value = make()
            shared.values.withLock { $0[key] = value }
            return value
        }
    }

    fileprivate final class Shared: Sendable {
        let values = Mutex<[String: any Sendable]>([:])
    }

    /// Makes an answer, and returns what sends it.
    package typealias MakeAnswer = @Sendable (Changes) -> @Sendable () -> Void

    private struct Waiter {
        let topics: [String]
        let deadline: ContinuousClock.Instant
        let isOpen: @Sendable () -> Bool
        let answer: MakeAnswer
    }

    private struct State {
        var sequence = 0
        var lastChange: [String: Int] = [:]
        var waiters: [Int: Waiter] = [:]
        var waitersByTopic: [String: Set<Int>] = [:]
        var nextWaiter = 0
        var isStopped = false
    }

    private let boot: String
    private let state = Mutex(State())

    package init(boot: String = String(UInt64.random(in: .min ... .max), radix: 36)) {
        self.boot = boot
    }

    /// How many polls are waiting.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// The cursor of this moment: a poll with it hears of what comes after.
    package var cursor: String { state.withLock { cursor(at: $0.sequence) } }

    /// The sequence of the last change of any of the topics: the same number, the same data.
    package func version(of topics: [String]) -> Int {
        state.withLock { state in topics.reduce(0) { max($0, state.lastChange[$1] ?? 0) } }
    }

    /// Says that what these topics name has changed; waiting polls are answered before it returns.
    package func publish(_ topics: String...) { publish(topics) }

    package func publish(_ topics: [String]) {
        let (waiters, news) = state.withLock { state in
            state.sequence += 1
            for topic in topics { state.lastChange[topic] = state.sequence }
            let ids = topics.reduce(into: Set<Int>()) { $0.formUnion(state.waitersByTopic[$1] ?? []) }
            return (ids.compactMap { remove($0, from: &state) }, cursor(at: state.sequence))
        }
        let (changed, shared) = (Set(topics), Shared())
        // All are made before the first is sent: who is told asks again at once, while the others still wait.
        let answers = waiters.map { waiter in
            waiter.answer(
                Changes(changed: waiter.topics.filter(changed.contains), cursor: news, shared: shared))
        }
        for send in answers { send() }
    }

    /// Answers once, from any thread: now, if a topic changed after the cursor or `duration` is zero; otherwise at the next change or
    /// when `duration` is over.
    ///
    /// - Parameter isOpen: whether anybody still waits for the answer; must not call back. A poll that has been left
    ///   is forgotten by the next `expire`.
    package func wait(
        for topics: [String], after cursor: String?, atMost duration: Duration,
        isOpen: @escaping @Sendable () -> Bool = { true },
        answer: @escaping MakeAnswer
    ) {
        let now = state.withLock { state -> Changes? in
            let here = self.cursor(at: state.sequence)
            guard let cursor, let since = sequence(in: cursor), since <= state.sequence else {
                return Changes(changed: cursor == nil ? [] : topics, cursor: here, shared: Shared())
            }
            let changed = topics.filter { (state.lastChange[$0] ?? 0) > since }
            if !changed.isEmpty || state.isStopped || duration == .zero {
                return Changes(changed: changed, cursor: here, shared: Shared())
            }
            let id = state.nextWaiter
            state.nextWaiter += 1
            for topic in topics { state.waitersByTopic[topic, default: []].insert(id) }
            state.waiters[id] = Waiter(
                topics: topics, deadline: .now + duration, isOpen: isOpen, answer: answer)
            return nil
        }
        if let now { answer(now)() }
    }

    /// Answers the polls whose time is over, and lets go of those that were left; the owner calls it about every second.
    package func expire(now: ContinuousClock.Instant = .now) {
        release { $0.deadline <= now || !$0.isOpen() }
    }

    /// Ends every poll with no news, and every later one at once: the server is going away.
    package func stop() {
        state.withLock { $0.isStopped = true }
        release { _ in true }
    }

    /// Runs until cancelled: the timer behind `expire`.
    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            expire()
        }
    }

    private func release(where isOver: (Waiter) -> Bool) {
        let (waiters, here) = state.withLock { state in
            let over = state.waiters.filter { isOver($0.value) }.keys
            return (over.compactMap { remove($0, from: &state) }, cursor(at: state.sequence))
        }
        let shared = Shared()
        for waiter in waiters { waiter.answer(Changes(changed: [], cursor: here, shared: shared))() }
    }

    private func remove(_ id: Int, from state: inout State) -> Waiter? {
        guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
        for topic in waiter.topics {
            state.waitersByTopic[topic]?.remove(id)
            if state.waitersByTopic[topic]?.isEmpty == true { state.waitersByTopic[topic] = nil }
        }
        return waiter
    }

    private func cursor(at sequence: Int) -> String { "\(boot).\(sequence)" }

    /// The sequence that a cursor of this boot names, nil for another boot's or for nonsense.
    private func sequence(in cursor: String) -> Int? {
        let parts = cursor.splitBytes(at: ".")
        guard parts.count == 2, parts[0] == boot else { return nil }
        return Int(parts[1])
    }
}
