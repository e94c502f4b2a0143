import Foundation
import GRDB

/// How many calls each month has cost, so that a restart does not forget them.
struct CallBudgetStore: Sendable {
    let database: any DatabaseWriter

    func calls(to source: String, month: String) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT calls FROM upstream_calls WHERE source = ? AND month = ?",
                arguments: [source, month]) ?? 0
        }
    }

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
