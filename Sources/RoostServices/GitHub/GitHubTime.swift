package import Foundation

/// GitHub's times: "2025-09-18T17:42:42Z", of which an inbox has thousands.
package enum GitHubTime {
    /// That form at once, any other ISO 8601 by the slower way; nil for what is no time.
    package static func parse(_ text: String) -> Date? { quick(text) ?? ModelTime.parse(text) }

    private static func quick(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes -> Date? in
            guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
                bytes[16] == 0x3A, bytes[19] == 0x5A, let year = number(bytes, 0, 4),
                let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
                let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
                let second = number(bytes, 17, 2), (1...12).contains(month), (1...31).contains(day),
                hour < 24,
                minute < 60, second < 60
            else { return nil }
            let days = self.days(year, month, day)
            return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
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

    /// Days since 1970 in the Gregorian calendar; years begin in March, so that a leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let inYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + inYear - 719_468
    }
}
