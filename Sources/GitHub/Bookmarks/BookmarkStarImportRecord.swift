import Foundation
import GRDB
import RoostSupport

/// How a user's import of GitHub's stars stands, as it is on the disk.
struct BookmarkStarImportRecord: FetchableRecord, Sendable {
    private enum State: String { case running, done, failed }

    var state: StarImport
    /// GitHub's path of the page to read next; nil: the first.
    var nextPage: String?
    private(set) var read = 0
    private(set) var added = 0
    /// Stars that became no bookmarks.
    private(set) var refused = RefusedRepositories()
    /// Takes back what has been added so far.
    private(set) var undo: BookmarkService.UndoID?

    /// One that begins.
    init() { state = .running(0) }

    init(row: Row) throws {
        nextPage = try row.textIfPresent("next_page")
        (read, added) = (try row.number("read", in: Self.counts), try row.number("added", in: Self.counts))
        refused = RefusedRepositories(
            count: try row.number("refused", in: Self.counts), first: try row.jsonIfPresent("refusals") ?? [])
        undo = try row.idIfPresent("undo").map { "\($0)" }
        state =
            switch try row.choice("state") as State {
            case .running: .running(read)
            case .done: .done(added: added, known: max(0, read - added), at: try row.time("ended_at"))
            case .failed: .failed(try row.json("failure"), read: read)
            }
    }

    private static let counts = 0...Int(Int32.max)

    var isRunning: Bool { if case .running = state { true } else { false } }

    /// Counts a page of which so many were not bookmarked yet.
    mutating func count(
        _ page: Int, added new: Int, refused others: RefusedRepositories, undo: BookmarkService.UndoID?
    ) {
        read += page
        added += new
        refused.add(others)
        self.undo = undo
        state = .running(read)
    }

    mutating func end(at now: Date) { state = .done(added: added, known: read - added, at: now) }
    mutating func fail(_ error: APIError) { state = .failed(error, read: read) }

    static let stored = StoredRows("bookmark_star_imports") { row in
        _ = (try row.id("user_id"), try BookmarkStarImportRecord(row: row))
    }

    private func arguments(_ user: UserID) throws -> StatementArguments {
        var (word, failure, endedAt) = (State.running, String?.none, Date?.none)
        switch state {
        case .idle, .running: break
        case .done(_, _, let date): (word, endedAt) = (.done, date)
        case .failed(let error, _):
            (word, failure) = (.failed, String(decoding: try JSONEncoder().encode(error), as: UTF8.self))
        }
        let refusals = String(decoding: try JSONEncoder().encode(refused.first), as: UTF8.self)
        return [
            user, word.rawValue, nextPage, read, added, refused.count, refused.first.isEmpty ? nil : refusals,
            failure, endedAt?.timeIntervalSince1970, undo.flatMap { Int64($0) },
        ]
    }

    /// Reads a user's import; nil where none was ever begun.
    static func of(_ user: UserID, in database: GRDB.Database) throws -> BookmarkStarImportRecord? {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM bookmark_star_imports WHERE user_id = ?"),
            arguments: [user]
        ).readable(BookmarkStarImportRecord.init(row:)).first
    }

    func put(for user: UserID, in database: GRDB.Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO bookmark_star_imports
                    (user_id, state, next_page, read, added, refused, refusals, failure, ended_at, undo)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: try arguments(user))
    }

    /// Returns the users whose imports have begun and not ended.
    static func running(in database: GRDB.Database) throws -> [UserID] {
        try UserID.fetchAll(
            database.cachedStatement(
                sql: "SELECT user_id FROM bookmark_star_imports WHERE state = 'running' ORDER BY user_id"))
    }
}
