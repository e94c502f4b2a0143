import Foundation
import GRDB
import RoostSupport

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
        !ClockSkew.isOver(madeAt, lifetime: BookmarkUndo.lifetime, now: now)
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
