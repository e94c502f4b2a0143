import Foundation
import GRDB

/// A change that can be taken back, as it is on the disk; its steps are rows of their own.
struct BookmarkUndoRecord: FetchableRecord, Sendable {
    let id: Int64
    let madeAt: Date
    /// How many steps.
    let size: Int

    init(row: Row) throws {
        (id, madeAt) = (try row.id("id"), try row.time("made_at"))
        size = try row.number("size", in: 1...Int(Int32.max))
    }

    /// Whether it can still be taken back.
    func isGood(at now: Date) -> Bool {
        !ModelTime.isOver(madeAt, lifetime: BookmarkUndo.lifetime, now: now)
    }

    static let stored = [
        StoredRows("bookmark_undos") { row in
            _ = (try row.id("user_id"), try BookmarkUndoRecord(row: row))
        },
        StoredRows("bookmark_undo_steps") { row in
            _ = (try row.id("undo"), try row.json("step") as BookmarkUndo.Step)
        },
    ]
}

extension BookmarkTransaction {
    /// Keeps what has been changed until now, or this part of it, so that it can be taken back.
    ///
    /// - Parameter known: an earlier change that is taken back together with it
    func keepUndo(
        of diffs: [BookmarkDiff]? = nil, adding known: BookmarkService.UndoID? = nil, at now: Date
    ) throws {
        let steps = (diffs ?? changes).compactMap(BookmarkUndo.Step.init)
        undo = known
        guard !steps.isEmpty else { return }
        let id = try undoRow(of: steps.count, adding: known, at: now)
        let encoder = JSONEncoder()
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bookmark_undo_steps (undo, step) VALUES (?, ?)")
        for step in steps {
            try statement.execute(
                arguments: [id, String(decoding: try encoder.encode(step), as: UTF8.self)])
        }
        try makeRoom(for: id)
        undo = "\(id)"
    }

    private func undoRow(of size: Int, adding known: BookmarkService.UndoID?, at now: Date) throws -> Int64 {
        if let known = try known.flatMap(findUndo) {
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

    /// Nil for an unknown id, and for another user's.
    func findUndo(_ id: BookmarkService.UndoID) throws -> BookmarkUndoRecord? {
        try BookmarkUndoRecord.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM bookmark_undos WHERE id = ? AND user_id = ?"),
            arguments: [Int64(id), user])
    }

    /// Hands out a change once; without steps that cannot be read.
    func takeUndo(_ id: Int64) throws -> [BookmarkUndo.Step] {
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
    static func removeOldUndos(
        in database: GRDB.Database, except good: [BookmarkService.UndoID], at now: Date
    ) throws {
        let now = now.timeIntervalSince1970
        try database.execute(
            sql: """
                DELETE FROM bookmark_undos WHERE (made_at < ? OR made_at > ?)
                    AND id NOT IN (SELECT value FROM json_each(?)) AND \(isComplete)
                """,
            arguments: [
                now - BookmarkUndo.lifetime, now + ModelTime.tolerance, "[\(good.joined(separator: ","))]",
            ])
    }
}
