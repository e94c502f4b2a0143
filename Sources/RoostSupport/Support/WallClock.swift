package import Foundation
import Synchronization
import TextFormats

/// The time as the services see it: real in the program, moved by hand in tests.
///
/// There are two clocks. `now` is the machine's, which somebody may set: it is for times that are stored, shown or
/// compared with another machine's. `steady` cannot be set: it is for everything that is counted in seconds while the
/// program runs (intervals, back-off, throttles, "somebody looks"). Their times are compared only with times of the
/// same clock; `date(of:)` and `steady(of:)` convert.
package struct WallClock: Sendable {
    /// What the machine's clock says.
    package let now: @Sendable () -> Date
    /// What the machine's clock said when the program started, plus the seconds that have passed since.
    ///
    /// `ContinuousClock`, which is `CLOCK_BOOTTIME` on Linux (swift/stdlib/public/Concurrency/Clock.cpp) and so counts
    /// while the machine sleeps (clock_gettime(2)).
    package let steady: @Sendable () -> Date
    private let offset = Offset()

    /// The machine's clocks.
    package init() {
        self.init(
            now: { Date() },
            steady: {
                let passed = (ContinuousClock.now - Self.start.instant).components
                return Self.start.date + Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
            })
    }

    /// - Parameter steady: as much as `now` at first; nil: nobody sets `now`
    package init(now: @escaping @Sendable () -> Date, steady: (@Sendable () -> Date)? = nil) {
        self.now = now
        self.steady = steady ?? now
    }

    private static let start = (date: Date(), instant: ContinuousClock.now)

    /// How far ahead of `steady` the machine's clock is, in seconds: 0 unless somebody has set it.
    ///
    /// It changes only when the clock has been set by more than a second, so that converting a time twice gives the
    /// same date.
    package var shift: TimeInterval {
        offset.value.withLock { value in
            let measured = measuredShift
            if abs(measured - value) > 1 { value = measured }
            return value
        }
    }

    /// Between the readings the thread may be put aside: then they do not belong together.
    private var measuredShift: TimeInterval {
        for _ in 0..<3 {
            let before = steady()
            let date = now()
            if steady().timeIntervalSince(before) < 0.1 { return date.timeIntervalSince(before) }
        }
        return now().timeIntervalSince(steady())
    }

    /// The date to show for a time of the steady clock.
    package func date(of steady: Date) -> Date { steady + shift }

    /// The time of the steady clock at which the machine's clock says this date, unless it is set again.
    package func steady(of date: Date) -> Date { date - shift }

    private final class Offset: Sendable {
        let value = Mutex<TimeInterval>(0)
    }
}

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

extension CodingUserInfoKey {
    /// The time to judge an upstream's clock by; a constant name always makes a key.
    // swift-format-ignore: NeverForceUnwrap
    package static let now = CodingUserInfoKey(rawValue: "now")!
}

/// A time as Roost's JSON carries it: ISO 8601 in UTC, to the millisecond.
package struct JSONTime: Codable {
    package let date: Date

    package init(_ date: Date) { self.date = date }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = ISO8601.parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
        }
        self.date = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.milliseconds(date))
    }
}
