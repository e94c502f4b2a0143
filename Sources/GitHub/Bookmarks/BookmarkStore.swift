package import Foundation
package import GRDB
package import RoostSupport

/// Bookmarks, tags and notes in SQLite.
package struct BookmarkStore: Sendable {
    /// What a list shows, at one moment.
    struct Listing: Sendable {
        /// All, and those with changes that the user has not seen.
        let total, changed: Int
        /// The head of every group with how many fit, in their order.
        let heads: [(head: RepositoryGroupHead, count: Int)]
        /// Those of the asked range.
        let records: [BookmarkRecord]
        /// Every tag in the spelling of its oldest bookmark with how often it is used, most used first.
        let tags: [(name: String, count: Int)]
        let stars: BookmarkStarImportRecord?
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func count(of user: UserID) async throws -> Int {
        try await database.fetch { try BookmarkTransaction(database: $0, user: user).count() }
    }

    /// How many have changes that the user has not seen.
    func changed(of user: UserID) async throws -> Int {
        try await database.fetch { try Self.changed(of: user, $0) }
    }

    private static func changed(of user: UserID, _ database: GRDB.Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM bookmarks WHERE user_id = ? AND is_changed = 1"),
            arguments: [user]) ?? 0
    }

    /// Those of the repositories that the user has bookmarked.
    func marked(_ ids: [RepositoryID], by user: UserID) async throws -> Set<RepositoryID> {
        try await database.fetch { database in
            try RepositoryID.fetchSet(
                database.cachedStatement(
                    sql: """
                        SELECT repository_id FROM bookmarks
                        WHERE user_id = ? AND repository_id IN (SELECT value FROM json_each(?))
                        """), arguments: [user, ids.jsonArray])
        }
    }

    /// In the order of the list.
    func all(of user: UserID) async throws -> [BookmarkRecord] {
        try await read(user, "TRUE ORDER BY bookmark.added_at DESC, bookmark.id", [])
    }

    /// The latest before this one.
    func page(before id: BookmarkID, limit: Int, of user: UserID) async throws -> [BookmarkRecord] {
        try await read(user, "bookmark.id < ? ORDER BY bookmark.id DESC LIMIT ?", [id, limit])
    }

    /// One that is there before one that is gone.
    func bookmark(named name: RepositoryName, of user: UserID) async throws -> BookmarkRecord? {
        try await database.fetch {
            try BookmarkTransaction(database: $0, user: user).find(name.description)
        }
    }

    private func read(_ user: UserID, _ condition: String, _ arguments: StatementArguments) async throws
        -> [BookmarkRecord]
    {
        try await database.fetch {
            try BookmarkTransaction(database: $0, user: user).fetch(condition, arguments)
        }
    }

    /// The users who have bookmarks.
    func users() async throws -> [UserID] {
        try await database.fetch {
            try UserID.fetchAll($0.cachedStatement(sql: "SELECT user_id FROM bookmark_counts WHERE key = ''"))
        }
    }

    /// The user's bookmark that has waited longest of those that are due.
    ///
    /// After those come bookmarks that are to wait longer than any does: the clock was ahead when they were checked.
    func stalest(of user: UserID, at now: Date) async throws -> BookmarkRecord? {
        let now = now.timeIntervalSince1970
        if let due = try await first(of: user, "bookmark.due_at <= ?", "bookmark.due_at", [now]) {
            return due
        }
        let latest = now + ClockSkew.tolerance
        return try await first(
            of: user, "bookmark.due_at > ? AND (bookmark.due_at > ? OR bookmark.state <> 'gone')",
            "bookmark.due_at DESC",
            [latest + BookmarkRecord.dueAfter, latest + BookmarkRecord.dueAfterGone])
    }

    private func first(
        of user: UserID, _ condition: String, _ order: String, _ arguments: StatementArguments
    ) async throws -> BookmarkRecord? {
        try await database.fetch { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT \(BookmarkRecord.selection) FROM \(BookmarkRecord.source)
                        WHERE bookmark.user_id = ? AND \(condition) ORDER BY \(order)
                        """), arguments: [user] + arguments)
            // One that cannot be read must not keep all others waiting.
            while let row = try rows.next() { if let due = try? BookmarkRecord(row: row) { return due } }
            return nil
        }
    }

    /// When the next of the user's bookmarks is due; nil where none is to come.
    func nextDue(of user: UserID, after now: Date) async throws -> Date? {
        try await database.fetch { database in
            try Double.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT due_at FROM bookmarks WHERE user_id = ? AND due_at > ? ORDER BY due_at LIMIT 1
                        """
                ), arguments: [user, now.timeIntervalSince1970])
        }.map(Date.init(timeIntervalSince1970:))
    }

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
        ] + BookmarkUndoRecord.stored + [BookmarkStarImportRecord.stored]

    /// Makes the stalest bookmarks due, `maximum` at most, of those that were last asked about before `before`.
    func makeDue(of user: UserID, checkedBefore before: Date, maximum: Int, now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE bookmarks SET due_at = ? WHERE due_at > ? AND id IN (
                        SELECT id FROM bookmarks WHERE user_id = ? AND (ifnull(checked_at, 0) < ? OR checked_at > ?)
                        ORDER BY checked_at LIMIT ?)
                    """,
                arguments: [
                    now.timeIntervalSince1970, now.timeIntervalSince1970, user,
                    before.timeIntervalSince1970, now.timeIntervalSince1970 + ClockSkew.tolerance, maximum,
                ])
        }
    }

    /// Works on a user's bookmarks in one transaction; answers after the commit what changed, and whose lists show
    /// another thing now.
    func change<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (BookmarkTransaction) throws -> Value
    ) async throws -> (
        value: Value, changes: [BookmarkDiff], undo: BookmarkService.UndoID?, changedUsers: Set<UserID>
    ) {
        try await database.write { database in
            let rows = BookmarkTransaction(database: database, user: user)
            let value = try change(rows)
            return (value, rows.changes, rows.undo, rows.changedUsers)
        }
    }

    func starImport(of user: UserID) async throws -> BookmarkStarImportRecord? {
        try await database.fetch { try BookmarkStarImportRecord.of(user, in: $0) }
    }

    /// The users whose imports of stars have begun and not ended.
    func usersImportingStars() async throws -> [UserID] {
        try await database.fetch { try BookmarkStarImportRecord.running(in: $0) }
    }

    func undo(_ id: BookmarkService.UndoID, of user: UserID) async throws -> BookmarkUndoRecord? {
        try await database.fetch { try BookmarkUndoTransaction(database: $0, user: user).find(id) }
    }

    /// - Parameter good: those that can be taken back whatever the machine's clock says
    func removeOldUndos(except good: [BookmarkService.UndoID], at now: Date) async throws {
        try await database.write { try BookmarkUndoTransaction.removeOld(in: $0, except: good, at: now) }
    }
}

extension BookmarkStore: RepositoryFollower {
    package var referredPlaces: String { "SELECT repository FROM bookmarks WHERE repository IS NOT NULL" }

    package func follow(
        _ changes: [RepositoryChange], in database: GRDB.Database, at now: Date
    ) throws -> [String] {
        try BookmarkTransaction.follow(changes, in: database, at: now).sorted().map(Topic.bookmarks)
    }
}

/// The list: SQLite filters, groups, sorts, counts and cuts.
extension BookmarkStore {
    func listing(_ query: BookmarkQuery, of user: UserID) async throws -> Listing {
        try await database.fetch { database in
            let filter = query.filter(user)
            let rows = BookmarkTransaction(database: database, user: user)
            let total = try rows.count()
            let heads =
                try query.isWhole ? query.heads([("", total)]) : Self.heads(query, filter, database)
            return Listing(
                total: total, changed: try Self.changed(of: user, database),
                heads: heads.map { ($0.head, $0.count) },
                records: try Self.records(query, filter, heads, rows),
                tags: try Self.tags(of: user, database),
                stars: try BookmarkStarImportRecord.of(user, in: database))
        }
    }

    /// The latest bookmarks, or the latest of those with changes if there are any; with how many there are of both.
    func latest(
        _ limit: Int, of user: UserID
    ) async throws -> (records: [BookmarkRecord], total: Int, changed: Int) {
        try await database.fetch { database in
            let rows = BookmarkTransaction(database: database, user: user)
            let (total, changed) = (try rows.count(), try Self.changed(of: user, database))
            let query = BookmarkQuery(
                arrangement: .init(), tag: nil, isChangedOnly: changed > 0, offset: 0, limit: limit)
            return (try Self.records(query, query.filter(user), [], rows), total, changed)
        }
    }

    private static func records(
        _ query: BookmarkQuery, _ filter: BookmarkQuery.Filter, _ heads: [BookmarkQuery.Head],
        _ rows: BookmarkTransaction
    ) throws -> [BookmarkRecord] {
        let ids = try BookmarkID.fetchAll(
            rows.database.cachedStatement(sql: query.ids(filter)),
            arguments: try query.order(of: heads) + filter.arguments + [query.limit, query.offset])
        // Ids are unique, but in a damaged file.
        let records = Dictionary(try rows.find(ids).map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { records[$0] }
    }

    private static func heads(
        _ query: BookmarkQuery, _ filter: BookmarkQuery.Filter, _ database: GRDB.Database
    ) throws -> [BookmarkQuery.Head] {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: query.heads(filter)), arguments: filter.arguments)
        return query.heads(
            try rows.map { row in (try row.value("head") as String?, try row.value("count") as Int) })
    }

    private static func tags(of user: UserID, _ database: GRDB.Database) throws -> [(
        name: String, count: Int
    )] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT
                        (SELECT name FROM bookmark_tags AS tag WHERE tag.user_id = counted.user_id
                            AND tag.key = counted.key ORDER BY bookmark_id LIMIT 1) AS name, count
                    FROM bookmark_counts AS counted WHERE user_id = ? AND key <> '' ORDER BY count DESC, key
                    """), arguments: [user]
        ).readable { (try $0.text("name"), try $0.value("count") as Int) }
    }
}
