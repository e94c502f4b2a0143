package import Foundation
public import GRDB

/// A stored value that Roost never writes, such as a time after the year 9999.
///
/// It comes from another program or from damage; formatting it or calculating with it could crash.
@usableFromInline package struct ImpossibleValue: Error, Equatable {
    let column: String

    @usableFromInline package init(column: String) {
        self.column = column
    }
}

/// Checked access to columns. GRDB's own subscripts crash on a value of the wrong type.
///
/// All methods throw `ImpossibleValue`.
extension Row {
    /// Enough for a README, the longest value.
    fileprivate static let maximumJSONBytes = 16_777_216
    /// Longer than any name, address or digest.
    fileprivate static let maximumTextBytes = 4_096

    package func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        do { return try decode(forColumn: column) } catch { throw ImpossibleValue(column: column) }
    }

    package func text(_ column: String, maximumBytes: Int = Row.maximumTextBytes) throws -> String {
        try checked(column) { (text: String) in text.utf8.count <= maximumBytes }
    }

    package func textIfPresent(_ column: String, maximumBytes: Int = Row.maximumTextBytes) throws -> String? {
        try isNull(column) ? nil : text(column, maximumBytes: maximumBytes)
    }

    package func time(_ column: String) throws -> Date { (try value(column) as StoredTime).date }

    package func timeIfPresent(_ column: String) throws -> Date? { try isNull(column) ? nil : time(column) }

    package func number(_ column: String, in range: ClosedRange<Int>) throws -> Int {
        try checked(column) { (number: Int) in range.contains(number) }
    }

    package func id(_ column: String) throws -> Int64 { try checked(column) { (id: Int64) in id > 0 } }

    package func idIfPresent(_ column: String) throws -> Int64? { try isNull(column) ? nil : id(column) }

    package func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let choice = Choice(rawValue: try text(column)) else { throw ImpossibleValue(column: column) }
        return choice
    }

    package func digest(_ column: String) throws -> [UInt8] {
        Array(try checked(column) { (digest: Data) in digest.count == 32 })
    }

    package func bytes(_ column: String, maximumBytes: Int) throws -> [UInt8] {
        Array(try checked(column) { (bytes: Data) in bytes.count <= maximumBytes })
    }

    package func json<Value: Decodable>(_ column: String) throws -> Value {
        let text = try text(column, maximumBytes: Self.maximumJSONBytes)
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            throw ImpossibleValue(column: column)
        }
        return value
    }

    package func jsonIfPresent<Value: Decodable>(_ column: String) throws -> Value? {
        try isNull(column) ? nil : json(column)
    }

    private func isNull(_ column: String) throws -> Bool { try value(column) as DatabaseValue == .null }

    private func checked<Value: DatabaseValueConvertible>(
        _ column: String, _ isPossible: (Value) -> Bool
    ) throws -> Value {
        let value: Value = try value(column)
        guard isPossible(value) else { throw ImpossibleValue(column: column) }
        return value
    }
}

extension Sequence<Row> {
    /// Maps the rows, skipping those with an impossible value; `roost check` reports them.
    @inlinable package func readable<Value>(_ read: (Row) throws -> Value) -> [Value] {
        compactMap { try? read($0) }
    }
}

extension RowCursor {
    /// Maps the rows like the method on `Sequence`, reading each from SQLite in turn without copying it.
    @inlinable package func readable<Value>(_ read: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        while let row = try next() { if let value = try? read(row) { values.append(value) } }
        return values
    }
}

/// How to read the rows of a table, so that `roost check` can report each row that Roost skips.
package struct StoredRows: Sendable {
    let table: String
    let sql: String
    let read: @Sendable (Row) throws -> Void

    package init(_ table: String, sql: String? = nil, _ read: @escaping @Sendable (Row) throws -> Void) {
        self.table = table
        self.sql = sql ?? "SELECT * FROM \(table)"
        self.read = read
    }

    func problems(_ database: GRDB.Database) throws -> [String] {
        let key = try database.primaryKey(table).columns
        let rows = try Row.fetchCursor(database, sql: sql)
        var problems: [String] = []
        // A copied row knows the types of its values; one of a statement converts them.
        while let row = try rows.next()?.copy() {
            do { try read(row) } catch let error as ImpossibleValue {
                let rowKey = key.compactMap { column in
                    (try? row.value(column) as DatabaseValue).map { " \(column) \("\($0)".prefix(100))" }
                }
                problems.append(
                    "The row\(rowKey.joined(separator: ",")) of \(table) has an invalid value in \(error.column)."
                )
            }
        }
        return problems
    }
}

extension Sequence<Int64> {
    /// A JSON array for SQLite's `json_each`. Ten times as fast as `description`, which uses reflection.
    package var jsonArray: String { "[\(map { String($0) }.joined(separator: ","))]" }
}
