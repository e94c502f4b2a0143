import Foundation
import GRDB
package import RoostSupport

package enum PullStore {
    /// Per user; the oldest are removed.
    static let maximumMarks = 2_000

    package static let stored = [
        StoredRows("pull_marks", StoredMark.self, ids: ["user_id"]),
        StoredRows("pull_sections", OwnSection.self, ids: ["user_id"]),
        StoredRows("pull_details", StoredPullDetails.self, ids: ["account_id"]),
        StoredRows("pull_viewed_files", ViewedPullFile.self, ids: ["id", "user_id"]),
        StoredRows("pull_looks", PullLook.self, ids: ["user_id"]),
    ]

    fileprivate static let marks = StoredMark.selection(of: "pull_marks")
    fileprivate static let sections = OwnSection.selection(of: "pull_sections")

    fileprivate static let isMark =
        "user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ? AND node_id = ?"

    fileprivate static func arguments(_ mark: StoredMark, of user: UserID) -> StatementArguments {
        let key = mark.key
        return [user, key.host, key.owner, key.name, key.number, mark.nodeId ?? ""]
    }
}

extension Reads {
    func inboxSettings(of user: UserID) throws -> InboxSettings {
        var settings = InboxSettings()
        // A pull request whose mark cannot be read is shown.
        settings.marks = try database.cursor(
            "SELECT \(PullStore.marks) FROM pull_marks WHERE user_id = ?", [user]
        ).readable { try StoredMark($0) }
        settings.choices = try preferences(PullPreferences.self, of: user).possible
        settings.sections = try pullSections(of: user)
        return settings
    }

    func pullMark(_ key: PullKey, nodeId: String?, of user: UserID) throws -> StoredMark? {
        try database.rows(
            "SELECT \(PullStore.marks) FROM pull_marks WHERE \(PullStore.isMark)",
            [user, key.host, key.owner, key.name, key.number, nodeId ?? ""]
        ).readable { try StoredMark($0) }.first
    }

    func pullSections(of user: UserID) throws -> [OwnSection] {
        let sections = try database.rows(
            "SELECT \(PullStore.sections) FROM pull_sections WHERE user_id = ? ORDER BY sort_order, id",
            [user]
        ).readable { try OwnSection($0) }
        return sections.enumerated().map { $1.moved(to: $0) }
    }

    func usersWithEndedSnoozes(at now: Date) throws -> Set<UserID> {
        let rows = try database.rows(
            "SELECT user_id FROM pull_marks WHERE until <= ?", [now.stored])
        return Set(rows.readable { try $0.id("user_id") })
    }

    func nextSnoozeEnd(after now: Date) throws -> Date? {
        let rows = try database.rows(
            "SELECT until FROM pull_marks WHERE until > ? ORDER BY until LIMIT 1", [now.stored]
        )
        return rows.readable { try $0.time("until") }.first
    }
}

extension Writes {
    /// Replaces the pull request's previous mark.
    func putPullMark(_ mark: StoredMark, of user: UserID) throws {
        let (key, nodeId) = (mark.key, mark.nodeId ?? "")
        // Removes marks by name that may belong to this pull request. The unique index replaces the one with its
        // node id.
        try database.execute(
            sql: """
                DELETE FROM pull_marks WHERE user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ?
                    AND (node_id = '' OR ? = '' OR (node_id GLOB 'PR_*') <> (? GLOB 'PR_*'))
                """,
            arguments: [user, key.host, key.owner, key.name, key.number, nodeId, nodeId])
        try insert(mark, into: "pull_marks", keys: ["user_id": user], isReplacing: true)
        try database.execute(
            sql: """
                DELETE FROM pull_marks WHERE user_id = ? AND (host, owner, name, number, node_id) IN (
                    SELECT host, owner, name, number, node_id FROM pull_marks WHERE user_id = ?
                    ORDER BY marked_at DESC, host, owner, name, number, node_id LIMIT -1 OFFSET ?)
                """,
            arguments: [user, user, PullStore.maximumMarks])
    }

    /// Removes marks, unless they were set again since they were read.
    func removePullMarks(_ marks: [StoredMark], of user: UserID) throws {
        for mark in marks {
            var arguments = PullStore.arguments(mark, of: user)
            arguments += [mark.markedAt.stored]
            try database.execute(
                sql: "DELETE FROM pull_marks WHERE \(PullStore.isMark) AND marked_at <= ?",
                arguments: arguments)
        }
    }

    func removePullMark(_ mark: StoredMark, of user: UserID) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM pull_marks WHERE \(PullStore.isMark)",
            arguments: PullStore.arguments(mark, of: user))
        return database.changesCount > 0
    }

    func movePullMarks(_ moves: [PullMarkIndex.Move], of user: UserID) throws {
        for move in moves {
            let key = move.key
            var arguments: StatementArguments = [key.owner, key.name, key.number, move.nodeId ?? ""]
            arguments += PullStore.arguments(move.mark, of: user)
            try database.execute(
                sql: """
                    UPDATE OR IGNORE pull_marks SET owner = ?, name = ?, number = ?, node_id = ?
                    WHERE \(PullStore.isMark)
                    """,
                arguments: arguments)
        }
    }

    /// Throws `RoostError.conflict` if the user has another section with this name.
    func addPullSection(name: String, query: String, of user: UserID) throws {
        try refusingUsedName {
            try database.execute(
                sql: """
                    INSERT INTO pull_sections (user_id, name, query, sort_order) VALUES (?, ?, ?,
                        (SELECT coalesce(max(min(sort_order, 1000000)) + 1, 0) FROM pull_sections WHERE user_id = ?))
                    """,
                arguments: [user, name, query, user])
        }
    }

    /// Returns false if the user has no such section. Throws `RoostError.conflict` if they have another one with this
    /// name.
    func changePullSection(_ id: Int64, name: String, query: String, of user: UserID) throws -> Bool {
        try refusingUsedName {
            try database.execute(
                sql: "UPDATE pull_sections SET name = ?, query = ? WHERE id = ? AND user_id = ?",
                arguments: [name, query, id, user])
        }
        return database.changesCount > 0
    }

    /// SQLite compares the names, because it ignores their case in its own way.
    private func refusingUsedName(_ change: () throws -> Void) throws {
        do { try change() } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
        {
            throw RoostError.conflict(field: "name", why: "You already have a section with this name.")
        }
    }

    /// Returns false if the user has no such section.
    func removePullSection(_ id: Int64, of user: UserID) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM pull_sections WHERE id = ? AND user_id = ?", arguments: [id, user])
        return database.changesCount > 0
    }

    func orderPullSections(_ ids: [Int64], of user: UserID) throws {
        for (order, id) in ids.enumerated() {
            try database.execute(
                sql: "UPDATE pull_sections SET sort_order = ? WHERE id = ? AND user_id = ?",
                arguments: [order, id, user])
        }
    }
}
