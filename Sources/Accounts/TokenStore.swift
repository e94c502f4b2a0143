import Foundation
import GRDB
import RoostSupport

/// API tokens in SQLite: only their hashes.
struct TokenStore: Sendable {
    let database: any DatabaseWriter

    static let select = "SELECT api_tokens.*, username FROM api_tokens JOIN users ON users.id = user_id"

    static func token(_ row: Row) throws -> APIToken {
        APIToken(
            id: try row.id("id"), userId: try row.id("user_id"), username: try row.text("username"),
            name: try row.text("name"), scope: try row.choice("scope"),
            createdAt: try row.time("created_at"), expiresAt: try row.timeIfPresent("expires_at"),
            lastUsedAt: try row.timeIfPresent("last_used_at"))
    }

    /// The tokens of a user or, for nil, of everybody, in the order of their making.
    func all(of user: UserID?) async throws -> [APIToken] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: Self.select + " WHERE user_id = coalesce(?, user_id) ORDER BY api_tokens.id"),
                arguments: [user]
            )
            .readable(Self.token)
        }
    }

    func add(
        _ request: TokenService.TokenRequest, hash: [UInt8], for user: UserID, expiresAt: Date?, at now: Date
    )
        async throws -> Int64
    {
        try await database.write { database in
            _ = try AccountStore.one(user, in: database)
            let count = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM api_tokens WHERE user_id = ?"),
                arguments: [user])
            guard (count ?? 0) < TokenService.limit else {
                throw RoostError.invalid(
                    field: "name", why: "There can be \(TokenService.limit) tokens at most: revoke one first."
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO api_tokens (user_id, token_hash, name, scope, created_at, expires_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, Data(hash), request.name, request.scope.rawValue, now.timeIntervalSince1970,
                    expiresAt?.timeIntervalSince1970,
                ])
            return database.lastInsertedRowID
        }
    }

    /// Those of later begin and end as much earlier.
    func clampMade(to now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE api_tokens SET expires_at = expires_at - (created_at - ?1), created_at = ?1
                    WHERE created_at > ?1
                    """,
                arguments: [now.timeIntervalSince1970])
        }
    }

    func revokeAll(of user: UserID) async throws -> Int {
        try await database.write { try Self.revokeAll(of: user, in: $0) }
    }

    /// Returns how many there were.
    static func revokeAll(of user: UserID, in database: GRDB.Database) throws -> Int {
        try database.execute(sql: "DELETE FROM api_tokens WHERE user_id = ?", arguments: [user])
        return database.changesCount
    }

    /// The token that was, nil when there is none of that number (of this user, where one is named).
    func revoke(_ id: Int64, of user: UserID?) async throws -> APIToken? {
        try await database.write { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: Self.select + " WHERE api_tokens.id = ? AND user_id = coalesce(?, user_id)"),
                arguments: [id, user])
            try database.execute(
                sql: "DELETE FROM api_tokens WHERE id = ? AND user_id = coalesce(?, user_id)",
                arguments: [id, user])
            return try row.map(Self.token)
        }
    }
}
