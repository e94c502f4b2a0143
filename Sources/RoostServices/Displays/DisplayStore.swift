import Foundation
import GRDB

/// Displays in SQLite: of a link only the hash.
struct DisplayStore: Sendable {
    let database: any DatabaseWriter

    private static let select = """
        SELECT id, user_id, name, token_hash, seconds_per_page, red_is_up, created_at, last_seen_at FROM displays
        """

    func displays(of user: UserID) async throws -> [Display] {
        try await read("WHERE user_id = ? ORDER BY id", [user])
    }

    func display(tokenHash: [UInt8]) async throws -> Display? {
        try await read("WHERE token_hash = ?", [Data(tokenHash)]).first
    }

    func display(_ id: DisplayID, of user: UserID) async throws -> Display? {
        try await read("WHERE id = ? AND user_id = ?", [id, user]).first
    }

    /// Adds a display; `limit` bounds how many a user has.
    func add(
        _ name: String, of user: UserID, tokenHash: [UInt8], at now: Date, limit: Int
    ) async throws -> Display {
        try await database.write { database in
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM displays WHERE user_id = ?", arguments: [user])
            guard (count ?? 0) < limit else {
                throw RoostError.invalid(field: "name", why: "There can be \(limit) displays at most.")
            }
            try database.execute(
                sql: "INSERT INTO displays (user_id, name, token_hash, created_at) VALUES (?, ?, ?, ?)",
                arguments: [user, name, Data(tokenHash), now.timeIntervalSince1970])
            let added = try Self.read(database, "WHERE id = ?", [database.lastInsertedRowID]).first
            guard let added else { throw ImpossibleValue(column: "id") }
            return added
        }
    }

    /// Replaces the link, which no screen has been seen with. False when the user has no such display.
    func setLink(_ id: DisplayID, of user: UserID, tokenHash: [UInt8]) async throws -> Bool {
        try await write(
            "UPDATE displays SET token_hash = ?, last_seen_at = NULL WHERE id = ? AND user_id = ?",
            [Data(tokenHash), id, user])
    }

    /// False when the user has no such display.
    func change(
        _ id: DisplayID, of user: UserID, name: String, secondsPerPage: Int, redIsUp: Bool
    ) async throws -> Bool {
        try await write(
            "UPDATE displays SET name = ?, seconds_per_page = ?, red_is_up = ? WHERE id = ? AND user_id = ?",
            [name, secondsPerPage, redIsUp, id, user])
    }

    /// False when the user has no such display.
    func remove(_ id: DisplayID, of user: UserID) async throws -> Bool {
        try await write("DELETE FROM displays WHERE id = ? AND user_id = ?", [id, user])
    }

    /// Saves when screens last asked, by the hashes of their links; a link that opens nothing any more is left out.
    func markSeen(_ times: [[UInt8]: Date]) async throws {
        guard !times.isEmpty else { return }
        try await database.write { database in
            let statement = try database.makeStatement(
                sql: "UPDATE displays SET last_seen_at = ? WHERE token_hash = ?")
            for (tokenHash, time) in times {
                try statement.execute(arguments: [time.timeIntervalSince1970, Data(tokenHash)])
            }
        }
    }

    private func read(_ condition: String, _ arguments: StatementArguments) async throws -> [Display] {
        try await database.fetch { try Self.read($0, condition, arguments) }
    }

    private static func read(
        _ database: GRDB.Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Display] {
        try Row.fetchAll(
            database.cachedStatement(sql: "\(select) \(condition)"), arguments: arguments
        ).readable(display)
    }

    /// True when it changed a row.
    private func write(_ sql: String, _ arguments: StatementArguments) async throws -> Bool {
        try await database.write { database in
            try database.execute(sql: sql, arguments: arguments)
            return database.changesCount > 0
        }
    }

    static let stored = [StoredRows("displays") { _ = try display($0) }]

    private static func display(_ row: Row) throws -> Display {
        Display(
            id: try row.id("id"), userId: try row.id("user_id"), tokenHash: try row.digest("token_hash"),
            name: try row.text("name"), secondsPerPage: try row.number("seconds_per_page", in: 5...3_600),
            redIsUp: try row.value("red_is_up"), createdAt: try row.time("created_at"),
            lastSeenAt: try row.timeIfPresent("last_seen_at"))
    }
}
