import Foundation
import HTMLTemplates
import TextFormats

/// Times in words. `relative-time.js` and `wall-ages.js` say the same words while a page stays open: change all.
enum RelativeTime {
    /// "now", "12 s ago", "4 min ago", "3 h ago", "2 days ago", and from a week on the day: "14 Nov 2025".
    static func ago(_ date: Date, now: Date, zone: @autoclosure () -> TimeZone = .current) -> String {
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

    /// "2 hours ago" in the model's words: "now", "12 seconds ago", "1 day ago", and from a week on the day.
    static func longAgo(_ date: Date, now: Date, zone: TimeZone = .current) -> String {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
        func words(_ number: Int, _ unit: String) -> String {
            "\(number) \(unit)\(number == 1 ? "" : "s") ago"
        }
        switch seconds {
        case ..<1: return "now"
        case ..<60: return words(seconds, "second")
        case ..<3_600: return words(seconds / 60, "minute")
        case ..<86_400: return words(seconds / 3_600, "hour")
        case ..<604_800: return words(seconds / 86_400, "day")
        default: return day(date, zone: zone)
        }
    }

    /// "in 48 s", "in 4 min", "in 3 h", "in 2 days"; "now" once it has come. From hours on to the nearest: what was
    /// made for 30 days a minute ago ends in 30 days.
    static func until(_ date: Date, now: Date) -> String {
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

    /// "14 Nov 2025".
    static func day(_ date: Date, zone: TimeZone = .current) -> String {
        let part = CivilDate(date, zone: zone)
        return "\(part.day) \(shortMonths[part.month - 1]) \(part.year)"
    }

    /// "Friday 20 November".
    static func weekday(_ date: Date, zone: TimeZone = .current) -> String {
        let part = CivilDate(date, zone: zone)
        return "\(weekdays[part.weekday]) \(part.day) \(months[part.month - 1])"
    }

    /// "09:41", in 24 hours.
    static func clock(_ date: Date, zone: TimeZone = .current) -> String {
        let part = CivilDate(date, zone: zone)
        return "\(two(part.hour)):\(two(part.minute))"
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

/// A sentence whose times are in ISO 8601 in UTC, as programs get it. A page has each as a `<time>`, which a script
/// writes in the reader's zone.
struct TimedText: HTMLText {
    private let text: String

    init(_ text: String) { self.text = text }

    func write(into html: inout HTMLBuffer) {
        var rest = text[...]
        while let match = rest.firstMatch(
            of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z/#)
        {
            html.text(rest[..<match.range.lowerBound])
            if let date = ISO8601.parse(String(match.output)) {
                html.literal("<time data-short datetime=\"")
                html.text(ISO8601.seconds(date))
                html.literal("\">")
                html.text("\(RelativeTime.day(date)), \(RelativeTime.clock(date))")
                html.literal("</time>")
            } else {
                html.text(match.output)
            }
            rest = rest[match.range.upperBound...]
        }
        html.text(rest)
    }
}
