package import GRDB

/// A read transaction. Features add their queries in extensions.
package class Reads {
    package let database: GRDB.Database
    /// The change feed's position from before the transaction: clients are notified of all changes that it may miss.
    package let feedPosition: Int
    let undoExpirations: SteadyExpirations<UndoID>

    package init(
        _ database: GRDB.Database, feedPosition: Int = 0,
        undoExpirations: SteadyExpirations<UndoID> = SteadyExpirations(clock: WallClock())
    ) {
        self.database = database
        self.feedPosition = feedPosition
        self.undoExpirations = undoExpirations
    }
}

/// Queries whose compiled statement the connection keeps. The SQL must not contain values, or each becomes a statement.
extension GRDB.Database {
    package func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    package func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the rows one by one, without copying them. Do not run the same SQL again before the last one.
    package func cursor(_ sql: String, _ arguments: StatementArguments = []) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the first column of the first row, or nil if there is no row or it is null.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _: Value.Type, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> Value? {
        try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the first column of all rows.
    package func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _: Value.Type, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> [Value] {
        try Value.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }
}

/// A write transaction. Features add their changes in extensions.
package final class Writes: Reads {
    struct Effects: Sendable {
        var topics: Set<String> = []
        var laterTopics: [@Sendable () -> [String]] = []
        var actions: [@Sendable () -> Void] = []
    }

    private(set) var effects = Effects()

    /// Runs a statement that the connection keeps compiled, for rows that are written often.
    package func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Announces a change of these topics once it is committed.
    package func publish(_ topics: String...) { effects.topics.formUnion(topics) }

    package func publish(_ topics: some Sequence<String>) { effects.topics.formUnion(topics) }

    /// For thousands of topics: calls `topics` after the commit, when no other write waits for it.
    package func publish(_ topics: @escaping @Sendable () -> [String]) { effects.laterTopics.append(topics) }

    /// Calls `action` once the transaction is committed, before the next one begins. It must be short: writes wait for
    /// it.
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { effects.actions.append(action) }
}
