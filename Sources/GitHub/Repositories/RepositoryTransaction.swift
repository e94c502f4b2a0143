package import Foundation
package import GRDB
package import RoostSupport

/// What GitHub told of a repository, within the transaction that keeps it.
package struct RepositoryChange: Sendable {
    package let item: RepositoryItem
    /// Nil: everybody may know; otherwise it is private, and this user's account sees it.
    package let owner: UserID?
    /// What was known before; nil: nothing.
    package let before: RepositoryItem?

    /// Whether it says anything else than before.
    package var isNews: Bool { before?.repository != item.repository || before?.detail != item.detail }
}

/// A feature whose rows refer to repositories: it follows their changes in the same transaction.
package protocol RepositoryFollower: Sendable {
    /// A statement that selects the places of all rows that are referred to.
    var referredPlaces: String { get }

    /// Called after the rows are written. Answers the topics that have changed with them.
    func follow(_ changes: [RepositoryChange], in database: GRDB.Database, at now: Date) throws -> [String]
}

/// Repositories within one transaction.
struct RepositoryTransaction {
    let database: GRDB.Database

    func find(_ key: RepositoryKey) throws -> RepositoryRecord? {
        try RepositoryRecord.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(RepositoryRecord.selection) FROM repositories AS repository
                    WHERE id = ? AND coalesce(viewer, 0) = ? AND status <> 'claimed'
                    """), arguments: [key.id, key.viewer ?? 0])
    }

    /// Keeps what GitHub told; answers what has changed.
    func put(_ record: RepositoryRecord) throws -> RepositoryChange {
        var record = record
        let before = try find(record.key)
        if let before {
            record.place = before.place
            // What a clock that was ahead has dated is no later than now.
            let isAhead = (before.item.fetchedAt ?? .distantPast) > record.usedAt + ClockSkew.tolerance
            if !isAhead || record.item.detail == nil {
                record.item = Self.merged(record.item, into: before.item)
            }
            try record.updateChanges(database, from: before)
        } else {
            try record.insert(database)
        }
        return RepositoryChange(item: record.item, owner: record.viewer, before: before?.item)
    }

    /// Answers the place of the row that a bookmark of this repository refers to.
    ///
    /// - Parameter viewer: nil: everybody may know it
    func retain(_ item: RepositoryItem, for viewer: UserID?) throws -> Int64? {
        guard let before = try find(RepositoryKey(id: item.id, viewer: viewer)) else {
            return try insert(item, .retained, for: viewer)
        }
        var after = before
        after.item = Self.merged(item, into: before.item)
        let isSame =
            after.item.repository == before.item.repository && after.item.detail == before.item.detail
        if !isSame { after.etag = nil }
        try after.updateChanges(database, from: before)
        return before.place
    }

    /// Keeps what a file says of a repository, for this user's bookmark alone; answers the row's place.
    func claim(_ item: RepositoryItem, by user: UserID) throws -> Int64? {
        try insert(item, .claimed, for: user)
    }

    private func insert(
        _ item: RepositoryItem, _ status: RepositoryRecord.Status, for viewer: UserID?
    ) throws -> Int64? {
        var record = RepositoryRecord(
            item: item, viewer: viewer, status: status,
            usedAt: item.fetchedAt ?? Date(timeIntervalSince1970: 0)
        )
        try record.insert(database)
        return record.place
    }

    /// Removes it from all answers, with its README; the row stays for the bookmarks that refer to it.
    ///
    /// - Parameter referred: `RepositoryFollower.referredPlaces`
    func forget(_ key: RepositoryKey, referred: String) throws {
        try forget("id = ? AND viewer IS ?", [key.id, key.viewer], referred)
    }

    /// Likewise, all that this viewer's account alone saw.
    func forgetAll(of viewer: UserID, referred: String) throws {
        try forget("viewer = ?", [viewer], referred)
    }

    private func forget(_ condition: String, _ arguments: StatementArguments, _ referred: String) throws {
        try database.execute(
            sql: """
                UPDATE repositories SET status = 'retained', etag = NULL
                WHERE \(condition) AND status = 'current' AND place IN (\(referred))
                """, arguments: arguments)
        try database.execute(
            sql: "DELETE FROM repositories WHERE \(condition) AND status = 'current'", arguments: arguments)
        try database.execute(sql: "DELETE FROM repository_readmes WHERE \(condition)", arguments: arguments)
    }

    /// A row of a list has no detail and takes none away; an older detail takes no newer one's place.
    private static func merged(_ item: RepositoryItem, into known: RepositoryItem) -> RepositoryItem {
        guard known.detail != nil else { return item }
        guard item.detail == nil else {
            return (item.fetchedAt ?? .distantPast) < (known.fetchedAt ?? .distantPast) ? known : item
        }
        var merged = item
        (merged.detail, merged.fetchedAt) = (known.detail, known.fetchedAt)
        return merged
    }
}
