import Foundation
import GRDB
package import RoostSupport

/// Password reset links in SQLite: only their hashes, one for each user.
package enum ResetLinkStore {
    package static let stored = [
        StoredRows("reset_links") { row in
            _ = (try row.id("user_id"), try row.digest("code_hash"), try row.time("expires_at"))
        }
    ]
}

extension Reads {
    func resetLinkUser(hash: [UInt8], at now: Date) throws -> UserID? {
        try database.value(
            Int64.self, "SELECT user_id FROM reset_links WHERE code_hash = ? AND expires_at > ?",
            [Data(hash), now.stored])
    }
}

extension Writes {
    func makeResetLink(hash: [UInt8], for user: UserID, expiresAt: Date) throws {
        _ = try requiredUser(user)
        try database.execute(
            sql: """
                INSERT INTO reset_links (user_id, code_hash, expires_at) VALUES (?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at
                """,
            arguments: [user, Data(hash), expiresAt.stored])
    }

    func clampResetLinks(to lifetime: TimeInterval, at now: Date) throws {
        try clamp("expires_at", of: "reset_links", to: now + lifetime)
    }
}
