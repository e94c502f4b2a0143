package import Foundation
public import GRDB

/// A stored value that Roost never writes, such as a time beyond the year 9999.
///
/// Another program or damage may have put it there; formatting or calculating with it could stop the process.
package struct ImpossibleValue: Error, Equatable {
    let column: String

    package init(column: String) {
        self.column = column
    }
}

/// Reading columns with a check, where GRDB's own subscripts stop the process over a value of the wrong type.
///
/// All throw `ImpossibleValue`.
extension Row {
    /// The last second of the year 9999, since 1970.
    fileprivate static let lastTime: TimeInterval = 253_402_300_799
    /// In bytes; a README is the longest.
    fileprivate static let maximumJSONBytes = 16_777_216
    /// Longer than any name, address or digest.
    fileprivate static let maximumTextBytes = 4_096

    package func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        do { return try decode(forColumn: column) } catch { throw ImpossibleValue(column: column) }
    }

    /// - Parameter maximumBytes: in bytes
    package func text(_ column: String, maximumBytes: Int = Row.maximumTextBytes) throws -> String {
        try checked(column) { (text: String) in text.utf8.count <= maximumBytes }
    }

    package func textIfPresent(_ column: String, maximumBytes: Int = Row.maximumTextBytes) throws -> String? {
        try isNull(column) ? nil : text(column, maximumBytes: maximumBytes)
    }

    /// Seconds since 1970: not before, and not after the year 9999.
    package func time(_ column: String) throws -> Date {
        Date(
            timeIntervalSince1970: try checked(column) { (seconds: Double) in
                (0...Self.lastTime).contains(seconds)
            })
    }

    package func timeIfPresent(_ column: String) throws -> Date? { try isNull(column) ? nil : time(column) }

    package func number(_ column: String, in range: ClosedRange<Int>) throws -> Int {
        try checked(column) { (number: Int) in range.contains(number) }
    }

    /// The number of a row: more than 0.
    package func id(_ column: String) throws -> Int64 { try checked(column) { (id: Int64) in id > 0 } }

    package func idIfPresent(_ column: String) throws -> Int64? { try isNull(column) ? nil : id(column) }

    /// A choice among words.
    package func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let choice = Choice(rawValue: try text(column)) else { throw ImpossibleValue(column: column) }
        return choice
    }

    package func choiceIfPresent<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice? {
        try isNull(column) ? nil : choice(column) as Choice
    }

    /// A SHA-256 digest.
    package func digest(_ column: String) throws -> [UInt8] {
        Array(try checked(column) { (digest: Data) in digest.count == 32 })
    }

    /// - Parameter maximumBytes: in bytes
    package func bytes(_ column: String, maximumBytes: Int) throws -> [UInt8] {
        Array(try checked(column) { (bytes: Data) in bytes.count <= maximumBytes })
    }

    /// A value that is stored as JSON.
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

/// Reads a row's columns one after the other, in the order of the statement, with the same checks.
///
/// Finding forty columns by their names takes longer than reading them. All throw `ImpossibleValue`.
package struct RowReader {
    // Generic members are inlinable so that callers in other modules are compiled for their own types.
    @usableFromInline let row: Row
    @usableFromInline var index = 0

    package init(_ row: Row) { self.row = row }

    /// Whether the next column holds nothing.
    @inlinable package var isAtNull: Bool { row.hasNull(atIndex: index) }

    package mutating func skip(_ columns: Int) { index += columns }

    @inlinable package mutating func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ isPossible: (Value) -> Bool = { _ in true }
    ) throws -> Value {
        defer { index += 1 }
        guard let value = try? row.decode(Value.self, atIndex: index), isPossible(value) else {
            throw ImpossibleValue(column: row.columnNames.dropFirst(index).first ?? "")
        }
        return value
    }

    /// Nil where the column holds nothing, otherwise as `read` has it.
    @inlinable package mutating func ifPresent<Value>(_ read: (inout Self) throws -> Value) throws -> Value? {
        guard isAtNull else { return try read(&self) }
        index += 1
        return nil
    }

    /// - Parameter maximumBytes: in bytes
    package mutating func text(maximumBytes: Int = Row.maximumTextBytes) throws -> String {
        try value { (text: String) in text.utf8.count <= maximumBytes }
    }

    package mutating func time() throws -> Date {
        Date(timeIntervalSince1970: try value { (seconds: Double) in (0...Row.lastTime).contains(seconds) })
    }

    /// The number of a row: more than 0.
    package mutating func id() throws -> Int64 { try value { (id: Int64) in id > 0 } }

    package mutating func number(in range: ClosedRange<Int>) throws -> Int {
        try value { range.contains($0) }
    }

    /// A value that is stored as JSON.
    package mutating func json<Value: Decodable>(_: Value.Type) throws -> Value {
        let column = index
        let text = try text(maximumBytes: Row.maximumJSONBytes)
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            throw ImpossibleValue(column: row.columnNames.dropFirst(column).first ?? "")
        }
        return value
    }

    /// How many: 0 or more.
    package mutating func count() throws -> Int { try value { (count: Int) in count >= 0 } }

    package mutating func flag() throws -> Bool {
        try value { (number: Int) in (0...1).contains(number) } == 1
    }

    @inlinable package mutating func choice<Choice: RawRepresentable<String>>() throws -> Choice {
        let column = index
        guard let choice = Choice(rawValue: try text()) else {
            throw ImpossibleValue(column: row.columnNames.dropFirst(column).first ?? "")
        }
        return choice
    }
}

