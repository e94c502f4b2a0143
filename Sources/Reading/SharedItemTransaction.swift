import Foundation
import GRDB
import RoostSupport

/// Shared items within one transaction.
struct SharedItemTransaction {
    let reading: ReadingTransaction

    init(_ reading: ReadingTransaction) { self.reading = reading }

    static let isUnknown = RoostError.notFound("There is no such shared item.")

    /// What one user may have shared and not taken back, so that nobody fills another's list.
    private static let maximumOpen = 1_000

    private var database: GRDB.Database { reading.database }
    private var time: Double { reading.now.timeIntervalSince1970 }

    private static let select = """
        SELECT s.id, s.user_id, s.shared_with, s.url, s.title, s.source_application, s.created_at, s.processed,
            s.withdrawn_at, s.error, s.attempts, s.next_try_at, s.article_id, s.gist_id,
            giver.shown_name AS giver_name,
            taker.shown_name AS taker_name
        FROM shared_items AS s JOIN users AS giver ON giver.id = s.user_id
        LEFT JOIN users AS taker ON taker.id = s.shared_with
        """

    private static let open = "s.processed = 0 AND s.withdrawn_at IS NULL"

    /// The newest first, one more than `limit` if there are so many.
    func list(
        _ direction: SharedItemService.Direction, of user: UserID, before cursor: ArticleListQuery.Cursor?,
        limit: Int
    ) throws -> [SharedItemEntry] {
        let condition =
            switch direction {
            case .withMe: "s.shared_with = :user AND \(Self.open)"
            case .byMe: "s.user_id = :user AND s.shared_with IS NOT NULL"
            case .own: "s.user_id = :user AND s.shared_with IS NULL"
            }
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    \(Self.select) WHERE \(condition) AND (s.created_at, s.id) < (:time, :id)
                    ORDER BY s.created_at DESC, s.id DESC LIMIT :limit
                    """),
            arguments: [
                "user": user, "time": cursor?.number ?? 1e12, "id": cursor?.id ?? Int64.max,
                "limit": limit + 1,
            ]
        ).readable { try Self.entry($0, for: user) }
    }

    func counts(of user: UserID) throws -> SharedItemCounts {
        func count(_ condition: String) throws -> Int {
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM shared_items AS s WHERE \(condition)"), arguments: [user]) ?? 0
        }
        return SharedItemCounts(
            withMe: try count("s.shared_with = ? AND \(Self.open)"),
            byMe: try count("s.user_id = ? AND s.shared_with IS NOT NULL AND s.withdrawn_at IS NULL"),
            waiting: try count("s.user_id = ? AND s.shared_with IS NULL AND s.processed = 0"))
    }

    func people(except user: UserID) throws -> [(id: UserID, name: String)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, shown_name AS name FROM users WHERE id <> ?
                    ORDER BY name COLLATE NOCASE, id LIMIT 2000
                    """), arguments: [user]
        ).readable { (id: try $0.id("id"), name: try $0.text("name")) }
    }

    func share(
        url: String, title: String?, gist: GistID?, with other: UserID, by user: UserID
    ) throws -> SharedItemEntry {
        let isThere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?)"),
            arguments: [other])
        guard isThere == true, other != user else {
            throw RoostError.invalid(field: "with", why: "Choose somebody to share it with.")
        }
        let open = try Int.fetchOne(
            database.cachedStatement(
                sql:
                    "SELECT count(*) FROM shared_items AS s WHERE s.user_id = ? AND s.shared_with = ? AND \(Self.open)"
            ),
            arguments: [user, other])
        guard (open ?? 0) < Self.maximumOpen else {
            throw RoostError.tooMany(
                "So much that you shared is still unread. Please wait until it is.", retryAfter: 3_600)
        }
        // The same once more is the same item, at the top.
        let known = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM shared_items AS s
                    WHERE s.user_id = ? AND s.shared_with = ? AND s.url = ? AND s.gist_id IS ? AND \(Self.open)
                    """), arguments: [user, other, url, gist])
        if let known {
            try reading.execute("UPDATE shared_items SET created_at = ? WHERE id = ?", [time, known])
            return try entry(known, for: user)
        }
        try reading.execute(
            """
            INSERT INTO shared_items (user_id, shared_with, url, title, source_application, created_at, gist_id)
            VALUES (?, ?, ?, ?, 'share', ?, ?)
            """, [user, other, url, title, time, gist])
        return try entry(database.lastInsertedRowID, for: user)
    }

    private func entry(_ id: Int64, for user: UserID) throws -> SharedItemEntry {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: Self.select + " WHERE s.id = ?"), arguments: [id])
        guard let row else { throw Self.isUnknown }
        return try Self.entry(row, for: user)
    }

    /// What was shared with the user and is open; throws `RoostError.notFound`.
    func received(_ id: Int64, by user: UserID) throws -> SharedItemEntry {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: Self.select + " WHERE s.id = ? AND s.shared_with = ? AND \(Self.open)"),
            arguments: [id, user])
        guard let row else { throw Self.isUnknown }
        return try Self.entry(row, for: user)
    }

    /// Answers with whom it was shared.
    func withdraw(_ id: Int64, by user: UserID) throws -> UserID {
        let other = try UserID.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT shared_with FROM shared_items
                    WHERE id = ? AND user_id = ? AND shared_with IS NOT NULL AND withdrawn_at IS NULL
                    """), arguments: [id, user])
        guard let other else { throw Self.isUnknown }
        try reading.execute("UPDATE shared_items SET withdrawn_at = ? WHERE id = ?", [time, id])
        return other
    }

    func markProcessed(_ id: Int64) throws {
        try reading.execute("UPDATE shared_items SET processed = 1 WHERE id = ?", [id])
    }

    /// Takes an item off the user's list; answers who else is to be told.
    func dismiss(_ id: Int64, by user: UserID) throws -> UserID? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT user_id, shared_with FROM shared_items WHERE id = ?"),
            arguments: [id])
        guard let row else { throw Self.isUnknown }
        let (giver, taker) = (try row.id("user_id"), try row.idIfPresent("shared_with"))
        if taker == user {
            try markProcessed(id)
            return giver
        }
        guard giver == user, taker == nil else { throw Self.isUnknown }
        try reading.execute(
            """
            UPDATE articles SET error = coalesce(error, 'You took it off the queue.'), fetch_state = 'failed'
            WHERE fetch_state = 'waiting' AND id = (SELECT article_id FROM shared_items WHERE id = ?)
            """, [id])
        try reading.execute("DELETE FROM shared_items WHERE id = ?", [id])
        return nil
    }

    private static func entry(_ row: Row, for user: UserID) throws -> SharedItemEntry {
        let giver = try row.id("user_id")
        let taker = try row.idIfPresent("shared_with")
        let isProcessed: Bool = try row.value("processed")
        let nextTry: Double = try row.value("next_try_at")
        let item = try SharedItem(
            id: "\(try row.id("id"))", url: try row.text("url"), title: try row.textIfPresent("title"),
            sourceApplication: try row.textIfPresent("source_application"),
            createdAt: try row.time("created_at"), processed: isProcessed,
            sharedWith: taker.map { "\($0)" }, withdrawnAt: try row.timeIfPresent("withdrawn_at"),
            error: try row.textIfPresent("error"))
        return SharedItemEntry(
            item: item, id: try row.id("id"), sharedBy: giver, sharedByName: try row.text("giver_name"),
            sharedWithName: try row.textIfPresent("taker_name"),
            articleId: giver == user && taker == nil ? try row.idIfPresent("article_id") : nil,
            gistId: try row.idIfPresent("gist_id"),
            attempts: try row.number("attempts", in: 0...Int(Int32.max)),
            nextTryAt: !isProcessed && nextTry > 0 ? Date(timeIntervalSince1970: nextTry) : nil)
    }
}
