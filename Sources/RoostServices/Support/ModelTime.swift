package import Foundation

/// The mission's rule for times "in the future": more than five minutes ahead of ours is clamped to now.
package enum ModelTime {
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

    /// Reads ISO 8601 with or without fractions of a second, in UTC or with an offset; to the nearest millisecond.
    package static func parse(_ text: String) -> Date? {
        let date =
            (try? Date(
                text,
                strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)
                    .timeZone(separator: .omitted)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
        return date.map { Date(timeIntervalSince1970: milliseconds($0) / 1_000) }
    }

    private static func milliseconds(_ date: Date) -> Double {
        (date.timeIntervalSince1970 * 1_000).rounded()
    }

    /// The date, or the nearest one of the years 1 to 9999: formatting others may stop the process.
    package static func bounded(_ date: Date) -> Date {
        min(max(date, .distantPast), Date(timeIntervalSince1970: 253_402_300_799))
    }

    /// ISO 8601 in UTC with milliseconds, as every JSON answer of Roost writes times.
    package static func format(_ date: Date) -> String {
        // Foundation cuts off what is less than a millisecond: the date closest to .002 may be written ".001".
        let middle = (milliseconds(bounded(date)) + 0.25) / 1_000
        return Date(timeIntervalSince1970: middle)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
