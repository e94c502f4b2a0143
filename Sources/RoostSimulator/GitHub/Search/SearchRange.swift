/// A range of dates or numbers: `>=2026-01-01`, `2026-01-01..2026-02-01`, `>10`, `5..*`.
struct SearchRange {
    private var lower: String?
    private var upper: String?
    private var isOpenBelow = false
    private var isOpenAbove = false

    init(_ text: String) {
        if let dots = text.firstRange(of: "..") {
            (lower, upper) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        } else if text.hasPrefix(">=") {
            lower = String(text.dropFirst(2))
        } else if text.hasPrefix("<=") {
            upper = String(text.dropFirst(2))
        } else if text.hasPrefix(">") {
            (lower, isOpenBelow) = (String(text.dropFirst()), true)
        } else if text.hasPrefix("<") {
            (upper, isOpenAbove) = (String(text.dropFirst()), true)
        } else {
            (lower, upper) = (text, text)
        }
        if lower == "*" { lower = nil }
        if upper == "*" { upper = nil }
    }

    var wrongDate: String? { [lower, upper].compactMap { $0 }.first { SearchDate($0) == nil } }

    /// - Parameter moment: milliseconds since 1970
    func contains(_ moment: Int) -> Bool {
        let isAbove = lower.flatMap { SearchDate($0) }.map { moment >= (isOpenBelow ? $0.end : $0.start) }
        let isBelow = upper.flatMap { SearchDate($0) }.map { moment < (isOpenAbove ? $0.start : $0.end) }
        return (isAbove ?? true) && (isBelow ?? true)
    }

    func contains(count: Int) -> Bool {
        let isAbove = lower.flatMap { Int($0) }.map { isOpenBelow ? count > $0 : count >= $0 }
        let isBelow = upper.flatMap { Int($0) }.map { isOpenAbove ? count < $0 : count <= $0 }
        return (isAbove ?? true) && (isBelow ?? true)
    }
}

/// A day or a second: `2026-02-17`, `2026-02-17T15:56:31Z`, `2026-02-17T15:56:31+02:00`.
///
/// Source: docs.github.com, "Understanding the search syntax", "Query for dates".
struct SearchDate: Equatable {
    /// Milliseconds since 1970; `end` is exclusive.
    let start: Int
    let end: Int

    init?(_ text: String) {
        let parts = text.uppercased().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let day = parts.first.flatMap(Self.day) else { return nil }
        guard parts.count == 2 else {
            (start, end) = (day, day + Timestamp.day)
            return
        }
        guard let time = Self.time(parts[1]) else { return nil }
        (start, end) = (day + time, day + time + Timestamp.second)
    }

    /// Years start in March, so that the leap day comes last.
    private static func day(_ text: Substring) -> Int? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard text.count == 10, parts.count == 3 else { return nil }
        let (month, day) = (parts[1], parts[2])
        let year = parts[0] - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
        // Rejects days like 30 February, which convert back to another date.
        return Timestamp.text(days * Timestamp.day).hasPrefix(text) ? days * Timestamp.day : nil
    }

    private static func time(_ text: Substring) -> Int? {
        guard let sign = text.lastIndex(where: { "Z+-".contains($0) }) else { return clock(text) }
        guard let time = clock(text[..<sign]) else { return nil }
        if text[sign] == "Z" { return text[sign...].count == 1 ? time : nil }
        guard let offset = clock(text[sign...].dropFirst()) else { return nil }
        return text[sign] == "+" ? time - offset : time + offset
    }

    /// Parses "15:56:31" or "15:56".
    private static func clock(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard [5, 8].contains(text.count), parts.count == text.count / 3 + 1 else { return nil }
        guard parts[0] < 24, parts[1] < 60, parts.last ?? 0 < 60 else { return nil }
        let seconds = parts.count == 3 ? parts[2] : 0
        return (parts[0] * 3_600 + parts[1] * 60 + seconds) * Timestamp.second
    }
}
