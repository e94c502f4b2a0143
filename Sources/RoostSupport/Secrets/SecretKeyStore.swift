import Foundation
package import GRDB

package struct SealedColumn: Sendable {
    /// Selects the values as `sealed`, and the columns that make up their context.
    let sql: String
    let context: @Sendable (Row) throws -> String

    package init(sql: String, context: @escaping @Sendable (Row) throws -> String) {
        self.sql = sql
        self.context = context
    }
}

package enum SecretKeyStore {
    package struct Record: Equatable {
        /// Nil after `roost key forget`: any key is accepted.
        let fingerprint: [UInt8]?
        /// The path that the key was last read from, to help people find it.
        let path: String

        package init(fingerprint: [UInt8]? = nil, path: String) {
            self.fingerprint = fingerprint
            self.path = path
        }
    }

    package static let stored = [StoredRows("secret_key") { _ = try record($0) }]

    fileprivate static func record(_ row: Row) throws -> Record {
        let isForgotten = try row.value("fingerprint") as DatabaseValue == .null
        return Record(
            fingerprint: isForgotten ? nil : try row.digest("fingerprint"), path: try row.text("path"))
    }
}

extension Reads {
    func secretKey() throws -> SecretKeyStore.Record? {
        try Row.fetchOne(database, sql: "SELECT * FROM secret_key").map(SecretKeyStore.record)
    }

    /// Returns true if the key opens any of the sealed values; nil without sealed values.
    func opens(_ columns: [SealedColumn], with sealer: Sealer) throws -> Bool? {
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

extension Writes {
    package func setSecretKey(_ record: SecretKeyStore.Record) throws {
        try database.execute(
            sql: """
                INSERT INTO secret_key (only_row, fingerprint, path) VALUES (1, ?, ?)
                ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, path = excluded.path
                """,
            arguments: [record.fingerprint.map { Data($0) }, record.path])
    }
}
