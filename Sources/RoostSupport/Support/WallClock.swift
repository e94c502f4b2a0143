package import Foundation
import Synchronization
import TextFormats

/// The time for services, which tests set by hand.
///
/// `now` is the machine's date, which can be set: use it for times that are stored, shown or compared with another
/// machine's. `steady` cannot be set: use it for everything that is measured while the program runs, such as intervals,
/// back-off and throttling. `date(of:)` and `instant(of:)` convert between them.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date
    /// `CLOCK_BOOTTIME` on Linux (swift/stdlib/public/Concurrency/Clock.cpp), which counts while the machine sleeps
    /// (clock_gettime(2)).
    package let steady: @Sendable () -> ContinuousClock.Instant
    private let start: (date: Date, instant: ContinuousClock.Instant)
    private let offset = Offset()

    package init() { self.init(now: { Date() }, steady: { .now }) }

    /// The steady clock advances with `now`, which must never be set back.
    package init(now: @escaping @Sendable () -> Date) {
        let (date, instant) = (now(), ContinuousClock.now)
        self.init(now: now, steady: { instant + .seconds(now().timeIntervalSince(date)) })
    }

    package init(
        now: @escaping @Sendable () -> Date, steady: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.now = now
        self.steady = steady
        start = (now(), steady())
    }

    /// The machine's time in whole milliseconds, as in the database.
    package var nowInMilliseconds: Date { now().inMilliseconds }

    /// The date of an instant on the machine's clock, in whole microseconds, so that a date converted to an instant
    /// and back is the same. It changes only if the clock is set by more than a second.
    package func date(of instant: ContinuousClock.Instant) -> Date { dates.date(of: instant) }

    /// Converts many instants without reading the clocks for each.
    package var dates: Dates { Dates(start: start, shift: shift) }

    package struct Dates: Sendable {
        fileprivate let start: (date: Date, instant: ContinuousClock.Instant)
        fileprivate let shift: TimeInterval

        package func date(of instant: ContinuousClock.Instant) -> Date {
            let date = start.date + shift + (instant - start.instant).inSeconds
            return Date(
                timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1e6).rounded() / 1e6)
        }
    }

    package func instant(of date: Date) -> ContinuousClock.Instant {
        start.instant + .seconds(date.timeIntervalSince(start.date) - shift)
    }

    /// The seconds by which the machine's clock was set forward since the start.
    private var shift: TimeInterval {
        offset.value.withLock { value in
            let measured = measuredShift
            if abs(measured - value) > 1 { value = (measured * 1_000).rounded() / 1_000 }
            return value
        }
    }

    /// Repeats if the thread was interrupted between the readings.
    private var measuredShift: TimeInterval {
        var measured: TimeInterval = 0
        for _ in 0..<3 {
            let before = steady()
            measured = now().timeIntervalSince(start.date) - (before - start.instant).inSeconds
            if steady() - before < .milliseconds(100) { break }
        }
        return measured
    }

    private final class Offset: Sendable {
        let value = Mutex<TimeInterval>(0)
    }
}

extension Duration {
    package var inSeconds: Double { self / .seconds(1) }
}

extension ContinuousClock.Instant {
    /// Long before the program's start, for what has not happened yet.
    package static let distantPast = now - .seconds(100 * 365 * 86_400)
    /// Long after the program's end, for what never happens.
    package static let distantFuture = now + .seconds(100 * 365 * 86_400)
}

/// The mission's rule for times "in the future": more than five minutes ahead of ours is clamped to now.
package enum ClockSkew {
    /// In seconds.
    package static let tolerance: TimeInterval = 300

    /// Returns true for a date of another machine, or of this one before its clock was set back.
    package static func isAhead(_ date: Date, of now: Date) -> Bool {
        date.timeIntervalSince(now) > tolerance
    }

    /// Returns the clamped date. A date before the year 1 becomes its beginning.
    package static func clamped(_ date: Date, now: Date) -> (date: Date, wasAhead: Bool) {
        isAhead(date, of: now) ? (now, true) : (max(date, .distantPast), false)
    }

    /// Returns true if data fetched at this date must be fetched again: after `lifetime` seconds, or if the date is
    /// ahead of now by more than the tolerance because the clock was set back.
    package static func isExpired(_ date: Date, lifetime: TimeInterval, now: Date) -> Bool {
        now.timeIntervalSince(date) > lifetime || isAhead(date, of: now)
    }
}

extension CodingUserInfoKey {
    /// The current time, to detect clock skew of an upstream. A constant name always makes a key.
    // swift-format-ignore: NeverForceUnwrap
    package static let now = CodingUserInfoKey(rawValue: "now")!
}

/// A time in Roost's JSON: RFC 3339 in UTC, in whole seconds, rounded down.
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
        try container.encode(ISO8601.seconds(date))
    }
}
