import Foundation
import TextFormats

enum PageDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads "2025-09-04T10:00:00Z", "2025-09-04", "20250904", "Sep 4, 2025", "4 September 2025" and "Thu, 04 Sep 2025
    /// ...". A date without a time is midnight in UTC. Returns nil unless it is a date from 1990 to 2099.
    static func read(_ text: String) -> Date? {
        let text = text.trimmed
        guard text.utf8.count <= 200 else { return nil }
        if text.utf8.contains(UInt8(ascii: "T")), let date = ISO8601.parse(text) { return bounded(date) }
        return civil(text).flatMap(bounded)
    }

    private static func bounded(_ date: Date) -> Date? {
        (1990..<2100).contains(CivilDate(date).year) ? date : nil
    }

    private static func civil(_ text: String) -> Date? {
        let parts = text.lowercased().split { !$0.isLetter && !$0.isNumber }.prefix(14).map(String.init)
        for (index, part) in parts.enumerated() {
            if let date = numeric(parts, index) { return date }
            guard part.utf8.count >= 3, let month = months.firstIndex(of: String(part.prefix(3))),
                part.allSatisfy(\.isLetter), part.utf8.count <= 9
            else { continue }
            // "September 4 2025", "4 September 2025", "4th September 2025".
            if let day = number(parts, index + 1), let year = year(parts, index + 2) {
                return date(year, month + 1, day)
            }
            if let day = number(parts, index - 1), let year = year(parts, index + 1) {
                return date(year, month + 1, day)
            }
        }
        return nil
    }

    private static func numeric(_ parts: [String], _ index: Int) -> Date? {
        let part = parts[index]
        if part.utf8.count == 8, let all = Int(part) { return date(all / 10_000, all / 100 % 100, all % 100) }
        // The time may follow in the same part, after a "T".
        guard let year = year(parts, index), let month = number(parts, index + 1),
            parts.indices.contains(index + 2),
            let day = Int(parts[index + 2].prefix { $0.isNumber }.prefix(2))
        else { return nil }
        return date(year, month, day)
    }

    private static func year(_ parts: [String], _ index: Int) -> Int? {
        guard parts.indices.contains(index), parts[index].utf8.count == 4 else { return nil }
        return Int(parts[index])
    }

    private static func number(_ parts: [String], _ index: Int) -> Int? {
        guard parts.indices.contains(index) else { return nil }
        let digits = parts[index].prefix { $0.isASCII && $0.isNumber }
        return digits.count <= 2 ? Int(digits) : nil
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> Date? {
        guard (1990..<2100).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(CivilDate.days(year, month, day)) * 86_400)
    }
}
