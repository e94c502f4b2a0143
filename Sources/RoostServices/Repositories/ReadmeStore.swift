import Foundation
import GRDB

/// READMEs in SQLite, cleaned.
extension RepositoryStore {
    struct KeptReadme: Sendable {
        /// Nil: the repository has none.
        var readme: Readme?
        var etag: String?
        var fetchedAt: Date
    }

    func readme(_ key: RepositoryKey) async throws -> KeptReadme? {
        try await database.read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM repository_readmes WHERE id = ? AND viewer IS ?",
                arguments: [key.id, key.viewer])
            guard let row else { return nil }
            let text: String? = row["readme"]
            let readme = try text.map { try JSONDecoder().decode(Readme.self, from: Data($0.utf8)) }
            return KeptReadme(
                readme: readme, etag: row["etag"],
                fetchedAt: Date(timeIntervalSince1970: row["fetched_at"]))
        }
    }

    func put(_ kept: KeptReadme, as key: RepositoryKey) async throws {
        let text = try kept.readme.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO repository_readmes (id, viewer, readme, etag, fetched_at, used_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id, coalesce(viewer, 0)) DO UPDATE SET readme = excluded.readme,
                        etag = excluded.etag, fetched_at = excluded.fetched_at, used_at = excluded.used_at
                    """,
                arguments: [
                    key.id, key.viewer, text, kept.etag, kept.fetchedAt.timeIntervalSince1970,
                    kept.fetchedAt.timeIntervalSince1970,
                ])
        }
    }
}
