import Foundation
import GRDB
import RoostSupport

/// Sessions and passwords in SQLite. Stores only the hash of a session's cookie.
enum SessionStore {
    /// The maximum for each user; beyond it the least recently used session ends.
    fileprivate static let limit = 100

    static let select = "SELECT \(Session.selection(of: "sessions")), token_hash FROM sessions"
}

extension Reads {
    func sessions(of user: UserID?) throws -> [Session] {
        try database.rows(SessionStore.select + " WHERE user_id = coalesce(?, user_id)", [user])
            .readable { try Session($0) }
    }
}

extension Writes {
    /// Begins a session and ends the browser's previous one. Throws `RoostError.unknownVisitor` if `verifiedHash` is no
    /// longer the user's password hash.
    ///
    /// - Parameter device: the device hash to store if the browser is not known for this user yet
    /// - Returns: whether `device` was stored
    func beginSession(
        for user: UserID, hash: [UInt8], device: [UInt8], replacing old: [UInt8]?, verifiedHash: String?,
        from origin: ClientInfo, at now: Date
    ) throws -> Bool {
        _ = try requiredUser(user)
        guard try isCurrentHash(verifiedHash, of: user) else {
            throw RoostError.unknownVisitor(SessionService.refusal)
        }
        if let old { try endSession(hash: old) }
        try insertSession(hash, for: user, from: origin, at: now)
        return try rememberDevice(
            origin.deviceSecrets, or: device, for: user, at: now)
    }

    /// Returns false if this user (any user, for nil) has no such session.
    func endSession(_ id: Int64, of user: UserID?) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM sessions WHERE id = ? AND user_id = coalesce(?, user_id)",
            arguments: [id, user])
        return database.changesCount > 0
    }

    func endSessions(of user: UserID, but exception: Int64? = nil) throws -> Int {
        try database.execute(
            sql: "DELETE FROM sessions WHERE user_id = ? AND id <> coalesce(?, -1)",
            arguments: [user, exception])
        return database.changesCount
    }

    func endIdleSessions(since: Date) throws {
        try database.execute(
            sql: "DELETE FROM sessions WHERE last_seen_at < ?", arguments: [since.stored])
    }

    func clampLastSeen(to now: Date) throws { try clamp("last_seen_at", of: "sessions", to: now) }

    /// Sets a new password. All sessions and the reset link of the user end; a new session begins if `hash` is given.
    ///
    /// - Parameters:
    ///   - device: as for `begin`, if a session begins
    ///   - reset: the reset code's hash, which must be valid at that date and is used up; nil if the old password was
    ///     checked instead
    ///   - verifiedHash: the stored hash of the old password, which must not have changed
    /// - Returns: whether `device` was stored, and how many API tokens were revoked
    func setPassword(
        _ passwordHash: String, of user: UserID, revokesTokens: Bool = false, session hash: [UInt8]?,
        device: [UInt8]? = nil,
        replacing old: [UInt8]? = nil, from origin: ClientInfo, reset: (hash: [UInt8], at: Date)? = nil,
        verifiedHash: String? = nil, at now: Date
    ) throws -> (isNewDevice: Bool, revokedTokens: Int) {
        guard try isCurrentHash(verifiedHash, of: user) else {
            throw RoostError.invalid(field: "current", why: PasswordAuthenticator.wrongPassword)
        }
        if let reset, try resetLinkUser(hash: reset.hash, at: reset.at) != user {
            throw RoostError.notFound(ResetService.closed)
        }
        try database.execute(
            sql: "UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ?",
            arguments: [passwordHash, now.stored, user])
        guard database.changesCount > 0 else { throw RoostError.notFound("There is no such user.") }
        try database.execute(sql: "DELETE FROM sessions WHERE user_id = ?", arguments: [user])
        try database.execute(sql: "DELETE FROM reset_links WHERE user_id = ?", arguments: [user])
        let revoked = revokesTokens ? try revokeTokens(of: user) : 0
        if let old { try endSession(hash: old) }
        if let hash { try insertSession(hash, for: user, from: origin, at: now) }
        guard let device else { return (false, revoked) }
        let isNewDevice = try rememberDevice(
            origin.deviceSecrets, or: device, for: user, at: now)
        return (isNewDevice, revoked)
    }

    func endSession(hash: [UInt8]) throws {
        try database.execute(sql: "DELETE FROM sessions WHERE token_hash = ?", arguments: [Data(hash)])
    }

    fileprivate func insertSession(
        _ hash: [UInt8], for user: UserID, from origin: ClientInfo, at now: Date
    ) throws {
        let session = Session(
            id: 0, userId: user, createdAt: now, lastSeenAt: now, address: origin.address,
            device: origin.device)
        try insert(session, into: "sessions", omitting: ["id"], keys: ["token_hash": Data(hash)])
        try database.execute(
            sql: """
                DELETE FROM sessions WHERE user_id = ? AND id NOT IN
                    (SELECT id FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT ?)
                """,
            arguments: [user, user, SessionStore.limit])
    }
}
