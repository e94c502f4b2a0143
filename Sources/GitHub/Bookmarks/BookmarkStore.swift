import Foundation
import GRDB
package import RoostSupport

package enum BookmarkStore {
    package static let stored =
        [
            StoredRows(
                "bookmarks", sql: "SELECT \(BookmarkRecord.selection) FROM \(BookmarkRecord.source)"
            ) { _ = try BookmarkRecord(row: $0) },
            StoredRows("bookmark_tags") { row in
                _ = (try row.id("bookmark_id"), try row.number("place", in: 0...19), try row.text("name"))
                _ = (try row.id("user_id"), try row.text("key"))
            },
            StoredRows("bookmark_counts") { row in
                _ = (try row.id("user_id"), try row.text("key"), try row.id("count"))
            },
        ] + [
            BookmarkUndoStep.stored,
            StoredRows("bookmark_star_imports", BookmarkStarImportRecord.self, ids: ["user_id"]),
        ]
}

extension Reads {
    func usersWithBookmarks() throws -> [UserID] {
        try database.values(UserID.self, "SELECT user_id FROM bookmark_counts WHERE key = ''")
    }

    func bookmarkCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self, "SELECT count FROM bookmark_counts WHERE user_id = ? AND key = ''", [user]) ?? 0
    }

    func changedBookmarkCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM bookmarks WHERE user_id = ? AND is_changed = 1", [user]) ?? 0
    }

    func bookmarkedRepositories(among ids: [RepositoryID], of user: UserID) throws -> Set<RepositoryID> {
        try RepositoryID.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT repository_id FROM bookmarks
                    WHERE user_id = ? AND repository_id IN (SELECT value FROM json_each(?))
                    """), arguments: [user, ids.jsonArray])
    }

    /// All of them, the latest first.
    func bookmarks(of user: UserID) throws -> [BookmarkRecord] {
        try bookmarks(of: user, "TRUE ORDER BY bookmark.added_at DESC, bookmark.id", [])
    }

    func bookmarks(before id: BookmarkID, limit: Int, of user: UserID) throws -> [BookmarkRecord] {
        try bookmarks(of: user, "bookmark.id < ? ORDER BY bookmark.id DESC LIMIT ?", [id, limit])
    }

    func bookmarks(after id: BookmarkID, limit: Int, of user: UserID) throws -> [BookmarkRecord] {
        try bookmarks(of: user, "bookmark.id > ? ORDER BY bookmark.id LIMIT ?", [id, limit])
    }

    func bookmarks(_ ids: [BookmarkID], of user: UserID) throws -> [BookmarkRecord] {
        // The unary plus makes SQLite use the ids; otherwise it would scan all of the user's bookmarks.
        try bookmarks(
            of: user, "bookmark.id IN (SELECT value FROM json_each(?)) ORDER BY bookmark.id", [ids.jsonArray],
            userCondition: "+bookmark.user_id = ?")
    }

    func bookmark(_ id: BookmarkID, of user: UserID) throws -> BookmarkRecord? {
        try bookmarks(of: user, "bookmark.id = ?", [id]).first
    }

    /// Prefers a bookmark that isn't gone.
    func bookmark(named name: String, of user: UserID) throws -> BookmarkRecord? {
        try bookmarks(
            of: user,
            "bookmark.full_name = ? ORDER BY bookmark.state = 'gone', bookmark.id DESC LIMIT 1", [name]
        ).first
    }

    func bookmark(repository id: RepositoryID, of user: UserID) throws -> BookmarkRecord? {
        try bookmarks(of: user, "bookmark.repository_id = ?", [id]).first
    }

    /// Returns the user's bookmarks that meet a condition, skipping those that cannot be read.
    private func bookmarks(
        of user: UserID, _ condition: String, _ arguments: StatementArguments,
        userCondition: String = "bookmark.user_id = ?"
    ) throws -> [BookmarkRecord] {
        try database.cursor(
            """
            SELECT \(BookmarkRecord.selection) FROM \(BookmarkRecord.source)
            WHERE \(userCondition) AND \(condition)
            """, [user] + arguments
        ).readable(BookmarkRecord.init(row:))
    }

    /// Returns the due bookmark that has waited longest.
    ///
    /// After those, returns bookmarks that are due later than any should be: the clock was ahead when they were
    /// checked.
    func stalestBookmark(of user: UserID, at now: Date) throws -> BookmarkRecord? {
        if let due = try firstBookmark(of: user, "bookmark.due_at <= ?", "bookmark.due_at", [now.stored]) {
            return due
        }
        let latest = now + ClockSkew.tolerance
        return try firstBookmark(
            of: user, "bookmark.due_at > ? AND (bookmark.due_at > ? OR bookmark.state <> 'gone')",
            "bookmark.due_at DESC",
            [(latest + BookmarkRecord.dueAfter).stored, (latest + BookmarkRecord.dueAfterGone).stored])
    }

    private func firstBookmark(
        of user: UserID, _ condition: String, _ order: String, _ arguments: StatementArguments
    ) throws -> BookmarkRecord? {
        let rows = try database.cursor(
            """
            SELECT \(BookmarkRecord.selection) FROM \(BookmarkRecord.source)
            WHERE bookmark.user_id = ? AND \(condition) ORDER BY \(order)
            """, [user] + arguments)
        // A row that cannot be read must not block the others.
        while let row = try rows.next() { if let due = try? BookmarkRecord(row: row) { return due } }
        return nil
    }

    func nextBookmarkDue(of user: UserID, after now: Date) throws -> Date? {
        let rows = try database.rows(
            "SELECT due_at FROM bookmarks WHERE user_id = ? AND due_at > ? ORDER BY due_at LIMIT 1",
            [user, now.stored])
        return rows.readable { try $0.time("due_at") }.first
    }

    /// The users who have bookmarked these repositories, by id; by name in lower case if GitHub has not confirmed the
    /// bookmark.
    func followers(of repositories: [RepositoryItem]) throws -> (
        ids: [RepositoryID: [UserID]], names: [String: [UserID]]
    ) {
        let names = String(
            decoding: try JSONEncoder().encode(repositories.map { $0.fullName.lowercased() }), as: UTF8.self)
        let rows = try database.rows(
            """
            SELECT user_id, repository_id, full_name FROM bookmarks
            WHERE repository_id IN (SELECT value FROM json_each(?))
            UNION ALL SELECT user_id, NULL, full_name FROM bookmarks
            WHERE repository_id IS NULL AND full_name IN (SELECT value FROM json_each(?))
            """, [repositories.map(\.id).jsonArray, names])
        var users: (ids: [RepositoryID: [UserID]], names: [String: [UserID]]) = ([:], [:])
        for row in rows {
            guard let user = try? row.id("user_id") else { continue }
            if let id = try row.idIfPresent("repository_id") {
                users.ids[id, default: []].append(user)
            } else {
                users.names[try row.text("full_name").lowercased(), default: []].append(user)
            }
        }
        return users
    }
}

/// Bookmarks are added, changed and removed through `BookmarkEdits`.
extension Writes {
    /// Returns the record with its id. A record that already has an id keeps it.
    func insertBookmark(_ record: BookmarkRecord, of user: UserID) throws -> BookmarkRecord {
        var record = record
        record.user = user
        record.place = try repositoryPlace(of: record)
        record.id = try insert(
            record, into: BookmarkRecord.table, omitting: record.id == 0 ? ["id"] : [])
        try putTags(of: record)
        return record
    }

    /// Writes only columns that differ. Returns the record as stored.
    func updateBookmark(_ before: BookmarkRecord, to after: BookmarkRecord) throws -> BookmarkRecord {
        var after = after
        if after.item != before.item || after.repositoryID != before.repositoryID {
            after.place = try repositoryPlace(of: after)
        }
        try update(BookmarkRecord.table, from: before, to: after, where: "id = ?", [before.id])
        if before.tags != after.tags {
            try execute("DELETE FROM bookmark_tags WHERE bookmark_id = ?", [before.id])
            try putTags(of: after)
        }
        return after
    }

    func removeBookmark(_ record: BookmarkRecord) throws {
        try execute("DELETE FROM bookmarks WHERE id = ? AND user_id = ?", [record.id, record.user])
    }

    /// The repository's row. Private repositories have a row per user.
    private func repositoryPlace(of record: BookmarkRecord) throws -> Int64? {
        guard let item = record.item else { return nil }
        guard record.repositoryID != nil else { return try claimRepository(item, by: record.user) }
        return try retainRepository(item, for: item.repository.isPrivate ? record.user : nil)
    }

    private func putTags(of record: BookmarkRecord) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bookmark_tags (bookmark_id, place, user_id, name, key) VALUES (?, ?, ?, ?, ?)")
        for (index, tag) in record.tags.enumerated() {
            try statement.execute(arguments: [record.id, index, record.user, tag, TagRules.key(tag)])
        }
    }

    /// Affects the stalest ones.
    func makeBookmarksDue(of user: UserID, checkedBefore before: Date, maximum: Int, now: Date) throws {
        try database.execute(
            sql: """
                UPDATE bookmarks SET due_at = ? WHERE due_at > ? AND id IN (
                    SELECT id FROM bookmarks WHERE user_id = ? AND (ifnull(checked_at, 0) < ? OR checked_at > ?)
                    ORDER BY checked_at LIMIT ?)
                """,
            arguments: [
                now.stored, now.stored, user,
                before.stored, (now + ClockSkew.tolerance).stored, maximum,
            ])
    }
}

extension BookmarkStore {
    struct Listing: Sendable {
        let total, changed: Int
        let heads: [(head: RepositoryGroupHead, count: Int)]
        let records: [BookmarkRecord]
        /// All tags with their counts, most used first, in the spelling of their oldest bookmark.
        let tags: [(name: String, count: Int)]
        let stars: BookmarkStarImportRecord?
    }
}

extension Reads {
    func bookmarkListing(_ query: BookmarkQuery, of user: UserID) throws -> BookmarkStore.Listing {
        let filter = query.filter(user)
        let total = try bookmarkCount(of: user)
        let heads = try query.isWhole ? query.heads([("", total)]) : bookmarkHeads(query, filter)
        return BookmarkStore.Listing(
            total: total, changed: try changedBookmarkCount(of: user),
            heads: heads.map { ($0.head, $0.count) }, records: try bookmarks(query, filter, heads, of: user),
            tags: try bookmarkTags(of: user), stars: try starImport(of: user))
    }

    /// The latest bookmarks with unseen changes, or else the latest of all, with the counts of both.
    func changedBookmarks(
        _ limit: Int, of user: UserID
    ) throws -> (records: [BookmarkRecord], total: Int, changed: Int) {
        let (total, changed) = (try bookmarkCount(of: user), try changedBookmarkCount(of: user))
        guard changed > 0 else { return ([], total, 0) }
        let query = BookmarkQuery(
            arrangement: .init(), tag: nil, isChangedOnly: true, offset: 0, limit: limit)
        return (try bookmarks(query, query.filter(user), [], of: user), total, changed)
    }

    private func bookmarks(
        _ query: BookmarkQuery, _ filter: BookmarkQuery.Filter, _ heads: [BookmarkQuery.Head],
        of user: UserID
    ) throws -> [BookmarkRecord] {
        let ids = try database.values(
            BookmarkID.self, query.ids(filter),
            try query.order(of: heads) + filter.arguments + [query.limit, query.offset])
        // Ids are unique unless the file is damaged.
        let records = Dictionary(try bookmarks(ids, of: user).map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { records[$0] }
    }

    private func bookmarkHeads(
        _ query: BookmarkQuery, _ filter: BookmarkQuery.Filter
    ) throws -> [BookmarkQuery.Head] {
        let rows = try database.rows(query.heads(filter), filter.arguments)
        return query.heads(
            try rows.map { row in (try row.value("head") as String?, try row.value("count") as Int) })
    }

    private func bookmarkTags(of user: UserID) throws -> [(name: String, count: Int)] {
        try database.rows(
            """
            SELECT
                (SELECT name FROM bookmark_tags AS tag WHERE tag.user_id = counted.user_id
                    AND tag.key = counted.key ORDER BY bookmark_id LIMIT 1) AS name, count
            FROM bookmark_counts AS counted WHERE user_id = ? AND key <> '' ORDER BY count DESC, key
            """, [user]
        ).readable { (try $0.text("name"), try $0.value("count") as Int) }
    }
}
