import Foundation
import GRDB

/// Displays in SQLite: of a link only the hash.
///
/// What `then` is told is committed, and it is told in the order of the commits: a copy in memory that is written
/// there ends as the disk does, whoever else writes at the same time.
struct DisplayStore: Sendable {
    /// A display with the hash of its link's secret.
    struct Stored: Sendable {
        let display: Display
        let tokenHash: [UInt8]
    }

    let database: any DatabaseWriter

    private static let columns = """
        id, user_id, name, token_hash, seconds_per_page, red_is_up, created_at, last_seen_at
        """

    func all() async throws -> [Stored] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM displays ORDER BY id")
                .readable(Self.display)
        }
    }

    func add(
        _ name: String, of user: UserID, tokenHash: [UInt8], at now: Date,
        then: @escaping @Sendable (Stored) -> Void
    ) async throws -> Stored {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO displays (user_id, name, token_hash, created_at) VALUES (?, ?, ?, ?)",
                arguments: [user, name, Data(tokenHash), now.timeIntervalSince1970])
            return try Self.one(database.lastInsertedRowID, of: user, in: database, then)
        }
    }

    func setLink(
        _ id: DisplayID, of user: UserID, tokenHash: [UInt8], then: @escaping @Sendable (Stored) -> Void
    ) async throws -> Stored {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE displays SET token_hash = ?, last_seen_at = NULL WHERE id = ? AND user_id = ?",
                arguments: [Data(tokenHash), id, user])
            return try Self.one(id, of: user, in: database, then)
        }
    }

    func change(_ display: Display, then: @escaping @Sendable (Stored) -> Void) async throws -> Stored {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE displays SET name = ?, seconds_per_page = ?, red_is_up = ? WHERE id = ? AND user_id = ?
                    """,
                arguments: [
                    display.name, display.secondsPerPage, display.redIsUp, display.id, display.userId,
                ])
            return try Self.one(display.id, of: display.userId, in: database, then)
        }
    }

    /// False when the user has no such display.
    func remove(_ id: DisplayID, of user: UserID, then: @escaping @Sendable () -> Void) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM displays WHERE id = ? AND user_id = ?", arguments: [id, user])
            guard database.changesCount > 0 else { return false }
            database.afterNextTransaction { _ in then() }
            return true
        }
    }

    func markSeen(_ id: DisplayID, at time: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE displays SET last_seen_at = ? WHERE id = ?",
                arguments: [time.timeIntervalSince1970, id])
        }
    }

    private static func one(
        _ id: DisplayID, of user: UserID, in database: GRDB.Database,
        _ then: @escaping @Sendable (Stored) -> Void
    ) throws -> Stored {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(columns) FROM displays WHERE id = ? AND user_id = ?",
            arguments: [id, user])
        guard let row else { throw RoostError.notFound("There is no such display.") }
        let stored = try display(row)
        database.afterNextTransaction { _ in then(stored) }
        return stored
    }

    static let stored = [StoredRows("displays") { _ = try display($0) }]

    private static func display(_ row: Row) throws -> Stored {
        let display = Display(
            id: try row.id("id"), userId: try row.id("user_id"), name: try row.text("name"),
            secondsPerPage: try row.number("seconds_per_page", in: 5...3_600),
            redIsUp: try row.value("red_is_up"), createdAt: try row.time("created_at"),
            lastSeenAt: try row.timeIfPresent("last_seen_at"))
        return Stored(display: display, tokenHash: try row.digest("token_hash"))
    }
}
