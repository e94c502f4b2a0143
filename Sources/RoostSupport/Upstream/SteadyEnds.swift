package import Foundation
import Synchronization

/// When links, tokens and undos that were made since the program started end by the steady clock.
///
/// They are good as long as either clock says so: the machine's, put forward, ends none of them early. Since the steady
/// one ends them after their lifetime, and what is stored is clamped to it, none lasts without bound.
package final class SteadyEnds<Key: Hashable & Sendable>: Sendable {
    private let clock: WallClock
    private let ends = Mutex<[Key: Date]>([:])

    package init(clock: WallClock) {
        self.clock = clock
    }

    /// Notes that it is good for so many seconds from now.
    package func note(_ key: Key, lasting seconds: TimeInterval) {
        let now = clock.steady()
        ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            ends[key] = now + seconds
        }
    }

    /// Those that are not over.
    package var good: [Key] {
        let now = clock.steady()
        return ends.withLock { $0.filter { $0.value > now }.map(\.key) }
    }

    /// The date at which it ends; nil for what is over, or older than the program's start.
    package func end(of key: Key) -> Date? {
        let now = clock.steady()
        return ends.withLock { ends in ends[key].flatMap { $0 > now ? $0 : nil } }.map(clock.date)
    }

    /// The date to compare with the stored end: now, or, where the steady clock says that it is good, one before all.
    package func dateToJudge(_ key: Key) -> Date { end(of: key) == nil ? clock.now() : .distantPast }
}
