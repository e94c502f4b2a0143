package import GRDB
import GRDBSQLite
import Synchronization

/// Records each statement the first time SQLite runs it, which is when it was compiled.
///
/// It must live as long as the connections that it watches.
package final class CompiledStatements: Sendable {
    private let statements = Mutex<[String]>([])

    package init() {}

    /// Watches a connection, replacing GRDB's own `trace`.
    package func watch(_ database: GRDB.Database) {
        sqlite3_trace_v2(
            database.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
            { _, context, statement, sql in
                guard let context, let statement = OpaquePointer(statement),
                    let sql = sql?.assumingMemoryBound(to: CChar.self),
                    sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) == 0
                else { return 0 }
                let text = String(cString: sql)
                Unmanaged<CompiledStatements>.fromOpaque(context).takeUnretainedValue()
                    .statements.withLock { $0.append(text) }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Those since the last call, without triggers and GRDB's own transaction statements.
    package func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements.filter { statement in
                !["--", "BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"].contains { statement.hasPrefix($0) }
            }
        }
    }
}
