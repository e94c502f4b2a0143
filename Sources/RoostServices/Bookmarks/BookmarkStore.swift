import Foundation
package import GRDB

/// Bookmarks, tags and notes in SQLite.
package struct BookmarkStore: Sendable {
    /// What lists and counts need of a bookmark.
    struct Mark: Sendable {
        let user: UserID
        let repositoryID: RepositoryID?
        let fullName: String
        let isChanged: Bool
    }

    /// Who has to be asked about which repository.
    struct Due: Sendable {
        let user: UserID
        let record: BookmarkRecord
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Everybody's.
    func marks() async throws -> [Mark] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT user_id, repository_id, full_name, is_changed FROM bookmarks"
            ).readable {
                Mark(
                    user: try $0.id("user_id"), repositoryID: try $0.idIfPresent("repository_id"),
                    fullName: try $0.text("full_name"), isChanged: try $0.value("is_changed"))
            }
        }
    }

    func all(of user: UserID) async throws -> [BookmarkRecord] {
        try await read(user, "TRUE ORDER BY id", [])
    }

    /// Those of the ids that are the user's: one statement, however many.
    func bookmarks(_ ids: [BookmarkID], of user: UserID) async throws -> [BookmarkRecord] {
        try await read(user, "id IN (SELECT value FROM json_each(?))", ["\(ids)"])
    }

    /// The latest before this one.
    func page(before id: BookmarkID, limit: Int, of user: UserID) async throws -> [BookmarkRecord] {
        try await read(user, "id < ? ORDER BY id DESC LIMIT ?", [id, limit])
    }

    /// One that is there before one that is gone.
    func bookmark(named name: RepositoryName, of user: UserID) async throws -> BookmarkRecord? {
        try await read(
            user, "full_name = ? ORDER BY state = 'gone', id DESC LIMIT 1", [name.description]
        ).first
    }

    private func read(_ user: UserID, _ condition: String, _ arguments: StatementArguments) async throws
        -> [BookmarkRecord]
    {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT \(BookmarkRows.columns) FROM bookmarks WHERE user_id = ? AND \(condition)",
                arguments: [user] + arguments
            ).readable(BookmarkRows.record)
        }
    }

    /// The one that has waited longest of those that are due, resting users aside.
    ///
    /// After those come bookmarks that are to wait longer than any does: the clock was ahead when they were checked.
    func stalest(at now: Date, without resting: [UserID]) async throws -> Due? {
        let now = now.timeIntervalSince1970
        if let due = try await first("due_at <= ?", "due_at", [now], without: resting) { return due }
        let latest = now + ModelTime.tolerance
        return try await first(
            "due_at > ? AND (due_at > ? OR state <> 'gone')", "due_at DESC",
            [latest + BookmarkRecord.dueAfter, latest + BookmarkRecord.dueAfterGone], without: resting)
    }

    private func first(
        _ condition: String, _ order: String, _ arguments: StatementArguments, without resting: [UserID]
    ) async throws -> Due? {
        try await database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(BookmarkRows.columns) FROM bookmarks
                    WHERE \(condition) AND user_id NOT IN (SELECT value FROM json_each(?))
                    ORDER BY \(order)
                    """,
                arguments: arguments + ["\(resting)"])
            // One that cannot be read must not keep all others waiting.
            while let row = try rows.next() { if let due = try? Self.due(row) { return due } }
            return nil
        }
    }

    static let stored = [
        StoredRows("bookmarks", sql: "SELECT \(BookmarkRows.columns) FROM bookmarks") { _ = try due($0) },
        StoredRows("bookmark_tags") { row in
            _ = (try row.id("bookmark_id"), try row.number("place", in: 0...19), try row.text("name"))
        },
    ]

    private static func due(_ row: Row) throws -> Due {
        Due(user: try row.id("user_id"), record: try BookmarkRows.record(row))
    }

    /// Has those asked about next that nobody has asked about since `before`, the stalest of them and `most` of them.
    func hurry(of user: UserID, checkedBefore before: Date, most: Int, now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE bookmarks SET due_at = ? WHERE due_at > ? AND id IN (
                        SELECT id FROM bookmarks WHERE user_id = ? AND (ifnull(checked_at, 0) < ? OR checked_at > ?)
                        ORDER BY checked_at LIMIT ?)
                    """,
                arguments: [
                    now.timeIntervalSince1970, now.timeIntervalSince1970, user,
                    before.timeIntervalSince1970, now.timeIntervalSince1970 + ModelTime.tolerance, most,
                ])
        }
    }

    /// Works on a user's bookmarks in one transaction; `kept` hears what moved after the commit, in the order
    /// of commits.
    func change<Value: Sendable>(
        of user: UserID, kept: @escaping @Sendable ([BookmarkMove]) -> Void,
        _ change: @escaping @Sendable (BookmarkRows) throws -> Value
    ) async throws -> (value: Value, moves: [BookmarkMove]) {
        try await database.write { database in
            let rows = BookmarkRows(database: database, user: user)
            let value = try change(rows)
            let moves = rows.moves
            if !moves.isEmpty { database.afterNextTransaction { _ in kept(moves) } }
            return (value, moves)
        }
    }
}
