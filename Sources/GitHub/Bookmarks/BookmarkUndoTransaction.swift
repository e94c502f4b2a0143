import Foundation
import GRDB
import RoostSupport

/// A user's changes that can be taken back, within one transaction.
struct BookmarkUndoTransaction {
    let database: GRDB.Database
    let user: UserID

    /// Keeps a change and returns its id.
    ///
    /// - Parameter known: an earlier change that is taken back together with it
    func keep(_ steps: [BookmarkUndo.Step], adding known: BookmarkService.UndoID?, at now: Date) throws
        -> BookmarkService.UndoID
    {
        let id = try row(of: steps.count, adding: known, at: now)
        let encoder = JSONEncoder()
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bookmark_undo_steps (undo, step) VALUES (?, ?)")
        for step in steps {
            try statement.execute(
                arguments: [id, String(decoding: try encoder.encode(step), as: UTF8.self)])
        }
        try makeRoom(for: id)
        return "\(id)"
    }

    private func row(of size: Int, adding known: BookmarkService.UndoID?, at now: Date) throws -> Int64 {
        if let known = try known.flatMap(find) {
            try database.cachedStatement(
                sql: "UPDATE bookmark_undos SET size = size + ?, made_at = ? WHERE id = ?"
            ).execute(arguments: [size, now.timeIntervalSince1970, known.id])
            return known.id
        }
        try database.cachedStatement(
            sql: "INSERT INTO bookmark_undos (user_id, made_at, size) VALUES (?, ?, ?)"
        ).execute(arguments: [user, now.timeIntervalSince1970, size])
        return database.lastInsertedRowID
    }

    /// Forgets the oldest changes past the limits; the latest stays.
    private func makeRoom(for latest: Int64) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM bookmark_undos WHERE id IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER latest AS number, sum(size) OVER latest AS steps
                        FROM bookmark_undos WHERE user_id = ?
                        WINDOW latest AS (ORDER BY made_at DESC, id DESC ROWS UNBOUNDED PRECEDING))
                    WHERE id <> ? AND (number > ? OR steps > ?)) AND \(Self.isComplete)
                """
        ).execute(arguments: [user, latest, BookmarkUndo.maximum, BookmarkUndo.maximumSteps])
    }

    /// An import of stars adds to its own until it ends.
    private static let isComplete = """
        NOT EXISTS (SELECT 1 FROM bookmark_star_imports WHERE undo = bookmark_undos.id AND state = 'running')
        """

    /// Finds a change; nil for an unknown id, and for another user's.
    func find(_ id: BookmarkService.UndoID) throws -> BookmarkUndoRecord? {
        try BookmarkUndoRecord.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM bookmark_undos WHERE id = ? AND user_id = ?"),
            arguments: [Int64(id), user])
    }

    /// Removes a change and returns its steps, without steps that cannot be read.
    func take(_ id: Int64) throws -> [BookmarkUndo.Step] {
        let steps = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT step FROM bookmark_undo_steps WHERE undo = ? ORDER BY id"),
            arguments: [id]
        ).readable { try $0.json("step") as BookmarkUndo.Step }
        try database.cachedStatement(sql: "DELETE FROM bookmark_undos WHERE id = ?").execute(arguments: [id])
        return steps
    }

    /// Removes every user's changes that can no longer be taken back.
    ///
    /// - Parameter good: those that still can whatever the machine's clock says
    static func removeOld(
        in database: GRDB.Database, except good: [BookmarkService.UndoID], at now: Date
    ) throws {
        let now = now.timeIntervalSince1970
        try database.execute(
            sql: """
                DELETE FROM bookmark_undos WHERE (made_at < ? OR made_at > ?)
                    AND id NOT IN (SELECT value FROM json_each(?)) AND \(isComplete)
                """,
            arguments: [
                now - BookmarkUndo.lifetime, now + ClockSkew.tolerance, "[\(good.joined(separator: ","))]",
            ])
    }
}
