package import Foundation
import TextFormats

/// Spreads a month's calls over a calendar month (UTC).
///
/// Unused calls are saved and can be spent faster, over the next `spendingHours`. A display that is always on saves
/// none, and refreshes about every four and a half minutes.
package struct CallBudget: Sendable, Equatable {
    package let monthlyCalls: Int
    package var used: Int

    /// The number of hours over which savings are spent: short enough to feel fast, long enough to last for a meeting.
    static let spendingHours = 4.0

    /// The last calls of a month, which searches may not use.
    static let searchReserve = 500
    /// A fifth of the month's calls, which charts may not use.
    static let chartReserve = 2_000

    package var left: Int { max(0, monthlyCalls - used) }

    /// The seconds to wait between refreshes that cost `calls` each, so that the month's calls last.
    package func interval(at now: Date, calls: Int) -> Double {
        let month = Self.month(of: now)
        let remaining = max(1, month.end.timeIntervalSince(now))
        guard left >= calls else { return remaining }
        let steadyRate = Double(monthlyCalls) / month.duration
        let earned = steadyRate * now.timeIntervalSince(month.start)
        let saved = earned - Double(used)
        // In debt, the rest is spread over the remaining time; in credit, savings are added to the steady rate.
        let rate =
            saved < 0
            ? Double(left) / remaining
            : steadyRate + saved / (Self.spendingHours * 3600)
        return Double(max(1, calls)) / rate
    }

    func hasSavings(at now: Date) -> Bool {
        let month = Self.month(of: now)
        return Double(used) < Double(monthlyCalls) * now.timeIntervalSince(month.start) / month.duration
    }

    package static func month(of date: Date) -> DateInterval {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.dateInterval(of: .month, for: date)
            ?? DateInterval(start: date, duration: 30 * 86_400)
    }

    /// A month's name in the database: "2026-11".
    static func monthName(of date: Date) -> String {
        String(ISO8601.milliseconds(month(of: date).start).prefix(7))
    }
}
