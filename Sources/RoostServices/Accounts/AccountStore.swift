import Foundation
import GRDB

/// Users and tokens in SQLite.
struct AccountStore: Sendable {
    let database: any DatabaseWriter

    private static let columns = "users.id, username, role, is_stand_in, users.created_at"

    func users() async throws -> [User] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM users ORDER BY id").map(Self.user)
        }
    }

    func user(named name: String) async throws -> User? {
        try await database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT \(Self.columns) FROM users WHERE username = ?", arguments: [name]
            ).map(Self.user)
        }
    }

    /// The first owner: the person that loopback visitors are; makes the stand-in when there is none.
    func localOwner(standInName: String, at now: Date) async throws -> User {
        try await database.write { database in
            let sql = "SELECT \(Self.columns) FROM users WHERE role = 'owner' ORDER BY id LIMIT 1"
            if let row = try Row.fetchOne(database, sql: sql) { return Self.user(row) }
            try database.execute(
                sql: "INSERT INTO users (username, role, is_stand_in, created_at) VALUES (?, 'owner', 1, ?)",
                arguments: [standInName, now.timeIntervalSince1970])
            return User(
                userId: database.lastInsertedRowID, username: standInName, role: .owner, createdAt: now,
                isStandIn: true)
        }
    }

    /// Adds a user; the first owner takes the stand-in's row over, and with it all that hangs on it.
    ///
    /// Throws `RoostError.conflict("username")` when the name is taken by somebody else.
    func add(_ name: String, role: User.Role, passwordHash: String?, at now: Date) async throws -> User {
        try await database.write { database in
            let time = now.timeIntervalSince1970
            let standIn = try Int64.fetchOne(database, sql: "SELECT id FROM users WHERE is_stand_in = 1")
            do {
                if role == .owner, let standIn {
                    try database.execute(
                        sql: """
                            UPDATE users SET username = ?, password_hash = ?, is_stand_in = 0, created_at = ?
                            WHERE id = ?
                            """,
                        arguments: [name, passwordHash, time, standIn])
                    return User(userId: standIn, username: name, role: role, createdAt: now)
                }
                try database.execute(
                    sql: "INSERT INTO users (username, role, password_hash, created_at) VALUES (?, ?, ?, ?)",
                    arguments: [name, role.rawValue, passwordHash, time])
                return User(userId: database.lastInsertedRowID, username: name, role: role, createdAt: now)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw RoostError.conflict(field: "username", why: "There already is a user named “\(name)”.")
            }
        }
    }

    func addToken(hash: [UInt8], for user: UserID, scope: APIToken.Scope, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO api_tokens (user_id, token_hash, scope, created_at) VALUES (?, ?, ?, ?)",
                arguments: [user, Data(hash), scope.rawValue, now.timeIntervalSince1970])
        }
    }

    func tokens() async throws -> [APIToken] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT api_tokens.id, user_id, username, scope, api_tokens.created_at
                    FROM api_tokens JOIN users ON users.id = user_id ORDER BY api_tokens.id
                    """
            ).compactMap(Self.token)
        }
    }

    /// The bearer of a token and what it lets him do, nil for an unknown or revoked one.
    func bearer(hash: [UInt8]) async throws -> (user: User, scope: APIToken.Scope)? {
        try await database.read { database in
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT \(Self.columns), scope FROM api_tokens JOIN users ON users.id = user_id
                        WHERE token_hash = ?
                        """,
                    arguments: [Data(hash)]), let scope = APIToken.Scope(rawValue: row["scope"])
            else { return nil }
            return (Self.user(row), scope)
        }
    }

    /// False when there is no such token.
    func revokeToken(_ id: Int64) async throws -> Bool {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM api_tokens WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    private static func user(_ row: Row) -> User {
        User(
            userId: row["id"], username: row["username"], role: User.Role(rawValue: row["role"]) ?? .member,
            createdAt: Date(timeIntervalSince1970: row["created_at"]), isStandIn: row["is_stand_in"])
    }

    private static func token(_ row: Row) -> APIToken? {
        APIToken.Scope(rawValue: row["scope"]).map { scope in
            APIToken(
                id: row["id"], userId: row["user_id"], username: row["username"], scope: scope,
                createdAt: Date(timeIntervalSince1970: row["created_at"]))
        }
    }
}
