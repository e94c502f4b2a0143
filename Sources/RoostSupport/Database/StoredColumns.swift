package import GRDB

/// Stored values by column, as JSON in changes that can be undone.
package struct StoredColumns: Equatable, Sendable {
    private var values: [String: DatabaseValue] = [:]

    package init(_ record: some ColumnRecord) {
        let written = record.written
        values = Dictionary(zip(written.names, written.values)) { _, last in last }
    }

    package init(_ row: Row) {
        values = Dictionary(Array(row)) { _, last in last }
    }

    package var isEmpty: Bool { values.isEmpty }
    /// In a fixed order, so that the same columns make the same statement.
    package var names: [String] { values.keys.sorted() }

    package subscript(name: String) -> DatabaseValue { values[name] ?? .null }

    package func filter(_ isIncluded: (String) -> Bool) -> StoredColumns {
        var columns = self
        columns.values = values.filter { isIncluded($0.key) }
        return columns
    }
}

extension StoredColumns: Codable {
    private struct Value: Codable {
        let stored: DatabaseValue

        init(_ stored: DatabaseValue) { self.stored = stored }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                stored = .null
            } else if let number = try? value.decode(Int64.self) {
                stored = number.databaseValue
            } else if let number = try? value.decode(Double.self) {
                stored = number.databaseValue
            } else if let flag = try? value.decode(Bool.self) {
                stored = flag.databaseValue
            } else {
                stored = try value.decode(String.self).databaseValue
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch stored.storage {
            case .null: try value.encodeNil()
            case .int64(let number): try value.encode(number)
            case .double(let number): try value.encode(number)
            case .string(let text): try value.encode(text)
            case .blob:
                throw EncodingError.invalidValue(
                    stored, .init(codingPath: encoder.codingPath, debugDescription: "JSON has no bytes"))
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        values = try [String: Value](from: decoder).mapValues(\.stored)
    }

    package func encode(to encoder: any Encoder) throws {
        try values.mapValues(Value.init).encode(to: encoder)
    }
}

extension Writes {
    /// Inserts a row with these columns.
    package func insert(_ columns: StoredColumns, into table: String) throws {
        let names = columns.names
        try execute(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """, StatementArguments(names.map { columns[$0] }))
    }

    /// Writes the columns to the rows that `condition` selects.
    package func update(
        _ table: String, with columns: StoredColumns, where condition: String, _ arguments: StatementArguments
    ) throws {
        guard !columns.isEmpty else { return }
        let assignments = columns.names.map { "\($0) = ?" }.joined(separator: ", ")
        try execute(
            "UPDATE \(table) SET \(assignments) WHERE \(condition)",
            StatementArguments(columns.names.map { columns[$0] }) + arguments)
    }
}
