package import Foundation

/// The mission's rule for times "in the future": more than five minutes ahead of ours is clamped to now.
package enum ClockSkew {
    /// How far ahead of ours another clock may be, in seconds.
    package static let tolerance: TimeInterval = 300

    /// The date to keep, and whether it had to be clamped. A date before the year 1 becomes its beginning.
    package static func clamped(_ date: Date, now: Date) -> (date: Date, wasAhead: Bool) {
        date.timeIntervalSince(now) > tolerance ? (now, true) : (max(date, .distantPast), false)
    }

    /// True when what was fetched at this date has to be fetched again: `lifetime` seconds are over, or the date lies
    /// ahead of now by more than the tolerance, since the clock has been put back: then it says nothing.
    package static func isOver(_ date: Date, lifetime: TimeInterval, now: Date) -> Bool {
        let age = now.timeIntervalSince(date)
        return age > lifetime || age < -tolerance
    }
}
