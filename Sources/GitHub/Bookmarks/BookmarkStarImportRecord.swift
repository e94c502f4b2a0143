import Foundation
import RoostSupport

struct BookmarkStarImportRecord: Sendable {
    private enum State: String, ColumnValue { case running, done, failed }

    /// GitHub's path of the next page, or nil for the first.
    var nextPage: String?
    private(set) var read = 0
    private(set) var added = 0
    private(set) var refused = RefusedRepositories()
    private(set) var undo: UndoID?
    private var stage = State.running
    private var failure: APIError?
    private var endedAt: Date?

    init() {}

    var state: StarImport {
        switch (stage, failure, endedAt) {
        case (.done, _, let endedAt?): .done(added: added, existing: max(0, read &- added), at: endedAt)
        case (.failed, let failure?, _): .failed(failure, read: read)
        default: .running(read)
        }
    }

    var isRunning: Bool { stage == .running }

    /// Counts a page of stars. `new` is the number of new bookmarks. A damaged database may have any counts.
    mutating func count(
        _ page: Int, added new: Int, refused: RefusedRepositories, undo: UndoID?
    ) {
        read &+= page
        added &+= new
        self.refused.add(refused)
        self.undo = undo
    }

    mutating func end(at now: Date) { (stage, endedAt) = (.done, now) }
    mutating func fail(_ error: APIError) { (stage, failure) = (.failed, error) }
}

extension BookmarkStarImportRecord: ColumnRecord {
    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("state", &stage)
        try columns.column("next_page", &nextPage)
        try columns.column("read", &read)
        try columns.column("added", &added)
        var (count, first) = (refused.count, refused.first.isEmpty ? nil : refused.first)
        try columns.column("refused", &count)
        try columns.column("refusals", &first)
        refused = RefusedRepositories(count: count, first: first ?? [])
        try columns.column("failure", &failure)
        try columns.column("ended_at", &endedAt)
        try columns.column("undo", &undo)
    }
}

extension Reads {
    /// Returns nil if the user never started an import.
    func starImport(of user: UserID) throws -> BookmarkStarImportRecord? {
        let columns = BookmarkStarImportRecord.selection(of: "bookmark_star_imports")
        return try database.rows("SELECT \(columns) FROM bookmark_star_imports WHERE user_id = ?", [user])
            .readable { try BookmarkStarImportRecord($0) }.first
    }

    func usersImportingStars() throws -> [UserID] {
        try database.values(
            UserID.self, "SELECT user_id FROM bookmark_star_imports WHERE state = 'running' ORDER BY user_id")
    }
}

extension Writes {
    func putStarImport(_ record: BookmarkStarImportRecord, of user: UserID) throws {
        try insert(record, into: "bookmark_star_imports", keys: ["user_id": user], isReplacing: true)
    }
}
