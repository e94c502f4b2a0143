import GRDB
package import RoostSupport

package enum CallBudgetStore {
    package static let stored = [
        StoredRows("upstream_calls") { row in
            _ = (try row.text("source"), try row.text("month"), try calls(row))
        }
    ]

    /// The limit is far above one call in each of a month's seconds.
    fileprivate static func calls(_ row: Row) throws -> Int { try row.number("calls", in: 0...1_000_000_000) }
}

extension Reads {
    func calls(to source: String, month: String) throws -> Int {
        try Row.fetchAll(
            database, sql: "SELECT * FROM upstream_calls WHERE source = ? AND month = ?",
            arguments: [source, month]
        ).readable(CallBudgetStore.calls).first ?? 0
    }
}

extension Writes {
    func addCalls(_ calls: Int, to source: String, month: String) throws {
        try database.execute(
            sql: """
                INSERT INTO upstream_calls (source, month, calls) VALUES (?, ?, ?)
                ON CONFLICT (source, month) DO UPDATE SET calls = calls + excluded.calls
                """,
            arguments: [source, month, calls])
    }
}
