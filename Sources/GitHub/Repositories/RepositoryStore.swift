import Foundation
import GRDB
package import RoostSupport

package enum RepositoryStore {
    package static let stored = [
        StoredRows(
            "repositories", sql: "SELECT \(RepositoryRecord.selection) FROM repositories AS repository"
        ) { try RepositoryRecord($0).validate() },
        StoredRows("repository_readmes", StoredReadme.self, ids: ["id"]),
    ]

    /// Selects the `place` of every row that a bookmark refers to.
    fileprivate static let bookmarked = "SELECT repository FROM bookmarks WHERE repository IS NOT NULL"
}

extension Reads {
    /// A viewer's own row takes precedence over the public one.
    func repositories(_ ids: [RepositoryID], for viewer: UserID?) throws -> [RepositoryID: RepositoryRecord] {
        guard !ids.isEmpty else { return [:] }
        let records = try database.cursor(
            """
            SELECT \(RepositoryRecord.selection) FROM repositories AS repository
            WHERE id IN (SELECT value FROM json_each(?)) AND status = 'current'
                AND (viewer IS NULL OR viewer = ?)
            """, [ids.jsonArray, viewer]
        ).readable { try RepositoryRecord($0) }
        return Dictionary(records.map { ($0.item.id, $0) }) { one, other in one.viewer == nil ? other : one }
    }

    /// Finds a repository case-insensitively; the latest, if two have this name.
    func repository(named name: String, for viewer: UserID?) throws -> RepositoryRecord? {
        try database.rows(
            """
            SELECT \(RepositoryRecord.selection) FROM repositories AS repository
            WHERE full_name = ? AND status = 'current' AND (viewer IS NULL OR viewer = ?)
            ORDER BY fetched_at DESC, viewer IS NULL LIMIT 1
            """, [name, viewer]
        ).readable { try RepositoryRecord($0) }.first
    }

    /// Finds repositories case-insensitively, the latest first.
    func repositories(named names: [RepositoryName], for viewer: UserID?) throws -> [RepositoryRecord] {
        guard !names.isEmpty else { return [] }
        // Names contain no characters that JSON would escape.
        let list = "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return try database.rows(
            """
            SELECT \(RepositoryRecord.selection) FROM repositories AS repository
            WHERE full_name IN (SELECT value FROM json_each(?)) AND status = 'current'
                AND (viewer IS NULL OR viewer = ?)
            ORDER BY fetched_at DESC, viewer IS NULL
            """, [list, viewer]
        ).readable { try RepositoryRecord($0) }
    }

    func readme(of key: RepositoryKey) throws -> StoredReadme? {
        let columns = StoredReadme.selection(of: "repository_readmes")
        // An unreadable README is fetched again.
        return try database.rows(
            "SELECT \(columns) FROM repository_readmes WHERE id = ? AND viewer IS ?", [key.id, key.viewer]
        ).readable { try StoredReadme($0) }.first
    }

    fileprivate func repository(_ key: RepositoryKey) throws -> RepositoryRecord? {
        try database.row(
            """
            SELECT \(RepositoryRecord.selection) FROM repositories AS repository
            WHERE id = ? AND coalesce(viewer, 0) = ? AND status <> 'claimed'
            """, [key.id, key.viewer ?? 0]
        ).map { try RepositoryRecord($0) }
    }
}

extension Writes {
    func putRepository(_ record: RepositoryRecord) throws -> RepositoryChange {
        var record = record
        let before = try repository(record.key)
        if let before {
            record.place = before.place
            // A previous fetch dated in the future by a wrong clock must not win.
            let isInFuture = ClockSkew.isAhead(before.item.fetchedAt ?? .distantPast, of: record.usedAt)
            if !isInFuture || record.item.detail == nil {
                record.item = record.item.merged(into: before.item)
            }
            try updateRepository(before, to: record)
        } else {
            try insert(record, into: RepositoryRecord.table)
        }
        return RepositoryChange(item: record.item, owner: record.viewer, before: before?.item)
    }

    /// Returns the `place` of the row that a bookmark of this repository refers to.
    ///
    /// - Parameter viewer: nil if public
    func retainRepository(_ item: RepositoryItem, for viewer: UserID?) throws -> Int64? {
        guard let before = try repository(RepositoryKey(id: item.id, viewer: viewer)) else {
            return try insertRepository(item, .retained, for: viewer)
        }
        var after = before
        after.item = item.merged(into: before.item)
        let isSame =
            after.item.repository == before.item.repository && after.item.detail == before.item.detail
        if !isSame { after.etag = nil }
        try updateRepository(before, to: after)
        return before.place
    }

