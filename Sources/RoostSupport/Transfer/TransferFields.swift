package import Foundation
import GRDB
import TextFormats

/// Any JSON value.
package enum TransferValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([TransferValue])
    case object([String: TransferValue])
}

extension TransferValue: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let list = try? value.decode([TransferValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: TransferValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}

/// A record as a JSON object: a member for each column that the record writes, named in camel case. NULL is left out unless
/// the record's default is another value, times are ISO 8601, and columns with JSON are JSON.
package struct TransferFields: Codable, Equatable, Sendable {
    package var values: [String: TransferValue] = [:]

    package init(_ values: [String: TransferValue] = [:]) { self.values = values }

    /// - Parameter omitted: names of columns
    package init<Record: ColumnRecord>(_ record: Record, omitting omitted: Set<String> = []) {
        values = FieldWriter.values(of: record, omitted)
        // Reading keeps the default of a member that is missing.
        for name in FieldWriter.values(of: Record(), omitted).keys where values[name] == nil {
            values[name] = .null
        }
    }

    package init(from decoder: any Decoder) throws {
        values = try [String: TransferValue](from: decoder)
    }

    package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }

    /// Returns the record; columns without a member keep the default. Throws `RoostError.invalid(field: "file")`.
    package func record<Record: ColumnRecord>(
        _ type: Record.Type = Record.self, omitting omitted: Set<String> = []
    ) throws -> Record {
        var reader = FieldReader(values: values, omitted: omitted)
        var record = Record()
        try record.columns(&reader)
        return record
    }

    package func text(_ name: String) -> String? {
        if case .text(let text) = values[name] { text } else { nil }
    }

    package func time(_ name: String) -> Date? { text(name).flatMap(ISO8601.parse) }

    /// "coin_id" becomes "coinId".
    fileprivate static func name(ofColumn column: String) -> String {
        let words = column.splitBytes(at: "_")
        let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return ([words.first.map { String($0) } ?? ""] + others).joined()
    }
}

private struct FieldWriter: ColumnVisitor {
    let omitted: Set<String>
    var values: [String: TransferValue] = [:]

    static func values(of record: some ColumnRecord, _ omitted: Set<String>) -> [String: TransferValue] {
        var writer = FieldWriter(omitted: omitted)
        var record = record
        // Only reading throws.
        try? record.columns(&writer)
        return writer.values
    }

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) {
        guard !omitted.contains(name), let field = Self.field(value) else { return }
        values[TransferFields.name(ofColumn: name)] = field
    }

    mutating func column<Value: ColumnValue>(_ name: String, sql: String, _ value: inout Value) {}

    func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {}

    mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {}

    private static func field<Value: ColumnValue>(_ value: Value) -> TransferValue? {
        if let date = value as? Date { return .text(ISO8601.milliseconds(date)) }
        if let flag = value as? Bool { return .bool(flag) }
        switch value.stored.storage {
        case .null, .blob: return nil
        case .int64(let number): return .integer(number)
        case .double(let number): return .number(number)
        case .string(let text):
            guard value is any JSONColumnValue else { return .text(text) }
            return try? JSONDecoder().decode(TransferValue.self, from: Data(text.utf8))
        }
    }
}

private struct FieldReader: ColumnVisitor {
    let values: [String: TransferValue]
    let omitted: Set<String>

    mutating func column<Value: ColumnValue>(_ name: String, _ value: inout Value) throws {
        let field = TransferFields.name(ofColumn: name)
        guard !omitted.contains(name), let given = values[field] else { return }
        guard let read: Value = Self.read(given) else {
            throw RoostError.file("“\(field)” has an invalid value.")
        }
        value = read
    }

    mutating func column<Value: ColumnValue>(_ name: String, sql: String, _ value: inout Value) {}

    func written<Value: ColumnValue>(_ name: String, _ value: @autoclosure () -> Value) {}

    mutating func part<Part: ColumnRecord>(_ part: inout Part?) throws {}

    private static func read<Value: ColumnValue>(_ field: TransferValue) -> Value? {
        if Value.self == Date.self || Value.self == Date?.self {
            guard case .text(let text) = field, let date = ISO8601.parse(text),
                (0...StoredTime.last).contains(date.timeIntervalSince1970)
            else { return nil }
            return value(date.timeIntervalSince1970.databaseValue)
        }
        if let stored = stored(field), let value: Value = value(stored) { return value }
        // A column with JSON, which can be a text or a number too.
        guard let json = try? JSONEncoder().encode(field) else { return nil }
        return value(String(decoding: json, as: UTF8.self).databaseValue)
    }

    private static func stored(_ field: TransferValue) -> DatabaseValue? {
        switch field {
        case .null: .null
        case .bool(let flag): flag.databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .list, .object: nil
        }
    }

    private static func value<Value: ColumnValue>(_ stored: DatabaseValue) -> Value? {
        Value.read(Row(["value": stored]), at: 0)
    }
}
