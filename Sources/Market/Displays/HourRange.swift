package import GRDB
import RoostSupport

/// A time of day to the minute, without a time zone: "22:00".
package struct TimeOfDay: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Since midnight, 0 to 1,439.
    package let minute: Int

    package init(hour: Int, minute: Int = 0) { self.minute = hour * 60 + minute }

    package init?(minute: Int) {
        guard (0..<1_440).contains(minute) else { return nil }
        self.minute = minute
    }

    /// Parses "22:00", the value of a browser's time field, with or without seconds.
    package init?(_ text: String) {
        let parts = text.splitBytes(at: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    package var description: String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = TimeOfDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of day")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Stored as the minutes since midnight.
extension TimeOfDay: ColumnValue {
    package static func read(_ row: Row, at index: Int) -> TimeOfDay? {
        Int.read(row, at: index).flatMap { TimeOfDay(minute: $0) }
    }

    package var stored: DatabaseValue { minute.databaseValue }
}

/// A range of hours, which ends on the next day if the end is not after the start.
package struct HourRange: Codable, Hashable, Sendable {
    package var from: TimeOfDay
    package var until: TimeOfDay

    package init(from: TimeOfDay, until: TimeOfDay) {
        self.from = from
        self.until = until
    }

    /// Whether the range ends on the next day. Equal ends make a whole day.
    var endsNextDay: Bool { until.minute <= from.minute }

    package func contains(_ time: TimeOfDay) -> Bool {
        endsNextDay
            ? time.minute >= from.minute || time.minute < until.minute
            : (from.minute..<until.minute).contains(time.minute)
    }
}

/// For each weekday, Monday first, the hours that begin on it; nil for none.
package struct WeeklyHours: JSONColumnValue, Hashable, Sendable {
    package static let off = WeeklyHours([])

    /// Always seven.
    package let days: [HourRange?]

    /// - Parameter days: Monday first; extra ones are ignored and missing ones have no hours
    package init(_ days: [HourRange?]) {
        self.days = (0..<7).map { $0 < days.count ? days[$0] : nil }
    }

    package var isOff: Bool { days.allSatisfy { $0 == nil } }

    /// - Parameter weekday: 0 is Monday, 6 is Sunday
    package func contains(_ time: TimeOfDay, weekday: Int) -> Bool {
        let (today, yesterday) = (days[weekday % 7], days[(weekday + 6) % 7])
        if let yesterday, yesterday.endsNextDay, time.minute < yesterday.until.minute { return true }
        guard let today, time.minute >= today.from.minute else { return false }
        return today.endsNextDay || time.minute < today.until.minute
    }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([HourRange?].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(days)
    }
}
