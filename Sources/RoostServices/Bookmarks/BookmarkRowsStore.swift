import Foundation
import GRDB

/// What became of one bookmark in a transaction: nil before it was added, nil after it was removed.
struct BookmarkMove: Sendable {
    let before: BookmarkRecord?
    let after: BookmarkRecord?

    /// Whether a page shows another thing now.
    var isVisible: Bool {
        guard var before, let after else { return true }
        (before.checkedAt, before.dueAt, before.fetchedAt) = (after.checkedAt, after.dueAt, after.fetchedAt)
        return before != after
    }
}

/// A user's bookmarks within one transaction; notes every move.
final class BookmarkRows {
    let database: GRDB.Database
    let user: UserID
    private(set) var moves: [BookmarkMove] = []

    init(database: GRDB.Database, user: UserID) {
        self.database = database
        self.user = user
    }

    func count() throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM bookmarks WHERE user_id = ?", arguments: [user]) ?? 0
    }

    /// One that is there before one that is gone.
    func find(_ name: String) throws -> BookmarkRecord? {
        try fetch("full_name = ? ORDER BY state = 'gone', id DESC LIMIT 1", [name]).first
    }

    func find(repository id: RepositoryID) throws -> BookmarkRecord? {
        try fetch("repository_id = ?", [id]).first
    }

    func find(_ id: BookmarkID) throws -> BookmarkRecord? { try fetch("id = ?", [id]).first }

    /// Those of the ids that are the user's, in one statement.
    func find(_ ids: [BookmarkID]) throws -> [BookmarkRecord] {
        try fetch("id IN (SELECT value FROM json_each(?)) ORDER BY id", ["\(ids)"])
    }

    /// Answers it with its id; one that had an id before gets it back.
    @discardableResult
    func insert(_ record: BookmarkRecord) throws -> BookmarkRecord {
        var record = record
        try database.cachedStatement(
            sql: """
                INSERT INTO bookmarks (id, user_id, repository_id, full_name, item, fetched_at, seen, state,
                    is_changed, note, added_at, checked_at, due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [record.id == 0 ? nil : record.id, user] + values(of: record))
        if record.id == 0 { record.id = database.lastInsertedRowID }
        try putTags(of: record)
        moves.append(BookmarkMove(before: nil, after: record))
        return record
    }

    /// Writes what differs; nothing where nothing does.
    func update(_ before: BookmarkRecord, to after: BookmarkRecord) throws {
        guard before != after else { return }
        try database.cachedStatement(
            sql: """
                UPDATE bookmarks SET repository_id = ?, full_name = ?, item = ?, fetched_at = ?, seen = ?,
                    state = ?, is_changed = ?, note = ?, added_at = ?, checked_at = ?, due_at = ?
                WHERE id = ? AND user_id = ?
                """
        ).execute(arguments: try values(of: after) + [before.id, user])
        if before.tags != after.tags {
            try database.cachedStatement(sql: "DELETE FROM bookmark_tags WHERE bookmark_id = ?")
                .execute(arguments: [before.id])
            try putTags(of: after)
        }
        moves.append(BookmarkMove(before: before, after: after))
    }

    func remove(_ record: BookmarkRecord) throws {
        try database.cachedStatement(sql: "DELETE FROM bookmarks WHERE id = ? AND user_id = ?")
            .execute(arguments: [record.id, user])
        moves.append(BookmarkMove(before: record, after: nil))
    }

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [BookmarkRecord] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(Self.columns) FROM bookmarks WHERE user_id = ? AND \(condition)"),
            arguments: [user] + arguments
        ).readable(Self.record)
    }

    private func putTags(of record: BookmarkRecord) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bookmark_tags (bookmark_id, place, name) VALUES (?, ?, ?)")
        for (place, tag) in record.tags.enumerated() {
            try statement.execute(arguments: [record.id, place, tag])
        }
    }

    private func values(of record: BookmarkRecord) throws -> StatementArguments {
        [
            record.repositoryID, record.fullName, record.item?.json, record.fetchedAt?.timeIntervalSince1970,
            String(decoding: try JSONEncoder().encode(record.seen), as: UTF8.self), record.state.rawValue,
            record.isChanged, record.note, record.addedAt.timeIntervalSince1970,
            record.checkedAt?.timeIntervalSince1970, record.dueAt.timeIntervalSince1970,
        ]
    }

    /// A tag is one line, so that a new line tells two apart.
    static let columns = """
        bookmarks.*, (SELECT group_concat(name, char(10)) FROM
            (SELECT name FROM bookmark_tags WHERE bookmark_id = bookmarks.id ORDER BY place)) AS tags
        """

    static func record(_ row: Row) throws -> BookmarkRecord {
        let item = try row.textIfPresent("item", longest: 1_048_576)
        let seen: BookmarkBaseline = try row.json("seen")
        // The change since then is a difference of two counts.
        guard (seen.stars ?? 0) >= 0 else { throw ImpossibleValue(column: "seen") }
        var record = BookmarkRecord(
            id: try row.id("id"), repositoryID: try row.idIfPresent("repository_id"),
            fullName: try row.text("full_name"), item: item.map { .init(json: $0) }, seen: seen,
            state: try row.choice("state"), addedAt: try row.time("added_at"), dueAt: try row.time("due_at"))
        record.isChanged = try row.value("is_changed")
        record.note = try row.text("note", longest: 65_536)
        record.checkedAt = try row.timeIfPresent("checked_at")
        record.fetchedAt = try row.timeIfPresent("fetched_at")
        let tags = try row.textIfPresent("tags", longest: 65_536)
        record.tags = tags.map { $0.splitBytes(at: "\n").map(String.init) } ?? []
        return record
    }
}
