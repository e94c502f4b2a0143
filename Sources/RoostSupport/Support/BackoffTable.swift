package import Foundation

/// Failures by key, and how long each has to wait for the next try: 1, 2, 4 ... seconds after the free ones.
package struct BackoffTable: Sendable {
    private struct Entry {
        var failures = 0
        /// Begun and not yet decided.
        var begun = 0
        var last: Date
        var lastBegun = Date.distantPast
    }

    /// An entry without failure for so long is forgotten. Longer than every delay.
    private static let lifetime: TimeInterval = 3_600
    /// Whoever began and was never heard of again, since he left or the machine was busy, has not failed.
    private static let attemptTimeout: TimeInterval = 30
    private static let maximum = 10_000

    /// How many failures bring no delay.
    let free: Int
    /// The longest delay in seconds, at most `lifetime`.
    let maximumDelay: Int

    private var entries: [Data: Entry] = [:]

    package init(free: Int, maximumDelay: Int) {
        self.free = free
        self.maximumDelay = maximumDelay
    }

    /// Whole seconds, at least one; nil for none.
    package mutating func wait(_ key: Data, at now: Date) -> Int? {
        guard let entry = current(key, at: now) else { return nil }
        let sinceLast = now.timeIntervalSince(entry.last)
        let left = TimeInterval(delay(after: entry.failures)) - sinceLast
        if left > 0 { return Int(left.rounded(.up)) }
        return entry.begun > 0 && entry.failures + entry.begun >= free ? 1 : nil
    }

    package mutating func begin(_ key: Data, at now: Date) {
        change(key, at: now) {
            $0.begun += 1
            $0.lastBegun = now
        }
    }

    package mutating func failed(_ key: Data, at now: Date) {
        change(key, at: now) {
            $0.begun = max(0, $0.begun - 1)
            $0.failures += 1
            $0.last = now
        }
    }

    package mutating func gaveUp(_ key: Data, at now: Date) {
        guard entries[key] != nil else { return }
        change(key, at: now) { $0.begun = max(0, $0.begun - 1) }
        // What says nothing must not push out what does.
        if let entry = entries[key], entry.begun == 0, entry.failures == 0 { entries[key] = nil }
    }

    package mutating func forget(_ key: Data) { entries[key] = nil }

    private func delay(after failures: Int) -> Int {
        failures <= free ? 0 : min(maximumDelay, 1 << min(failures - free - 1, 30))
    }

    /// What is still known of it; a clock that was put back does not make anybody wait longer.
    private mutating func current(_ key: Data, at now: Date) -> Entry? {
        guard var entry = entries[key] else { return nil }
        guard now.timeIntervalSince(entry.last) < Self.lifetime else {
            entries[key] = nil
            return nil
        }
        entry.last = min(entry.last, now)
        if !(0..<Self.attemptTimeout).contains(now.timeIntervalSince(entry.lastBegun)) { entry.begun = 0 }
        entries[key] = entry
        return entry
    }

    private mutating func change(_ key: Data, at now: Date, _ body: (inout Entry) -> Void) {
        var entry = current(key, at: now) ?? Entry(last: now)
        body(&entry)
        if entries[key] == nil { makeRoom() }
        entries[key] = entry
    }

    /// The oldest goes first. Looking through all is cheap beside the hash that each failure costs.
    private mutating func makeRoom() {
        guard entries.count >= Self.maximum, let oldest = entries.min(by: { $0.value.last < $1.value.last })
        else {
            return
        }
        entries[oldest.key] = nil
    }
}
