import Foundation
import GRDB
package import RoostSupport

/// Links to set a new password, in SQLite: only their hashes, one a user.
package struct ResetLinkStore: Sendable {
    let database: any DatabaseWriter

    func make(hash: [UInt8], for user: UserID, expiresAt: Date) async throws {
        try await database.write { database in
            _ = try AccountStore.one(user, in: database)
            try database.execute(
                sql: """
                    INSERT INTO reset_links (user_id, code_hash, expires_at) VALUES (?, ?, ?)
                    ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
                    """,
                arguments: [user, Data(hash), expiresAt.timeIntervalSince1970])
        }
    }

    func user(hash: [UInt8], at now: Date) async throws -> UserID? {
        try await database.fetch { try Self.user(hash, at: now, in: $0) }
    }

    /// Ends links `lifetime` seconds from now that would last for longer.
    func clamp(to lifetime: TimeInterval, at now: Date) async throws {
        let latest = now.timeIntervalSince1970 + lifetime
        try await database.write { database in
            try database.execute(
                sql: "UPDATE reset_links SET expires_at = ? WHERE expires_at > ?",
                arguments: [latest, latest + ClockSkew.tolerance])
        }
    }

    /// Whose link it is; nil for one that is over or never was.
    static func user(_ hash: [UInt8], at now: Date, in database: GRDB.Database) throws -> UserID? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT user_id FROM reset_links WHERE code_hash = ? AND expires_at > ?"),
            arguments: [Data(hash), now.timeIntervalSince1970])
    }

    package static let stored = [
        StoredRows("reset_links") { row in
            _ = (try row.id("user_id"), try row.digest("code_hash"), try row.time("expires_at"))
        }
    ]
}
