import Foundation
package import GRDB
package import RoostSupport

/// How many calls each month has cost, so that a restart does not forget them.
package struct CallBudgetStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func calls(to source: String, month: String) async throws -> Int {
        try await database.fetch { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM upstream_calls WHERE source = ? AND month = ?",
                arguments: [source, month]
            ).readable(Self.calls).first ?? 0
        }
    }

    package static let stored = [
        StoredRows("upstream_calls") { row in
            _ = (try row.text("source"), try row.text("month"), try calls(row))
        }
    ]

    /// No month has seconds enough for a thousand million.
    private static func calls(_ row: Row) throws -> Int { try row.number("calls", in: 0...1_000_000_000) }

    func add(_ calls: Int, to source: String, month: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO upstream_calls (source, month, calls) VALUES (?, ?, ?)
                    ON CONFLICT (source, month) DO UPDATE SET calls = calls + excluded.calls
                    """,
                arguments: [source, month, calls])
        }
    }
}
