package import Foundation
import RoostServices

/// Times in words. `Public/js/relative-time.js` says the same words while a page stays open: change both.
package enum RelativeTime {
    /// "now", "12 s ago", "4 min ago", "3 h ago", "2 days ago", and from a week on the day: "14 Nov 2025".
    package static func ago(_ date: Date, now: Date, zone: @autoclosure () -> TimeZone = .current) -> String {
        let seconds = Int(now.timeIntervalSince(ModelTime.bounded(date)).rounded(.down))
        switch seconds {
        case ..<1: return "now"
        case ..<60: return "\(seconds) s ago"
        case ..<3_600: return "\(seconds / 60) min ago"
        case ..<86_400: return "\(seconds / 3_600) h ago"
        case ..<172_800: return "1 day ago"
        case ..<604_800: return "\(seconds / 86_400) days ago"
        default: return day(date, zone: zone())
        }
    }

    /// "in 48 s", "in 4 min", "in 3 h", "in 2 days"; "now" once it has come. From hours on to the nearest: what was
    /// made for 30 days a minute ago ends in 30 days.
    package static func until(_ date: Date, now: Date) -> String {
        let seconds = Int(ModelTime.bounded(date).timeIntervalSince(now).rounded(.up))
        switch seconds {
        case ..<1: return "now"
        case ..<60: return "in \(seconds) s"
        case ..<3_600: return "in \(seconds / 60) min"
        case ..<84_600: return "in \((seconds + 1_800) / 3_600) h"
        case ..<129_600: return "in 1 day"
        default: return "in \((seconds + 43_200) / 86_400) days"
        }
    }

    /// "14 Nov 2025".
    package static func day(_ date: Date, zone: TimeZone = .current) -> String {
        let part = civil(date, zone: zone)
        return "\(part.day) \(shortMonths[part.month - 1]) \(part.year)"
    }

    /// "Friday 20 November".
    package static func weekday(_ date: Date, zone: TimeZone = .current) -> String {
        let part = civil(date, zone: zone)
        return "\(weekdays[part.weekday]) \(part.day) \(months[part.month - 1])"
    }

    /// "09:41", in 24 hours.
    package static func clock(_ date: Date, zone: TimeZone = .current) -> String {
        let part = civil(date, zone: zone)
        return "\(two(part.minutes / 60)):\(two(part.minutes % 60))"
    }

    /// "2025-11-20T09:41:07Z", for `datetime` attributes.
    package static func iso(_ date: Date) -> String {
        let part = civil(date, zone: nil)
        let second = Int(ModelTime.bounded(date).timeIntervalSince1970.rounded(.down)) - part.startOfMinute
        guard (1_000...9_999).contains(part.year) else {
            return "\(part.year)-\(two(part.month))-\(two(part.day))T"
                + "\(two(part.minutes / 60)):\(two(part.minutes % 60)):\(two(second))Z"
        }
        return String(unsafeUninitializedCapacity: 20) { text in
            var place = 0
            func write(_ number: Int, _ after: Unicode.Scalar) {
                let tens = number / 10
                text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)
                text[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number - tens * 10)
                text[place + 2] = UInt8(ascii: after)
                place += 3
            }
            write(part.year / 100, "-")
            place -= 1
            write(part.year % 100, "-")
            write(part.month, "-")
            write(part.day, "T")
            write(part.minutes / 60, ":")
            write(part.minutes % 60, ":")
            write(second, "Z")
            return place
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    private static let shortMonths = months.map { String($0.prefix(3)) }
    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private struct Civil {
        var year, month, day, weekday, minutes, startOfMinute: Int
    }

    /// The proleptic Gregorian date by counting days in eras of 400 years that begin on 1 March: calendars
    /// and formatters of Foundation cost microseconds for each of the many times on a page.
    private static func civil(_ date: Date, zone: TimeZone?) -> Civil {
        let date = ModelTime.bounded(date)
        let utc = Int(date.timeIntervalSince1970.rounded(.down))
        let local = utc + (zone?.secondsFromGMT(for: date) ?? 0)
        let days = Int((Double(local) / 86_400).rounded(.down))
        let secondOfDay = local - days * 86_400
        let shifted = days + 719_468  // days from 0000-03-01 to 1970-01-01
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return Civil(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            weekday: ((days + 4) % 7 + 7) % 7,
            minutes: secondOfDay / 60,
            startOfMinute: utc - secondOfDay % 60)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
