package import Foundation
import TextFormats

/// Spreads a month's calls over a month's seconds (calendar month, UTC).
///
/// Calls that nobody asked for while nobody looked are saved up and may be spent faster, over the next
/// `spendingHours`; a display that never sleeps has nothing saved and asks about every four and a half minutes.
package struct CallBudget: Sendable, Equatable {
    package let monthlyCalls: Int
    package var used: Int

    /// Over how many hours savings are spent: short enough to feel fast, long enough not to run dry in a meeting.
    static let spendingHours = 4.0

    /// A month's last calls are kept for prices: no search may take them.
    static let searchReserve = 500
    /// And before those a fifth of the month for prices alone: no chart may take them.
    static let chartReserve = 2_000

    package init(monthlyCalls: Int, used: Int) {
        self.monthlyCalls = monthlyCalls
        self.used = used
    }

    package var left: Int { max(0, monthlyCalls - used) }

    /// The seconds to wait between refreshes that cost `calls` each, so that the month's calls last.
    package func interval(at now: Date, calls: Int) -> Double {
        let month = Self.month(of: now)
        let remaining = max(1, month.end.timeIntervalSince(now))
        guard left >= calls else { return remaining }
        let steadyRate = Double(monthlyCalls) / month.duration
        let earned = steadyRate * now.timeIntervalSince(month.start)
        let saved = earned - Double(used)
        // In debt, what is left is spread over what remains; in credit, the savings come on top of the steady rate.
        let rate =
            saved < 0
            ? Double(left) / remaining
            : steadyRate + saved / (Self.spendingHours * 3600)
        return Double(max(1, calls)) / rate
    }

    /// True while less has been used than the month's even pace has earned.
    func hasSavings(at now: Date) -> Bool {
        let month = Self.month(of: now)
        return Double(used) < Double(monthlyCalls) * now.timeIntervalSince(month.start) / month.duration
    }

    /// The calendar month in UTC that a date lies in.
    package static func month(of date: Date) -> DateInterval {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.dateInterval(of: .month, for: date)
            ?? DateInterval(start: date, duration: 30 * 86_400)
    }

    /// "2026-11": the month's name in the database.
    static func monthName(of date: Date) -> String {
        String(ISO8601.milliseconds(month(of: date).start).prefix(7))
    }
}
