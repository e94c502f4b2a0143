import Foundation
import GRDB
package import RoostSupport

/// Browsers that have signed in before, by user: of a device's secret only the hash.
///
/// A known device proves nothing but that: it has its own allowance of wrong passwords, which strangers' guesses do
/// not use up.
package struct KnownDeviceStore: Sendable {
    /// The device unused for longest makes room for one more.
    private static let limit = 50
    /// Browsers keep a cookie for 400 days at most.
    private static let lifetime: TimeInterval = 400 * 86_400

    let database: any DatabaseWriter

    /// The user's device that one of these secrets belongs to; nil for none.
    func device(_ secrets: [String], of user: UserID, at now: Date) async throws -> Int64? {
        guard !secrets.isEmpty else { return nil }
        let oldest = (now - Self.lifetime).timeIntervalSince1970
        return try await database.fetch { database in
            for secret in secrets {
                let device = try Int64.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT id FROM known_devices
                            WHERE user_id = ? AND secret_hash = ? AND last_used_at >= ?
                            """),
                    arguments: [user, Data(Secret.hash(secret)), oldest])
                if let device { return device }
            }
            return nil
        }
    }

    /// Notes that the user has signed in here, and removes devices that are too many or too old.
    ///
    /// - Parameters:
    ///   - secrets: what the browser showed
    ///   - new: the hash to remember where none of them is known for this user
    /// - Returns: whether `new` was remembered
    static func remember(
        _ secrets: [String], or new: [UInt8], for user: UserID, at now: Date, in database: GRDB.Database
    ) throws -> Bool {
        let time = now.timeIntervalSince1970
        for secret in secrets {
            try database.execute(
                sql: "UPDATE known_devices SET last_used_at = ? WHERE user_id = ? AND secret_hash = ?",
                arguments: [time, user, Data(Secret.hash(secret))])
            if database.changesCount > 0 { return false }
        }
        try database.execute(
            sql: """
                INSERT INTO known_devices (user_id, secret_hash, created_at, last_used_at)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [user, Data(new), time, time])
        try database.execute(
            sql: """
                DELETE FROM known_devices WHERE user_id = ? AND (last_used_at < ? OR id NOT IN
                    (SELECT id FROM known_devices WHERE user_id = ?
                     ORDER BY last_used_at DESC, id DESC LIMIT ?))
                """,
            arguments: [user, (now - lifetime).timeIntervalSince1970, user, limit])
        return true
    }

    package static let stored = [
        StoredRows("known_devices") { row in
            _ = (try row.id("id"), try row.id("user_id"), try row.digest("secret_hash"))
            _ = (try row.time("created_at"), try row.time("last_used_at"))
        }
    ]
}
