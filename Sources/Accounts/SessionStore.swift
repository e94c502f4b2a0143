import Foundation
import GRDB
import RoostSupport

/// Sessions and passwords in SQLite: of a cookie only the hash.
struct SessionStore: Sendable {
    /// More browsers than this nobody has: the one unused for longest makes room.
    private static let limit = 100

    let database: any DatabaseWriter

    static func session(_ row: Row) throws -> Session {
        Session(
            id: try row.id("id"), userId: try row.id("user_id"), createdAt: try row.time("created_at"),
            lastSeenAt: try row.time("last_seen_at"), address: try row.text("address"),
            device: try row.text("device"))
    }

    /// The sessions of a user or, for nil, of everybody.
    func all(of user: UserID?) async throws -> [Session] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM sessions WHERE user_id = coalesce(?, user_id)"),
                arguments: [user]
            )
            .readable(Self.session)
        }
    }

    /// Begins a session; the one that the browser had before ends.
    ///
    /// Throws `RoostError.unknownVisitor` when the password that was `shown` is no longer the user's.
    /// - Parameter device: the hash that the browser is known by from now on, where it is not known for this user yet
    /// - Returns: whether it is known by that hash
    func begin(
        for user: UserID, hash: [UInt8], device: [UInt8], replacing old: [UInt8]?, shown: String?,
        from origin: ClientInfo, at now: Date
    ) async throws -> Bool {
        try await database.write { database in
            _ = try AccountStore.one(user, in: database)
            guard try AccountStore.holds(shown, user, in: database) else {
                throw RoostError.unknownVisitor(SessionService.refusal)
            }
            if let old { try Self.end(hash: old, in: database) }
            try Self.insert(hash, for: user, from: origin, at: now, in: database)
            return try KnownDeviceStore.remember(
                origin.deviceSecrets, or: device, for: user, at: now, in: database)
        }
    }

    func end(hash: [UInt8]) async throws {
        try await database.write { try Self.end(hash: hash, in: $0) }
    }

    /// False when there is no such session of this user (of any, for nil).
    func end(_ id: Int64, of user: UserID?) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM sessions WHERE id = ? AND user_id = coalesce(?, user_id)",
                arguments: [id, user])
            return database.changesCount > 0
        }
    }

    /// Ends all sessions of a user but one; answers how many.
    @discardableResult
    func endAll(of user: UserID, but exception: Int64? = nil) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM sessions WHERE user_id = ? AND id <> coalesce(?, -1)",
                arguments: [user, exception])
            return database.changesCount
        }
    }

    /// Removes sessions that nobody has used since then.
    func endIdle(since: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM sessions WHERE last_seen_at < ?", arguments: [since.timeIntervalSince1970])
        }
    }

    /// Has sessions last seen now that a clock which was ahead has seen later: their thirty days begin.
    func clampSeen(to now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE sessions SET last_seen_at = ?1 WHERE last_seen_at > ?1",
                arguments: [now.timeIntervalSince1970])
        }
    }

    /// A new password: every session ends, the reset link with them, and a new session begins where `hash` is given.
    ///
    /// - Parameters:
    ///   - device: as for `begin`; where a session begins
    ///   - reset: the code's hash that must still be valid at that date and is used up; nil when the old password was
    ///     shown
    ///   - shown: the stored hash of the old password, which must still be the user's
    ///   - revokesTokens: the user's API tokens end as well
    /// - Returns: as for `begin`, and how many API tokens were revoked
    @discardableResult
    func setPassword(
        _ passwordHash: String, of user: UserID, revokesTokens: Bool = false, session hash: [UInt8]?,
        device: [UInt8]? = nil,
        replacing old: [UInt8]? = nil, from origin: ClientInfo, reset: (hash: [UInt8], at: Date)? = nil,
        shown: String? = nil, at now: Date
    ) async throws -> (isNewDevice: Bool, revokedTokens: Int) {
        try await database.write { database in
            guard try AccountStore.holds(shown, user, in: database) else {
                throw RoostError.invalid(field: "current", why: PasswordAuthenticator.notYours)
            }
            if let reset, try ResetLinkStore.user(reset.hash, at: reset.at, in: database) != user {
                throw RoostError.notFound(ResetService.closed)
            }
            try database.execute(
                sql: "UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ?",
                arguments: [passwordHash, now.timeIntervalSince1970, user])
            guard database.changesCount > 0 else { throw RoostError.notFound("There is no such user.") }
            try database.execute(sql: "DELETE FROM sessions WHERE user_id = ?", arguments: [user])
            try database.execute(sql: "DELETE FROM reset_links WHERE user_id = ?", arguments: [user])
            let revoked = revokesTokens ? try TokenStore.revokeAll(of: user, in: database) : 0
            if let old { try Self.end(hash: old, in: database) }
            if let hash { try Self.insert(hash, for: user, from: origin, at: now, in: database) }
            guard let device else { return (false, revoked) }
            let isNewDevice = try KnownDeviceStore.remember(
                origin.deviceSecrets, or: device, for: user, at: now, in: database)
            return (isNewDevice, revoked)
        }
    }

    private static func end(hash: [UInt8], in database: GRDB.Database) throws {
        try database.execute(sql: "DELETE FROM sessions WHERE token_hash = ?", arguments: [Data(hash)])
    }

    private static func insert(
        _ hash: [UInt8], for user: UserID, from origin: ClientInfo, at now: Date, in database: GRDB.Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO sessions (user_id, token_hash, created_at, last_seen_at, address, device)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                user, Data(hash), now.timeIntervalSince1970, now.timeIntervalSince1970, origin.address,
                origin.device,
            ])
        try database.execute(
            sql: """
                DELETE FROM sessions WHERE user_id = ? AND id NOT IN
                    (SELECT id FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT ?)
                """,
            arguments: [user, user, limit])
    }
}
