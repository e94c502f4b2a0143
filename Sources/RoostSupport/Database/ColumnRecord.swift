public import Foundation
public import GRDB

/// A record that states its columns once, in `columns(_:)`: for the select list, for reading and for writing.
///
///     struct Lamp: ColumnRecord {
///         var id: Int64 = 0
///         var name = ""
///         var brokenAt: Date?
///
///         mutating func columns(_ columns: inout some ColumnVisitor) throws {
///             try columns.column("id", &id)
///             try columns.column("name", &name)
///             try columns.column("broken_at", &brokenAt)
///         }
///     }
///
///     static let selection = Lamp.selection(of: "l")       // l.id, l.name, l.broken_at
///     try database.rows("SELECT \(selection) FROM lamps AS l").map { try Lamp($0) }
///     try writes.insert(lamp, into: "lamps")
@usableFromInline package protocol ColumnRecord {
    /// A record whose values are replaced.
    init()

    /// Visits all columns, always the same ones in the same order.
    mutating func columns(_ columns: inout some ColumnVisitor) throws
}

@usableFromInline package protocol ColumnVisitor {
    /// A column of the record's table.
    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) throws

    /// A value that the statement calculates; it is never written.
    mutating func column<Value: ColumnValue>(_ name: String, sql: String, _ value: inout Value) throws

    /// A column that is only written, because it is calculated from others, such as a text to search in.
    mutating func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value)

    /// Further columns of the table that are all null without a value. Null in the first of them means nil.
    mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws
}

extension ColumnVisitor {
    /// A column with bytes; as a list, they would be stored as JSON.
    package mutating func bytes(_ name: String, _ value: inout [UInt8]) throws {
        var data = Data(value)
        try column(name, &data)
        value = Array(data)
    }
}

/// A value of one column.
///
/// Values are checked by the table's constraints when they are written, not when they are read; `roost check` finds
/// what another program has damaged.
@usableFromInline package protocol ColumnValue {
    /// Returns nil for a value of another type.
    static func read(_ row: Row, at index: Int) -> Self?

    /// The value as it is stored.
    var stored: DatabaseValue { get }
}

extension ColumnRecord {
    /// Reads the columns of a statement that begins with `selection(of:)`, from column `index` on.
    ///
    /// Throws `ImpossibleValue` for a value of another type, such as NULL for a property that is not optional.
    @inlinable package init(_ row: Row, at index: Int = 0) throws {
        self.init()
        var reader = ColumnReader(row, at: index)
        try columns(&reader)
    }

    /// Returns the select list. `table` is the table's name or alias in the statement.
    package static func selection(of table: String) -> String {
        var names = ColumnNames()
        var record = Self()
        // Only reading throws.
        try? record.columns(&names)
        return names.all.map { column in
            column.sql.map { "\($0) AS \(column.name)" } ?? "\(table).\(column.name)"
        }.joined(separator: ", ")
    }

    /// The number of columns in the select list.
    package static var columnCount: Int {
        var columns = ColumnCount()
        var record = Self()
        try? record.columns(&columns)
        return columns.count
    }

    /// The names of the columns with times.
    fileprivate static var times: [String] {
        var names = ColumnNames()
        var record = Self()
        try? record.columns(&names)
        return names.times
    }

    /// The names and values of the columns that are written.
    var written: (names: [String], values: [DatabaseValue]) {
        var values = ColumnValues()
        var record = self
        try? record.columns(&values)
        return (values.names, values.values)
    }
}

extension Writes {
    /// Inserts a row with all columns of the record, except those in `omitted`, and returns its row id.
    ///
    /// - Parameters:
    ///   - keys: columns that identify the row and are not in the record, such as its user
    ///   - isReplacing: true to replace the row with the same key
    @discardableResult package func insert(
        _ record: some ColumnRecord, into table: String, omitting omitted: Set<String> = [],
        keys: KeyValuePairs<String, any DatabaseValueConvertible> = [:], isReplacing: Bool = false
    ) throws -> Int64 {
        let columns = columns(of: record, omitting: omitted)
        let names = keys.map(\.key) + columns.names
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        try execute(
            """
            INSERT \(isReplacing ? "OR REPLACE " : "")INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(marks))
            """, StatementArguments(keys.map(\.value.databaseValue) + columns.values))
        return database.lastInsertedRowID
    }

    /// Writes all columns of the record, except those in `omitted`, to the rows that `condition` selects.
    package func update(
        _ table: String, with record: some ColumnRecord, omitting omitted: Set<String> = [],
        where condition: String, _ arguments: StatementArguments
    ) throws {
        let columns = columns(of: record, omitting: omitted)
        try update(table, columns.names, columns.values, where: condition, arguments)
    }

    /// Writes only the columns in which the records differ, so that triggers and indexes of others have no work.
    package func update<Record: ColumnRecord>(
        _ table: String, from before: Record, to after: Record, where condition: String,
        _ arguments: StatementArguments
    ) throws {
        let (old, new) = (before.written.values, after.written)
        let changed = old.indices.filter { old[$0] != new.values[$0] }
        guard !changed.isEmpty else { return }
        try update(
            table, changed.map { new.names[$0] }, changed.map { new.values[$0] }, where: condition, arguments)
    }

    private func update(
        _ table: String, _ names: [String], _ values: [DatabaseValue], where condition: String,
        _ arguments: StatementArguments
    ) throws {
        let assignments = names.map { "\($0) = ?" }.joined(separator: ", ")
        try execute(
            "UPDATE \(table) SET \(assignments) WHERE \(condition)", StatementArguments(values) + arguments)
    }

