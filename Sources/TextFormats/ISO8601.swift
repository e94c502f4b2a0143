package import Foundation

/// Times as ISO 8601 writes them, in UTC.
///
/// The simulator has `Timestamp`: it imports nothing of Roost's and counts milliseconds in integers.
package enum ISO8601 {
    /// "2025-11-20T09:41:07.250Z", as every JSON answer of Roost writes times.
    package static func milliseconds(_ date: Date) -> String {
        // Foundation cuts off what is less than a millisecond: the date closest to .002 may be written ".001".
        let middle = (wholeMilliseconds(CivilDate.bounded(date)) + 0.25) / 1_000
        return Date(timeIntervalSince1970: middle)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func wholeMilliseconds(_ date: Date) -> Double {
        (date.timeIntervalSince1970 * 1_000).rounded()
    }

    /// "2025-11-20T09:41:07Z", for `datetime` attributes and logs.
    package static func seconds(_ date: Date) -> String {
        let date = CivilDate(date)
        guard date.year >= 1_000 else {
            return "\(date.year)-\(two(date.month))-\(two(date.day))T"
                + "\(two(date.hour)):\(two(date.minute)):\(two(date.second))Z"
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
            write(date.year / 100, "-")
            place -= 1
            write(date.year % 100, "-")
            write(date.month, "-")
            write(date.day, "T")
            write(date.hour, ":")
            write(date.minute, ":")
            write(date.second, "Z")
            return place
        }
    }

    /// Reads a time with or without fractions of a second, in UTC or with an offset, to the nearest
    /// millisecond; nil for what is no time.
    package static func parse(_ text: String) -> Date? {
        if let date = parseSeconds(text) { return date }
        let date =
            (try? Date(
                text,
                strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)
                    .timeZone(separator: .omitted)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
        return date.map { Date(timeIntervalSince1970: wholeMilliseconds($0) / 1_000) }
    }

    /// "2025-09-18T17:42:42Z" and no other form: what GitHub writes, of which an inbox has thousands.
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
        for place in start..<(start + count) {
            let digit = bytes[place] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
