import Foundation
import GRDB
import RoostSupport

enum SharedItemStore {
    static let unknownItem = RoostError.notFound("There is no such shared item.")

    fileprivate static let open = "s.processed = 0 AND s.withdrawn_at IS NULL"
}

extension Reads {
    /// Newest first, up to `limit` + 1.
    func sharedItems(
        _ direction: SharedItemService.Direction, of user: UserID, after position: ArticlePosition?,
        limit: Int
    ) throws -> [SharedItemEntry] {
        let condition =
            switch direction {
            case .withMe: "s.shared_with = :user AND \(SharedItemStore.open)"
            case .byMe: "s.user_id = :user AND s.shared_with IS NOT NULL"
            case .own: "s.user_id = :user AND s.shared_with IS NULL"
            }
        return try database.rows(
            """
            \(SharedItemEntry.select) WHERE \(condition) AND (s.created_at, s.id) < (:time, :id)
            ORDER BY s.created_at DESC, s.id DESC LIMIT :limit
            """,
            [
                "user": user, "time": position?.number ?? 1e12, "id": position?.id ?? Int64.max,
                "limit": limit + 1,
            ]
        ).readable { try SharedItemEntry($0) }
    }

    func sharedItemCounts(of user: UserID) throws -> SharedItemCounts {
        func count(_ condition: String) throws -> Int {
            try database.value(Int.self, "SELECT count(*) FROM shared_items AS s WHERE \(condition)", [user])
                ?? 0
        }
        return SharedItemCounts(
            withMe: try count("s.shared_with = ? AND \(SharedItemStore.open)"),
            byMe: try count("s.user_id = ? AND s.shared_with IS NOT NULL AND s.withdrawn_at IS NULL"),
            waiting: try count("s.user_id = ? AND s.shared_with IS NULL AND s.processed = 0"))
    }

    func people(except user: UserID) throws -> [(id: UserID, name: String)] {
        try database.rows(
            """
            SELECT id, shown_name AS name FROM users WHERE id <> ?
            ORDER BY name COLLATE NOCASE, id LIMIT 2000
            """, [user]
        ).readable { (id: try $0.id("id"), name: try $0.text("name")) }
    }

    func openSharedItemCount(from user: UserID, to other: UserID) throws -> Int {
        try database.value(
            Int.self,
            "SELECT count(*) FROM shared_items AS s WHERE s.user_id = ? AND s.shared_with = ? AND \(SharedItemStore.open)",
            [user, other]) ?? 0
    }

    func openSharedItem(
        url: String, gist: GistID?, from user: UserID, to other: UserID
    ) throws -> Int64? {
        try database.value(
            Int64.self,
            """
            SELECT id FROM shared_items AS s
            WHERE s.user_id = ? AND s.shared_with = ? AND s.url = ? AND s.gist_id IS ? AND \(SharedItemStore.open)
            """, [user, other, url, gist])
    }

    func sharedItem(_ id: Int64) throws -> SharedItemEntry {
        let row = try database.row(SharedItemEntry.select + " WHERE s.id = ?", [id])
        guard let row else { throw SharedItemStore.unknownItem }
        return try SharedItemEntry(row)
    }

    /// Returns an open item shared with the user. Throws `RoostError.notFound`.
    func receivedItem(_ id: Int64, by user: UserID) throws -> SharedItemEntry {
        let row = try database.row(
            SharedItemEntry.select
                + " WHERE s.id = ? AND s.shared_with = ? AND \(SharedItemStore.open)", [id, user])
        guard let row else { throw SharedItemStore.unknownItem }
        return try SharedItemEntry(row)
    }

    /// The recipient, or nil for a save.
    func sharedItemUsers(_ id: Int64) throws -> (sender: UserID, recipient: UserID?) {
        let row = try database.row("SELECT user_id, shared_with FROM shared_items WHERE id = ?", [id])
        guard let row else { throw SharedItemStore.unknownItem }
        return (try row.id("user_id"), try row.idIfPresent("shared_with"))
    }
}

extension Writes {
    func moveSharedItemToTop(_ id: Int64, at now: Date) throws {
        try execute("UPDATE shared_items SET created_at = ? WHERE id = ?", [now.stored, id])
    }

    func addSharedItem(
        url: String, title: String?, gist: GistID?, from user: UserID, to other: UserID, at now: Date
    ) throws -> Int64 {
        try execute(
            """
            INSERT INTO shared_items (user_id, shared_with, url, title, source_application, created_at, gist_id)
            VALUES (?, ?, ?, ?, 'share', ?, ?)
            """, [user, other, url, title, now.stored, gist])
        return database.lastInsertedRowID
    }

    /// Returns the recipient.
    func withdrawSharedItem(_ id: Int64, by user: UserID, at now: Date) throws -> UserID {
        let other = try database.value(
            UserID.self,
            """
            SELECT shared_with FROM shared_items
            WHERE id = ? AND user_id = ? AND shared_with IS NOT NULL AND withdrawn_at IS NULL
            """, [id, user])
        guard let other else { throw SharedItemStore.unknownItem }
        try execute("UPDATE shared_items SET withdrawn_at = ? WHERE id = ?", [now.stored, id])
        return other
    }

    func markSharedItemProcessed(_ id: Int64) throws {
        try execute("UPDATE shared_items SET processed = 1 WHERE id = ?", [id])
    }

    func removeSave(_ id: Int64) throws {
        try execute(
            """
            UPDATE articles SET error = coalesce(error, 'You took it off the queue.'), fetch_state = 'failed'
            WHERE fetch_state = 'waiting' AND id = (SELECT article_id FROM shared_items WHERE id = ?)
            """, [id])
        try execute("DELETE FROM shared_items WHERE id = ?", [id])
    }
}