    private func columns(
        of record: some ColumnRecord, omitting omitted: Set<String>
    ) -> (names: [String], values: [DatabaseValue]) {
        let all = record.written
        guard !omitted.isEmpty else { return all }
        let kept = all.names.indices.filter { !omitted.contains(all.names[$0]) }
        return (kept.map { all.names[$0] }, kept.map { all.values[$0] })
    }
}

extension StoredRows {
    /// - Parameters:
    ///   - ids: columns with ids that are not in the record, such as its user
    ///   - others: further columns, for `check`
    package init<Record: ColumnRecord & SendableMetatype>(
        _ table: String, _: Record.Type, ids: [String] = [], others: [String] = [],
        _ check: @escaping @Sendable (Record, Row) throws -> Void = { _, _ in }
    ) {
        let columns = [Record.selection(of: table)] + ids + others
        let times = Record.times
        self.init(table, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table)") { row in
            let record = try Record(row)
            // Reading moves them into the calendar.
            for time in times { _ = try row.timeIfPresent(time) }
            for id in ids { _ = try row.id(id) }
            try check(record, row)
        }
    }
}

/// Reads columns in the order of the statement, which is faster than looking them up by name.
@usableFromInline struct ColumnReader: ColumnVisitor {
    @usableFromInline let row: Row
    @usableFromInline var index: Int

    @usableFromInline init(_ row: Row, at index: Int) {
        self.row = row
        self.index = index
    }

    @inlinable mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) throws {
        guard let stored = Value.read(row, at: index) else { throw ImpossibleValue(column: name) }
        value = stored
        index += 1
    }

    @inlinable mutating func column<Value: ColumnValue>(
        _ name: String, sql: String, _ value: inout Value
    ) throws {
        try column(name, &value)
    }

    @inlinable func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {}

    @inlinable mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {
        var value = Part()
        guard row.hasNull(atIndex: index) else {
            try value.columns(&self)
            part = value
            return
        }
        var count = ColumnCount()
        try value.columns(&count)
        index += count.count
        part = nil
    }
}

@usableFromInline struct ColumnCount: ColumnVisitor {
    @usableFromInline var count = 0

    @usableFromInline init() {}

    @inlinable mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) { count += 1 }

    @inlinable mutating func column<Value: ColumnValue>(
        _ name: String, sql: String, _ value: inout Value
    ) { count += 1 }

    @inlinable func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {}

    @inlinable mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {
        var value = Part()
        try value.columns(&self)
    }
}

private struct ColumnNames: ColumnVisitor {
    var all: [(name: String, sql: String?)] = []
    var times: [String] = []

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) {
        add(name, nil, Value.self)
    }

    mutating func column<Value: ColumnValue>(_ name: String, sql: String, _ value: inout Value) {
        add(name, sql, Value.self)
    }

    private mutating func add(_ name: String, _ sql: String?, _ type: any ColumnValue.Type) {
        all.append((name, sql))
        if type == Date.self || type == Date?.self { times.append(name) }
    }

    func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {}

    mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {
        var value = Part()
        try value.columns(&self)
    }
}

private struct ColumnValues: ColumnVisitor {
    var names: [String] = []
    var values: [DatabaseValue] = []

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) {
        names.append(name)
        values.append(value.stored)
    }

    mutating func column<Value: ColumnValue>(_ name: String, sql: String, _ value: inout Value) {}

    mutating func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {
        names.append(name)
        values.append(value().stored)
    }

    mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {
        let start = values.count
        var value = part ?? Part()
        try value.columns(&self)
        if part == nil { for index in start..<values.count { values[index] = .null } }
    }
}

extension ColumnValue where Self: StatementColumnConvertible & DatabaseValueConvertible {
    @usableFromInline package var stored: DatabaseValue { databaseValue }

    @inlinable package static func read(_ row: Row, at index: Int) -> Self? {
        try? row.decode(Self.self, atIndex: index)
    }
}

extension String: ColumnValue {}
extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension Double: ColumnValue {}
extension Bool: ColumnValue {}
extension Data: ColumnValue {}

/// A time, in seconds since 1970; others are moved into the years 1970 to 9999, because formatting them could crash.
extension Date: ColumnValue {
    @usableFromInline package static func read(_ row: Row, at index: Int) -> Date? {
        Double.read(row, at: index).map { Date(timeIntervalSince1970: min(max($0, 0), StoredTime.last)) }
    }

    @usableFromInline package var stored: DatabaseValue { timeIntervalSince1970.databaseValue }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    @inlinable package static func read(_ row: Row, at index: Int) -> Wrapped?? {
        guard !row.hasNull(atIndex: index) else { return .some(nil) }
        return Wrapped.read(row, at: index).map { .some($0) }
    }

    @usableFromInline package var stored: DatabaseValue { self?.stored ?? .null }
}

/// An enumeration that is stored as its raw value.
extension ColumnValue where Self: RawRepresentable<String> {
    @inlinable package static func read(_ row: Row, at index: Int) -> Self? {
        String.read(row, at: index).flatMap(Self.init(rawValue:))
    }

    @usableFromInline package var stored: DatabaseValue { rawValue.databaseValue }
}

/// A value that is stored as JSON.
@usableFromInline package protocol JSONColumnValue: ColumnValue, Codable {}

extension JSONColumnValue {
    @usableFromInline package static func read(_ row: Row, at index: Int) -> Self? {
        String.read(row, at: index).flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    @usableFromInline package var stored: DatabaseValue {
        // Strings and numbers of our own types always have a JSON form.
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self).databaseValue } ?? .null
    }
}

/// A list is stored as a JSON array.
extension Array: ColumnValue, JSONColumnValue where Element: Codable {}
