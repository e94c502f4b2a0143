package import Foundation
package import GRDB

/// A time as columns hold it: seconds since 1970, up to the end of the year 9999.
///
/// GRDB stores a `Date` as a text, which SQLite never compares with seconds as meant: write `date.stored` instead.
package struct StoredTime: DatabaseValueConvertible, StatementColumnConvertible {
    /// The last second of the year 9999, in seconds since 1970.
    static let last: TimeInterval = 253_402_300_799

    package let date: Date

    /// Returns nil for a time that Roost never writes; formatting it or calculating with it could crash.
    private init?(seconds: TimeInterval) {
        guard (0...Self.last).contains(seconds) else { return nil }
        date = Date(timeIntervalSince1970: seconds)
    }

    package init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(seconds: TimeInterval(sqliteStatement: sqliteStatement, index: index))
    }

    package var databaseValue: DatabaseValue { date.timeIntervalSince1970.databaseValue }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> StoredTime? {
        TimeInterval.fromDatabaseValue(value).flatMap(StoredTime.init(seconds:))
    }
}

extension Writes {
    /// Sets times in the future, from a clock that was ahead, to now.
    ///
    /// - Parameters:
    ///   - other: a column that moves by the same time, such as the end of a lifetime
    ///   - now: the latest possible time
    package func clamp(_ column: String, of table: String, moving other: String? = nil, to now: Date) throws {
        let move = other.map { "\($0) = \($0) - (\(column) - :now), " } ?? ""
        try execute(
            "UPDATE \(table) SET \(move)\(column) = :now WHERE \(column) > :latest",
            ["now": now.stored, "latest": (now + ClockSkew.tolerance).stored])
    }
}
