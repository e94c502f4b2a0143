import Foundation
import GRDB
import RoostSupport

/// API tokens in SQLite. Stores only their hashes.
enum TokenStore {
    static let select = "SELECT \(APIToken.selection(of: "api_tokens")), token_hash FROM api_tokens"
}

extension Reads {
    func tokens(of user: UserID?) throws -> [APIToken] {
        try database.rows(
            TokenStore.select + " WHERE user_id = coalesce(?, user_id) ORDER BY id", [user]
        ).readable { try APIToken($0) }
    }
}

extension Writes {
    func addToken(
        _ request: TokenService.TokenRequest, hash: [UInt8], for user: UserID, expiresAt: Date?, at now: Date
    )
        throws -> Int64
    {
        _ = try requiredUser(user)
        let count = try database.value(Int.self, "SELECT count(*) FROM api_tokens WHERE user_id = ?", [user])
        guard (count ?? 0) < TokenService.limit else {
            throw RoostError.invalid(
                field: "name", why: "There can be at most \(TokenService.limit) tokens. Revoke one first."
            )
        }
        try database.execute(
            sql: """
                INSERT INTO api_tokens (user_id, token_hash, name, scope, areas, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                user, Data(hash), request.name, request.scope.rawValue, request.areas,
                now.stored, expiresAt?.stored,
            ])
        return database.lastInsertedRowID
    }

    func clampTokens(to now: Date) throws {
        try clamp("created_at", of: "api_tokens", moving: "expires_at", to: now)
    }

    func revokeTokens(of user: UserID) throws -> Int {
        try database.execute(sql: "DELETE FROM api_tokens WHERE user_id = ?", arguments: [user])
        return database.changesCount
    }

    /// Revokes a token and returns it, or nil if this user (any user, for nil) has no such token.
    func revokeToken(_ id: Int64, of user: UserID?) throws -> APIToken? {
        let row = try database.row(
            TokenStore.select + " WHERE id = ? AND user_id = coalesce(?, user_id)", [id, user])
        try database.execute(
            sql: "DELETE FROM api_tokens WHERE id = ? AND user_id = coalesce(?, user_id)",
            arguments: [id, user])
        return try row.map { try APIToken($0) }
    }
}
