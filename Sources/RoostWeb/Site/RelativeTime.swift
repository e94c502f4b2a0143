package import Foundation
import HTMLTemplates
import RoostSupport
import Synchronization
import TextFormats

/// Formats times in the reader's formats. `relative-time.js`, `chat-ages.js`, `wall-ages.js` and `formats.js` write the same
/// texts while a page stays open: change them together.
package enum RelativeTime {
    /// "now", "12 s ago", "4 min ago", "3 h ago", "2 days ago", and the date after a week: "14 Nov 2025".
    package static func ago(_ date: Date, now: Date, zone: @autoclosure () -> TimeZone = Formats.current.zone)
        -> String
    {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
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

    /// Returns the long form that the mission asks for: "now", "12 seconds ago", "1 day ago", and the date after a
    /// week.
    package static func longAgo(_ date: Date, now: Date, zone: TimeZone = Formats.current.zone) -> String {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
        func phrase(_ number: Int, _ unit: String) -> String {
            "\(number) \(unit)\(number == 1 ? "" : "s") ago"
        }
        switch seconds {
        case ..<1: return "now"
        case ..<60: return phrase(seconds, "second")
        case ..<3_600: return phrase(seconds / 60, "minute")
        case ..<86_400: return phrase(seconds / 3_600, "hour")
        case ..<604_800: return phrase(seconds / 86_400, "day")
        default: return day(date, zone: zone)
        }
    }

    /// "in 48 s", "in 4 min", "in 3 h", "in 2 days", or "now" if it has passed. Hours and days are rounded to the
    /// nearest: a link made a minute ago for 30 days ends in 30 days.
    package static func until(_ date: Date, now: Date) -> String {
        let seconds = Int(CivilDate.bounded(date).timeIntervalSince(now).rounded(.up))
        switch seconds {
        case ..<1: return "now"
        case ..<60: return "in \(seconds) s"
        case ..<3_600: return "in \(seconds / 60) min"
        case ..<84_600: return "in \((seconds + 1_800) / 3_600) h"
        case ..<129_600: return "in 1 day"
        default: return "in \((seconds + 43_200) / 86_400) days"
        }
    }

    /// "14 Nov 2025", "14.11.2025", "14/11/2025", "11/14/2025" or "2025-11-14".
    package static func day(_ date: Date, zone: TimeZone = Formats.current.zone) -> String {
        let part = CivilDate(date, zone: zone)
        return switch Formats.current.date {
        case .named: "\(part.day) \(shortMonths[part.month - 1]) \(part.year)"
        case .dotted: "\(two(part.day)).\(two(part.month)).\(part.year)"
        case .slashed: "\(two(part.day))/\(two(part.month))/\(part.year)"
        case .monthFirst: "\(two(part.month))/\(two(part.day))/\(part.year)"
        case .yearFirst: "\(part.year)-\(two(part.month))-\(two(part.day))"
        }
    }

    /// "09:41" for today, "Yesterday", and the date of earlier days.
    package static func recent(_ date: Date, now: Date, zone: TimeZone = Formats.current.zone) -> String {
        let (part, today) = (CivilDate(date, zone: zone), CivilDate(now, zone: zone))
        let days =
            CivilDate.days(today.year, today.month, today.day)
            - CivilDate.days(part.year, part.month, part.day)
        return switch days {
        case 0: clock(date, zone: zone)
        case 1: "Yesterday"
        default: day(date, zone: zone)
        }
    }

    /// A day without its year: "14 Nov", "14.11.", "14/11", "11/14" or "11-14".
    package static func dayOfYear(_ date: Date, zone: TimeZone = Formats.current.zone) -> String {
        let part = CivilDate(date, zone: zone)
        return switch Formats.current.date {
        case .named: "\(part.day) \(shortMonths[part.month - 1])"
        case .dotted: "\(two(part.day)).\(two(part.month))."
        case .slashed: "\(two(part.day))/\(two(part.month))"
        case .monthFirst: "\(two(part.month))/\(two(part.day))"
        case .yearFirst: "\(two(part.month))-\(two(part.day))"
        }
    }

    /// "Friday 20 November".
    package static func weekday(_ date: Date, zone: TimeZone = Formats.current.zone) -> String {
        let part = CivilDate(date, zone: zone)
        return "\(weekdays[part.weekday]) \(part.day) \(months[part.month - 1])"
    }

    /// "09:41" or "9:41 AM".
    package static func clock(_ date: Date, zone: TimeZone = Formats.current.zone) -> String {
        let part = CivilDate(date, zone: zone)
        guard Formats.current.hours == .half else { return "\(two(part.hour)):\(two(part.minute))" }
        let hour = part.hour % 12 == 0 ? 12 : part.hour % 12
        // A space that does not break the line.
        return "\(hour):\(two(part.minute))\u{A0}\(part.hour < 12 ? "AM" : "PM")"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    private static let shortMonths = months.map { String($0.prefix(3)) }
    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A sentence that may contain times in ISO 8601 in UTC, as the API returns it. Pages write each as `<time>`, which a
/// script converts to the browser's time zone.
package struct TimedText: HTMLText {
    // Created once, because that takes longer than matching. A regex is not Sendable.
    private static let time = Mutex(
        #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z/#)

    private let text: String

    package init(_ text: String) { self.text = text }

    func write(into html: inout HTMLBuffer) {
        var rest = text[...]
        while let time = Self.time.withLock({ [rest] in rest.firstMatch(of: $0)?.range }) {
            html.text(rest[..<time.lowerBound])
            if let date = ISO8601.parse(String(rest[time])) {
                html.literal("<time data-short datetime=\"")
                html.text(ISO8601.seconds(date))
                html.literal("\">")
                html.text("\(RelativeTime.day(date)), \(RelativeTime.clock(date))")
                html.literal("</time>")
            } else {
                html.text(rest[time])
            }
            rest = rest[time.upperBound...]
        }
        html.text(rest)
    }
}
