import Foundation
import GitHub
import HTTPServer
import RoostSupport
import TextFormats

/// What forms and JSON say of choices and snoozes, as the services take it.
extension PullChoices {
    /// The stored choices with what a form changes.
    init(_ form: Form, over stored: PullChoices) throws {
        self = stored
        if let text = form["sort"] { sort = try Self.known(text, "sort") }
        if let text = form["group"] { grouping = try Self.known(text, "group") }
        if let text = form["drafts"] { drafts = try Self.known(text, "drafts") }
        if let text = form["bots"] { hidesBots = text == "hidden" }
        if let text = form["botLogins"] { botLogins = Self.logins(text) }
        if let text = form["notifies"] { notifies = text == "true" }
        if let text = form["sounds"] { sounds = text == "true" }
        amberHours = try Self.hours(form, "amberHours") ?? amberHours
        redHours = try Self.hours(form, "redHours") ?? redHours
    }

    private static func known<Value: RawRepresentable<String>>(_ text: String, _ field: String) throws
        -> Value
    {
        guard let value = Value(rawValue: text) else {
            throw RoostError.invalid(field: field, why: "The inbox cannot be shown like that.")
        }
        return value
    }

    /// Each once, in the order in which they were typed: with spaces or commas between them, with "@" or without.
    private static func logins(_ text: String) -> [String] {
        var known: Set<String> = []
        return text.splitBytes(at: ",").flatMap(\.words)
            .map { String($0.drop { $0 == "@" }) }
            .filter { !$0.isEmpty && known.insert($0.lowercased()).inserted }
    }

    private static func hours(_ form: Form, _ field: String) throws -> Int? {
        guard let text = form[field] else { return nil }
        guard let hours = Int(text), PullSectionsView.hours.contains(hours) else {
            throw RoostError.invalid(field: field, why: "A wait has 1 to 8,760 hours.")
        }
        return hours
    }
}

extension PullMark {
    /// "change", "hour", "tomorrow" (at eight in the morning, here), "week", or a time in ISO 8601.
    ///
    /// Throws `RoostError.invalid(field: "until")`.
    static func snooze(until text: String, now: Date, zone: TimeZone = .current) throws -> PullMark {
        switch text {
        case "change": return .snoozedUntilChange
        case "hour": return .snoozedUntil(now + 3_600)
        case "tomorrow": return .snoozedUntil(morning(in: 1, now, zone))
        case "week": return .snoozedUntil(morning(in: 7, now, zone))
        default:
            guard let date = ISO8601.parse(text) else {
                throw RoostError.invalid(
                    field: "until", why: "Snoozed until it changes (“change”), or until a time in ISO 8601.")
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
