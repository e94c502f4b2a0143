/// A time of the day to the minute, without a time zone: "22:00".
package struct TimeOfDay: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Since midnight, 0 to 1,439.
    package let minute: Int

    package init(hour: Int, minute: Int = 0) { self.minute = hour * 60 + minute }

    /// Nil unless the minute is of a day.
    package init?(minute: Int) {
        guard (0..<1_440).contains(minute) else { return nil }
        self.minute = minute
    }

    /// Reads "22:00", as browsers send the value of a time field, with or without seconds.
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
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time of the day")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Hours that begin on a day and end on it, or on the next morning where the end is not after the beginning.
package struct HourRange: Codable, Hashable, Sendable {
    package var from: TimeOfDay
    package var until: TimeOfDay

    package init(from: TimeOfDay, until: TimeOfDay) {
        self.from = from
        self.until = until
    }

    /// Whether the range goes on into the next day. Equal ends last for a whole day.
    var endsNextDay: Bool { until.minute <= from.minute }

    /// Whether the minute is within the range, where it recurs every day.
    package func contains(_ time: TimeOfDay) -> Bool {
        endsNextDay
            ? time.minute >= from.minute || time.minute < until.minute
            : (from.minute..<until.minute).contains(time.minute)
    }
}

/// For each weekday, Monday first, the hours that begin on it; nil for none.
package struct WeeklyHours: Codable, Hashable, Sendable {
    package static let off = WeeklyHours([])

    /// Seven.
    package let days: [HourRange?]

    /// - Parameter days: Monday first; those beyond seven do not count, and those that are missing have no hours
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