extension Sequence<Row> {
    /// The rows as `read` makes them, without those that hold an impossible value: `roost check` names them.
    @inlinable package func readable<Value>(_ read: (Row) throws -> Value) -> [Value] {
        compactMap { try? read($0) }
    }
}

extension RowCursor {
    /// Likewise, each read where SQLite has it.
    @inlinable package func readable<Value>(_ read: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        while let row = try next() { if let value = try? read(row) { values.append(value) } }
        return values
    }
}

/// How the rows of a table are read, so that `roost check` can name each row that Roost leaves out.
package struct StoredRows: Sendable {
    let table: String
    /// Selects every row, with the columns of the primary key among the others.
    let sql: String
    let read: @Sendable (Row) throws -> Void

    package init(_ table: String, sql: String? = nil, _ read: @escaping @Sendable (Row) throws -> Void) {
        self.table = table
        self.sql = sql ?? "SELECT * FROM \(table)"
        self.read = read
    }

    /// A sentence for each row that cannot be read.
    func problems(_ database: GRDB.Database) throws -> [String] {
        let key = try database.primaryKey(table).columns
        let rows = try Row.fetchCursor(database, sql: sql)
        var problems: [String] = []
        while let row = try rows.next() {
            do { try read(row) } catch let error as ImpossibleValue {
                let place = key.compactMap { column in
                    (try? row.value(column) as DatabaseValue).map { " \(column) \("\($0)".prefix(100))" }
                }
                problems.append(
                    "The row\(place.joined(separator: ",")) of \(table) has an impossible value in \(error.column)."
                )
            }
        }
        return problems
    }
}

extension DatabaseReader {
    /// Reads at once in a task whose threads may wait, as requests' may; in others, which run on Swift's own threads, on a thread for
    /// such reads.
    ///
    /// GRDB's own `read` of a task needs one of Swift's threads to return its connection. If all of those wait for a connection, as
    /// the identity cache may, no connection would ever be returned.
    package func fetch<Value: Sendable>(_ work: @Sendable (GRDB.Database) throws -> Value) async throws
        -> Value
    {
        try Task.checkCancellation()
        if let value = try SharedRead.current?.read(self, work) { return value }
        guard !Self.mayWait else { return try fetchNow(work) }
        guard BackgroundReads.threads.start() else { return try await read(work) }
        return try await withTaskExecutorPreference(BackgroundReads.threads) {
            try Task.checkCancellation()
            return try fetchNow(work)
        }
    }

    private func fetchNow<Value>(_ work: (GRDB.Database) throws -> Value) throws -> Value { try read(work) }

    /// A task that prefers an executor runs on that one's threads, or begins on the server's.
    private static var mayWait: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}

/// The threads on which background work reads, for the whole process.
private enum BackgroundReads {
    static let threads = TaskThreads(count: 2)
}

extension Sequence<Int64> {
    /// As SQLite's `json_each` reads it. `description` says the same, through reflection, in ten times the time.
    package var jsonArray: String { "[\(map { String($0) }.joined(separator: ","))]" }
}
