import Foundation
import GRDB

package enum AuditStore {
    package static let stored = [StoredRows("audit_entries", AuditEntry.self)]

    fileprivate static let columns = AuditEntry.selection(of: "audit_entries")
}

extension Reads {
    func auditEntries(of kinds: [AuditEntry.Kind], before id: Int64?, limit: Int) throws -> [AuditEntry] {
        let marks = kinds.map { _ in "?" }.joined(separator: ", ")
        var arguments = StatementArguments(kinds.map(\.rawValue))
        arguments += [id ?? Int64.max, limit]
        return try database.rows(
            """
            SELECT \(AuditStore.columns) FROM audit_entries WHERE kind IN (\(marks)) AND id < ?
            ORDER BY id DESC LIMIT ?
            """, arguments
        ).readable { try AuditEntry($0) }
    }
}

extension Writes {
    /// Ignores the entry's id.
    func addAuditEntry(_ entry: AuditEntry) throws {
        try insert(entry, into: "audit_entries", omitting: ["id"])
    }

    /// Keeps the newest 5,000 failures and the newest 20,000 other entries, of those at most 500 for each kind and
    /// person. So no one can push out other entries by repeating an action such as signing in.
    func trimAuditEntries(before: Date) throws {
        try database.execute(
            sql: "DELETE FROM audit_entries WHERE at < ?", arguments: [before.stored])
        try database.execute(
            sql: """
                DELETE FROM audit_entries WHERE id IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER (PARTITION BY kind, actor ORDER BY id DESC) AS place
                        FROM audit_entries WHERE kind <> 'signInFailed')
                    WHERE place > 500)
                """)
        for (test, count) in [("= 'signInFailed'", 5_000), ("<> 'signInFailed'", 20_000)] {
            try database.execute(
                sql: """
                    DELETE FROM audit_entries WHERE kind \(test) AND id <= (
                        SELECT id FROM audit_entries WHERE kind \(test) ORDER BY id DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [count])
        }
    }
}
