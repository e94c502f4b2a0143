package import Foundation
import TextFormats

/// A backup that Roost made on its own, described by its name: "roost-20261128T030000Z.sqlite" for a nightly one,
/// "roost-20261128T030000Z-migration.sqlite" for one made before a migration.
package struct BackupFile: Equatable, Sendable {
    private static let (start, end, migration) = ("roost-", ".sqlite", "-migration")

    package let date: Date
    package let isBeforeMigration: Bool

    package init(_ date: Date, isBeforeMigration: Bool = false) {
        self.date = date
        self.isBeforeMigration = isBeforeMigration
    }

    /// Returns nil for any other name. Files with such names are never deleted.
    package init?(name: String) {
        let bytes = Array(name.utf8)
        guard bytes.starts(with: Self.start.utf8), bytes.count >= 28 else { return nil }
        let time = String(decoding: bytes[6..<22], as: UTF8.self)
        guard let date = Self.date(time) else { return nil }
        self.init(date, isBeforeMigration: bytes.count > 29)
        guard name.utf8.elementsEqual(self.name.utf8) else { return nil }
    }

    package var name: String { Self.start + time + (isBeforeMigration ? Self.migration : "") + Self.end }

    /// "20261128T030000Z".
    var time: String { ISO8601.seconds(date).filter { $0 != "-" && $0 != ":" } }

    /// Parses `time`.
    private static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
            return nil
        }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return ISO8601.parse(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}

/// Which backups to keep: the newest of each of the last days, weeks and months that have one, in UTC.
package struct BackupRetention: Equatable, Sendable {
    /// Each upgrade needs one. More are kept, in case one upgrade follows another.
    static let migrations = 3

    package let daily, weekly, monthly: Int

    package init(daily: Int = 7, weekly: Int = 4, monthly: Int = 12) {
        self.daily = daily
        self.weekly = weekly
        self.monthly = monthly
    }

    /// Returns the files that are no longer needed. The newest is always kept.
    func expired(_ files: [BackupFile]) -> [BackupFile] {
        let files = files.sorted { $0.date > $1.date }
        let nightly = files.filter { !$0.isBeforeMigration }
        let migrations = files.filter(\.isBeforeMigration)
        var kept = Array(nightly.prefix(1) + migrations.prefix(Self.migrations))
        for (count, period) in [(daily, Self.day), (weekly, Self.week), (monthly, Self.month)] {
            var periods: [DateComponents] = []
            for file in nightly where periods.count < count {
                let period = Self.calendar.dateComponents(period, from: file.date)
                guard !periods.contains(period) else { continue }
                periods.append(period)
                kept.append(file)
            }
        }
        return files.filter { !kept.contains($0) }
    }

    private static let day: Set<Calendar.Component> = [.year, .month, .day]
    private static let week: Set<Calendar.Component> = [.yearForWeekOfYear, .weekOfYear]
    private static let month: Set<Calendar.Component> = [.year, .month]

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }()
}
