package import Foundation
import Synchronization

/// The expiry times of links, tokens and undos that were created since the program's start.
///
/// They are valid as long as either clock says so, so that setting the machine's clock forward does not expire them
/// early. Setting it back cannot extend them without limit, because the steady clock ends them and stored times are
/// clamped. Beyond `limit`, those that expire first are forgotten, and only the machine's clock counts for them.
package final class SteadyExpirations<Key: Hashable & Sendable>: Sendable {
    package static var limit: Int { 4_000 }

    private let clock: WallClock
    private let expirations = Mutex<[Key: ContinuousClock.Instant]>([:])

    package init(clock: WallClock) {
        self.clock = clock
    }

    package func note(_ key: Key, lasting seconds: TimeInterval) {
        let now = clock.steady()
        expirations.withLock { expirations in
            // Halves them, because sorting them all at every note would be slow.
            if expirations.count >= Self.limit {
                let left = expirations.filter { $0.value > now }.sorted { $0.value > $1.value }
                let kept = left.prefix(Self.limit / 2).map { ($0.key, $0.value) }
                expirations = Dictionary(uniqueKeysWithValues: kept)
            }
            expirations[key] = now + .seconds(seconds)
        }
    }

    package var validKeys: [Key] {
        let now = clock.steady()
        return expirations.withLock { $0.filter { $0.value > now }.map(\.key) }
    }

    /// Returns the expiry date, or nil if the key has expired or is older than the program's start.
    package func expiration(of key: Key) -> Date? {
        let now = clock.steady()
        return expirations.withLock { $0[key].flatMap { $0 > now ? $0 : nil } }.map(clock.date)
    }

    /// The date to compare with the stored expiry: the current time, or the distant past if the steady clock says it is
    /// valid.
    package func comparisonDate(for key: Key) -> Date {
        expiration(of: key) == nil ? clock.now() : .distantPast
    }
}
