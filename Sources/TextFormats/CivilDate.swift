package import Foundation

/// A date and time in the Gregorian calendar, also for the years before its introduction.
///
/// It counts days in eras of 400 years that begin on 1 March, so that a leap day is the last of its year. Foundation's
/// calendars and formatters take microseconds for each of the many times on a page.
package struct CivilDate: Equatable, Sendable {
    package let year, month, day: Int
    /// Days since Sunday.
    package let weekday: Int
    package let hour, minute, second: Int

    /// Uses the nearest date in the years 1 to 9999.
    ///
    /// - Parameter zone: nil for UTC
    package init(_ date: Date, zone: TimeZone? = nil) {
        let date = Self.bounded(date)
        let utc = Int(date.timeIntervalSince1970.rounded(.down))
        let local = utc + (zone?.secondsFromGMT(for: date) ?? 0)
        let days = Int((Double(local) / 86_400).rounded(.down))
        let secondOfDay = local - days * 86_400
        let shifted = days + Self.daysBefore1970
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        weekday = ((days + 4) % 7 + 7) % 7
        hour = secondOfDay / 3_600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Returns the nearest date in the years 1 to 9999. Formatting others may crash.
    package static func bounded(_ date: Date) -> Date {
        min(max(date, .distantPast), Date(timeIntervalSince1970: 253_402_300_799))
    }

    /// Returns the days from 1970 to a date in the year 1 or later. A day past the month's end continues into the next
    /// month.
    package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - daysBefore1970
    }

    private static let daysBefore1970 = 719_468
}
