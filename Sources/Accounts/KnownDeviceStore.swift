import Foundation
import GRDB
package import RoostSupport

/// Browsers that each user has signed in with before. Stores only the hash of a browser's secret.
///
/// A known device gives no access. It only has its own allowance of wrong passwords, which attackers elsewhere cannot
/// use up.
package enum KnownDeviceStore {
    /// The maximum for each user; beyond it the least recently used device is removed.
    fileprivate static let limit = 50

    /// In seconds: browsers keep a cookie for 400 days at most.
    fileprivate static let lifetime: TimeInterval = 400 * 86_400

    package static let stored = [
        StoredRows("known_devices") { row in
            _ = (try row.id("id"), try row.id("user_id"), try row.digest("secret_hash"))
            _ = (try row.time("created_at"), try row.time("last_used_at"))
        }
    ]
}

extension Reads {
    func knownDevice(_ secrets: [String], of user: UserID, at now: Date) throws -> Int64? {
        guard !secrets.isEmpty else { return nil }
        let oldest = (now - KnownDeviceStore.lifetime).stored
        for secret in secrets {
            let device = try database.value(
                Int64.self,
                """
                SELECT id FROM known_devices
                WHERE user_id = ? AND secret_hash = ? AND last_used_at >= ?
                """, [user, Data(Secret.hash(secret)), oldest])
            if let device { return device }
        }
        return nil
    }
}

extension Writes {
    /// Records that the user has signed in here, and removes excess and expired devices.
    ///
    /// - Parameters:
    ///   - secrets: the device secrets that the browser sent
    ///   - new: the hash to store if none of them belongs to this user
    /// - Returns: whether `new` was stored
    func rememberDevice(
        _ secrets: [String], or new: [UInt8], for user: UserID, at now: Date
    ) throws -> Bool {
        let time = now.stored
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
            arguments: [
                user, (now - KnownDeviceStore.lifetime).stored, user, KnownDeviceStore.limit,
            ])
        return true
    }
}
