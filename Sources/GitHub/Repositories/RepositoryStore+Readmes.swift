import Foundation
import GRDB

/// READMEs in SQLite, cleaned.
extension RepositoryStore {
    struct StoredReadme: Sendable {
        /// Nil: the repository has none.
        var readme: Readme?
        var etag: String?
        var fetchedAt: Date
    }

    func readme(_ key: RepositoryKey) async throws -> StoredReadme? {
        try await database.fetch { database in
            // One that cannot be read is fetched again.
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM repository_readmes WHERE id = ? AND viewer IS ?"),
                arguments: [key.id, key.viewer]
            ).readable(Self.storedReadme).first
        }
    }

    static func storedReadme(_ row: Row) throws -> StoredReadme {
        StoredReadme(
            readme: try row.jsonIfPresent("readme"), etag: try row.textIfPresent("etag"),
            fetchedAt: try row.time("fetched_at"))
    }

    /// Not of a repository that went while GitHub was asked: it may have turned private.
    func put(_ row: StoredReadme, as key: RepositoryKey) async throws {
        let text = try row.readme.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO repository_readmes (id, viewer, readme, etag, fetched_at, used_at)
                    SELECT id, viewer, ?, ?, ?, ? FROM repositories
                    WHERE id = ? AND viewer IS ? AND status = 'current'
                    ON CONFLICT (id, coalesce(viewer, 0)) DO UPDATE SET readme = excluded.readme,
                        etag = excluded.etag, fetched_at = excluded.fetched_at, used_at = excluded.used_at
                    """,
                arguments: [
                    text, row.etag, row.fetchedAt.timeIntervalSince1970,
                    row.fetchedAt.timeIntervalSince1970, key.id, key.viewer,
                ])
        }
    }
}
