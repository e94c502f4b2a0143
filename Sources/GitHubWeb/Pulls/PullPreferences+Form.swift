import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

extension PullPreferences {
    /// Throws `RoostError.invalid`.
    init(_ form: Form, over stored: PullPreferences) throws {
        self = stored
        if let text = form["sort"] { sort = try FormError.option(text, "sort") }
        if let text = form["group"] { grouping = try FormError.option(text, "group") }
        if let text = form["drafts"] { drafts = try FormError.option(text, "drafts") }
        if let text = form["diffs"] { diffs = try FormError.option(text, "diffs") }
        if let text = form["whitespace"] { whitespace = try FormError.option(text, "whitespace") }
        if let text = form["bots"] { hidesBots = text == "hidden" }
        if let text = form["botLogins"] { botLogins = Self.logins(text) }
        if let text = form["notifies"] { notifies = text == "true" }
        if let text = form["sounds"] { sounds = text == "true" }
        if let text = form["isOnWalls"] { isOnWalls = text == "true" }
        amberHours = try Self.hours(form, "amberHours") ?? amberHours
        redHours = try Self.hours(form, "redHours") ?? redHours
    }

    /// Reads logins separated by spaces or commas, with or without "@". Drops repeated ones.
    private static func logins(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.splitBytes(at: ",").flatMap(\.words)
            .map { String($0.drop { $0 == "@" }) }
            .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }

    private static func hours(_ form: Form, _ field: String) throws -> Int? {
        guard let text = form[field] else { return nil }
        guard let hours = Int(text), PullSectionsView.hours.contains(hours) else {
            throw RoostError.invalid(field: field, why: "Must be between 1 and 8,760 hours.")
        }
        return hours
    }
}

extension PullMark {
    /// Parses "change", "hour", "tomorrow", "week" or an ISO 8601 time. "tomorrow" and "week" mean 8 a.m. in `zone`, by
    /// default the reader's time zone. Throws `RoostError.invalid(field: "until")`.
    static func snooze(until text: String, now: Date, zone: TimeZone = Formats.current.zone) throws
        -> PullMark
    {
        switch text {
        case "change": return .snoozedUntilChange
        case "hour": return .snoozedUntil(now + 3_600)
        case "tomorrow": return .snoozedUntil(morning(in: 1, now, zone))
        case "week": return .snoozedUntil(morning(in: 7, now, zone))
        default:
            guard let date = ISO8601.parse(text) else {
                throw RoostError.invalid(
                    field: "until", why: "Must be “change” or an ISO 8601 time.")
            }
            return .snoozedUntil(date)
        }
    }

    private static func morning(in days: Int, _ now: Date, _ zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let day = calendar.date(byAdding: .day, value: days, to: now) ?? now + Double(days) * 86_400
        return calendar.date(bySettingHour: 8, minute: 0, second: 0, of: day) ?? day
    }
}
