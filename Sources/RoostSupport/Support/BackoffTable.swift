package import Foundation

/// Counts failures by key and computes the delay before the next attempt: 1, 2, 4 ... seconds after the free failures.
package struct BackoffTable: Sendable {
    private struct Entry {
        var failures = 0
        var pendingAttempts = 0
        var last: ContinuousClock.Instant
        var lastAttempt = ContinuousClock.Instant.distantPast
    }

    /// Entries without a failure for this long are removed. Longer than every delay.
    private static let lifetime = Duration.seconds(3_600)
    /// An attempt that never finished (client gone, machine busy) is not a failure.
    private static let attemptTimeout = Duration.seconds(30)
    private static let maximum = 10_000

    let free: Int
    /// The longest delay in seconds, at most `lifetime`.
    let maximumDelay: Int

    private var entries: [Data: Entry] = [:]

    package init(free: Int, maximumDelay: Int) {
        self.free = free
        self.maximumDelay = maximumDelay
    }

    /// Returns the remaining delay in whole seconds, at least one, or nil.
    package mutating func wait(_ key: Data, at now: ContinuousClock.Instant) -> Int? {
        guard let entry = current(key, at: now) else { return nil }
        let left = .seconds(delay(after: entry.failures)) - (now - entry.last)
        if left > .zero { return Int(left.inSeconds.rounded(.up)) }
        return entry.pendingAttempts > 0 && entry.failures + entry.pendingAttempts >= free ? 1 : nil
    }

    package mutating func begin(_ key: Data, at now: ContinuousClock.Instant) {
        change(key, at: now) {
            $0.pendingAttempts += 1
            $0.lastAttempt = now
        }
    }

    package mutating func failed(_ key: Data, at now: ContinuousClock.Instant) {
        change(key, at: now) {
            $0.pendingAttempts = max(0, $0.pendingAttempts - 1)
            $0.failures += 1
            $0.last = now
        }
    }

    package mutating func gaveUp(_ key: Data, at now: ContinuousClock.Instant) {
        guard entries[key] != nil else { return }
        change(key, at: now) { $0.pendingAttempts = max(0, $0.pendingAttempts - 1) }
        // Empty entries must not push out others.
        if let entry = entries[key], entry.pendingAttempts == 0, entry.failures == 0 { entries[key] = nil }
    }

    package mutating func forget(_ key: Data) { entries[key] = nil }

    private func delay(after failures: Int) -> Int {
        failures <= free ? 0 : min(maximumDelay, 1 << min(failures - free - 1, 30))
    }

    private mutating func current(_ key: Data, at now: ContinuousClock.Instant) -> Entry? {
        guard var entry = entries[key] else { return nil }
        guard now - entry.last < Self.lifetime else {
            entries[key] = nil
            return nil
        }
        if now - entry.lastAttempt >= Self.attemptTimeout { entry.pendingAttempts = 0 }
        entries[key] = entry
        return entry
    }

    private mutating func change(_ key: Data, at now: ContinuousClock.Instant, _ body: (inout Entry) -> Void)
    {
        var entry = current(key, at: now) ?? Entry(last: now)
        body(&entry)
        if entries[key] == nil { makeRoom() }
        entries[key] = entry
    }

    /// Removes the oldest entry. The linear search is cheap compared to the password hash that each failure costs.
    private mutating func makeRoom() {
        guard entries.count >= Self.maximum, let oldest = entries.min(by: { $0.value.last < $1.value.last })
        else {
            return
        }
        entries[oldest.key] = nil
    }
}
