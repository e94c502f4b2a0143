import Foundation
package import GRDB

/// Where a feature stores sealed values.
package struct SealedColumn: Sendable {
    /// Selects the values as `sealed`, with what their context is made of.
    let sql: String
    let context: @Sendable (Row) throws -> String

    package init(sql: String, context: @escaping @Sendable (Row) throws -> String) {
        self.sql = sql
        self.context = context
    }
}

/// Which key this database is sealed with, in SQLite.
package struct SecretKeyStore: Sendable {
    package struct Record: Equatable {
        /// Nil after `forget`: any key may take its place.
        let fingerprint: [UInt8]?
        /// Where the key was last read from, for people who look for it.
        let path: String

        package init(fingerprint: [UInt8]? = nil, path: String) {
            self.fingerprint = fingerprint
            self.path = path
        }
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    package static let stored = [StoredRows("secret_key") { _ = try record($0) }]

    private static func record(_ row: Row) throws -> Record {
        let isForgotten = try row.value("fingerprint") as DatabaseValue == .null
        return Record(
            fingerprint: isForgotten ? nil : try row.digest("fingerprint"), path: try row.text("path"))
    }

    /// Nil until a key was used.
    func record() throws -> Record? {
        try database.read { try Row.fetchOne($0, sql: "SELECT * FROM secret_key").map(Self.record) }
    }

    package func put(_ record: Record) throws {
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO secret_key (only_row, fingerprint, path) VALUES (1, ?, ?)
                    ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, path = excluded.path
                    """,
                arguments: [record.fingerprint.map { Data($0) }, record.path])
        }
    }

    /// Whether a key opens any of the sealed values; nil if there are no sealed values.
    func opens(_ columns: [SealedColumn], with sealer: Sealer) throws -> Bool? {
        try database.read { database in
            var hasAny = false
            for column in columns {
                let rows = try Row.fetchCursor(database, sql: column.sql)
                while let row = try rows.next() {
                    hasAny = true
                    let opened = try? sealer.open(
                        row.bytes("sealed", maximumBytes: 65_536), as: column.context(row))
                    if opened != nil { return true }
                }
            }
            return hasAny ? false : nil
        }
    }
}
