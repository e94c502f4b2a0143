/// Formats times like `2026-02-17T15:56:31.631Z`, the only form CoinGecko uses.
enum Timestamp {
    static let second = 1000
    static let hour = 3_600_000
    static let day = 86_400_000

    /// - Parameter milliseconds: since 1970 (proleptic Gregorian calendar, UTC)
    static func text(_ milliseconds: Int) -> String {
        let days = Int((Double(milliseconds) / Double(day)).rounded(.down))
        let rest = milliseconds - days * day
        let (year, month, dayOfMonth) = civil(days)
        let clock = [rest / hour, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        let date = [padded(year, 4), padded(month, 2), padded(dayOfMonth, 2)].joined(separator: "-")
        return "\(date)T\(clock.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// Years start in March here, so that the leap day comes last.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
