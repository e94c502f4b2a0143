package import GRDB

/// SQLite's plan for a statement.
package struct QueryPlan {
    /// "SEARCH bookmarks USING INDEX ...", "SCAN repositories", "USE TEMP B-TREE FOR ORDER BY".
    package let steps: [String]

    /// - Parameter sql: with `?` for its arguments, as a trace shows it
    package init(of sql: String, _ database: GRDB.Database) throws {
        let arguments = StatementArguments(sql.filter { $0 == "?" }.map { _ in nil as Int? })
        steps = try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
            .map { $0["detail"] }
    }
}
