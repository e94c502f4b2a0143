package import Foundation

/// Formats and parses ISO 8601 times in UTC.
///
/// The simulator has its own `Timestamp`, because it imports nothing from Roost.
package enum ISO8601 {
    /// Such as "2025-11-20T09:41:07.250Z", for what must be exact: export files and versions in forms.
    package static func milliseconds(_ date: Date) -> String {
        // Foundation truncates to milliseconds, so the date closest to .002 could become ".001".
        let middle = ((CivilDate.bounded(date).timeIntervalSince1970 * 1_000).rounded() + 0.25) / 1_000
        return Date(timeIntervalSince1970: middle)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Such as "2025-11-20T09:41:07Z", for all times in Roost's JSON, `datetime` attributes and logs. Whole seconds,
    /// because `ISO8601DateFormatter` and the `iso8601` strategy of `JSONDecoder` cannot read fractions.
    package static func seconds(_ date: Date) -> String {
        let date = CivilDate(date)
        return String(unsafeUninitializedCapacity: 20) { text in
            var index = 0
            func write(_ number: Int, _ after: Unicode.Scalar) {
                let tens = number / 10
                text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)
                text[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number - tens * 10)
                text[index + 2] = UInt8(ascii: after)
                index += 3
            }
            write(date.year / 100, "-")
            index -= 1
            write(date.year % 100, "-")
            write(date.month, "-")
            write(date.day, "T")
            write(date.hour, ":")
            write(date.minute, ":")
            write(date.second, "Z")
            return index
        }
    }

    /// Reads a time with or without fractions of a second, in UTC or with an offset, to the nearest millisecond.
    /// Returns nil for anything else.
    package static func parse(_ text: String) -> Date? {
        if let date = parseSeconds(text) { return date }
        let date =
            (try? Date(
                text,
                strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)
                    .timeZone(separator: .omitted)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
        return date?.inMilliseconds
    }

    /// A fast path for exactly "2025-09-18T17:42:42Z", which GitHub writes thousands of times for an inbox.
    private static func parseSeconds(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes -> Date? in
            guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
                bytes[16] == 0x3A, bytes[19] == 0x5A, let year = number(bytes, 0, 4),
                let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
                let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
                let second = number(bytes, 17, 2), year > 0, (1...12).contains(month),
                (1...31).contains(day), hour < 24, minute < 60, second < 60
            else { return nil }
            let hours = CivilDate.days(year, month, day) * 24 + hour
            return Date(timeIntervalSince1970: Double((hours * 60 + minute) * 60 + second))
        }
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
        var number = 0
        for index in start..<(start + count) {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }
}

extension Date {
    /// The nearest whole millisecond, as in the database and in forms.
    package var inMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }
}