    /// Stores an imported file's data for this user's bookmark alone. Returns the row's `place`.
    func claimRepository(_ item: RepositoryItem, by user: UserID) throws -> Int64? {
        try insertRepository(item, .claimed, for: user)
    }

    private func insertRepository(
        _ item: RepositoryItem, _ status: RepositoryRecord.Status, for viewer: UserID?
    ) throws -> Int64? {
        let record = RepositoryRecord(
            item: item, viewer: viewer, status: status,
            usedAt: item.fetchedAt ?? Date(timeIntervalSince1970: 0)
        )
        return try insert(record, into: RepositoryRecord.table)
    }

    private func updateRepository(_ before: RepositoryRecord, to after: RepositoryRecord) throws {
        try update(RepositoryRecord.table, from: before, to: after, where: "place = ?", [before.place])
    }

    func confirmRepository(_ key: RepositoryKey, at now: Date) throws {
        try database.execute(
            sql: """
                UPDATE repositories SET fetched_at = ?, used_at = ?
                WHERE id = ? AND viewer IS ? AND status = 'current'
                """,
            arguments: [now.stored, now.stored, key.id, key.viewer])
    }

    /// Hides a repository and removes its README. The row stays if bookmarks refer to it.
    func forgetRepository(_ key: RepositoryKey) throws {
        try forgetRepositories("id = ? AND viewer IS ?", [key.id, key.viewer])
    }

    /// Does the same for everything that only this viewer's account could see.
    func forgetRepositories(of viewer: UserID) throws { try forgetRepositories("viewer = ?", [viewer]) }

    private func forgetRepositories(_ condition: String, _ arguments: StatementArguments) throws {
        try database.execute(
            sql: """
                UPDATE repositories SET status = 'retained', etag = NULL
                WHERE \(condition) AND status = 'current' AND place IN (\(RepositoryStore.bookmarked))
                """, arguments: arguments)
        try database.execute(
            sql: "DELETE FROM repositories WHERE \(condition) AND status = 'current'", arguments: arguments)
        try database.execute(sql: "DELETE FROM repository_readmes WHERE \(condition)", arguments: arguments)
    }

    func noteRepositoryUse(_ ids: Set<RepositoryID>, at now: Date) throws {
        for table in ["repositories", "repository_readmes"] {
            try database.execute(
                sql: "UPDATE \(table) SET used_at = ? WHERE id IN (SELECT value FROM json_each(?))",
                arguments: [now.stored, ids.sorted().jsonArray])
        }
    }

    /// Removes all but the most recently used details and READMEs. Rows that bookmarks refer to stay.
    func removeUnusedRepositories(details: Int, readmes: Int) throws {
        try database.execute(
            sql: """
                DELETE FROM repository_readmes WHERE place IN (
                    SELECT place FROM repository_readmes
                    WHERE id NOT IN (SELECT id FROM repositories WHERE place IN (\(RepositoryStore.bookmarked)))
                    ORDER BY used_at DESC, place DESC LIMIT -1 OFFSET ?)
                """, arguments: [readmes])
        try database.execute(
            sql: """
                DELETE FROM repositories WHERE place IN (
                    SELECT place FROM repositories
                    WHERE status = 'current' AND place NOT IN (\(RepositoryStore.bookmarked))
                    ORDER BY used_at DESC, place DESC LIMIT -1 OFFSET ?)
                """, arguments: [details])
    }

    /// Skips repositories that were removed during the request: they may be private now.
    func putReadme(_ row: StoredReadme, of key: RepositoryKey) throws {
        try execute(
            """
            INSERT INTO repository_readmes (id, viewer, readme, etag, fetched_at, used_at)
            SELECT id, viewer, ?, ?, ?, ? FROM repositories
            WHERE id = ? AND viewer IS ? AND status = 'current'
            ON CONFLICT (id, coalesce(viewer, 0)) DO UPDATE SET readme = excluded.readme,
                etag = excluded.etag, fetched_at = excluded.fetched_at, used_at = excluded.used_at
            """,
            [
                row.readme.stored, row.etag, row.fetchedAt.stored, row.fetchedAt.stored, key.id, key.viewer,
            ])
    }
}
