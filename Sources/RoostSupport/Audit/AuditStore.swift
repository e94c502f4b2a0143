import Foundation
package import GRDB

/// The audit log in SQLite.
package struct AuditStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func add(
        _ kind: AuditEntry.Kind, actor: String, subject: String, address: String, detail: String, at now: Date
    ) async throws {
        try await database.write { database in
            try database.execute(
                sql:
                    "INSERT INTO audit_entries (at, kind, actor, subject, address, detail) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [now.timeIntervalSince1970, kind.rawValue, actor, subject, address, detail])
        }
    }

    /// The newest first.
    func entries(of kinds: [AuditEntry.Kind], before id: Int64?, limit: Int) async throws -> [AuditEntry] {
        try await database.fetch { database in
            let marks = kinds.map { _ in "?" }.joined(separator: ", ")
            var arguments = StatementArguments(kinds.map(\.rawValue))
            arguments += [id ?? Int64.max, limit]
            return try Row.fetchAll(
                database.cachedStatement(
                    sql:
                        "SELECT * FROM audit_entries WHERE kind IN (\(marks)) AND id < ? ORDER BY id DESC LIMIT ?"
                ),
                arguments: arguments
            ).readable(Self.entry)
        }
    }

    /// Of failures the newest 5,000 are kept, of everything else the newest 20,000; of what one person can do again and
    /// again, such as signing in, his newest 500: nobody pushes out what happened by repeating himself.
    func trim(before: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM audit_entries WHERE at < ?", arguments: [before.timeIntervalSince1970])
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

    package static let stored = [StoredRows("audit_entries") { _ = try entry($0) }]

    private static func entry(_ row: Row) throws -> AuditEntry {
        AuditEntry(
            id: try row.id("id"), at: try row.time("at"), kind: try row.choice("kind"),
            actor: try row.text("actor"), subject: try row.text("subject"), address: try row.text("address"),
            detail: try row.text("detail"))
    }
}
