import Foundation
package import GRDB
package import RoostSupport

/// Users' GitHub accounts in SQLite: who, where and since when, without any token.
package struct GitHubAccountStore: Sendable {
    struct StoredAccount: Equatable, Sendable {
        let id: GitHubAccountID
        let userId: UserID
        /// The user's name in Roost.
        let username: String
        let host: String
        let login: String
        let connectedAt: Date
        /// False where the same login was there before.
        var isNew = false
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func accounts() async throws -> [StoredAccount] {
        try await database.fetch { database in
            try Row.fetchAll(database.cachedStatement(sql: Self.select + " ORDER BY github_accounts.id"))
                .readable(Self.account)
        }
    }

    /// Adds an account, or renews the one of the same login. Throws `RoostError.notFound` where the user is gone, and
    /// `.invalid(field: "token")` where he has `limit` already.
    func put(_ login: String, at host: String, of user: UserID, limit: Int, now: Date) async throws
        -> StoredAccount
    {
        try await database.write { database in
            let count = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM github_accounts WHERE user_id = ?"),
                arguments: [user])
            let isUser = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?)"),
                arguments: [user])
            guard isUser == true else { throw RoostError.notFound("There is no such user.") }
            let known = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id FROM github_accounts WHERE user_id = ? AND host = ? AND login = ?"),
                arguments: [user, host, login])
            guard known != nil || (count ?? 0) < limit else {
                throw RoostError.invalid(
                    field: "token",
                    why: "There can be \(limit) GitHub accounts at most: disconnect one first.")
            }
            try database.execute(
                sql: """
                    INSERT INTO github_accounts (user_id, host, login, connected_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user_id, host, login)
                        DO UPDATE SET connected_at = excluded.connected_at, login = excluded.login
                    """,
                arguments: [user, host, login, now.timeIntervalSince1970])
            let id = known ?? database.lastInsertedRowID
            let row = try Row.fetchOne(
                database.cachedStatement(sql: Self.select + " WHERE github_accounts.id = ?"), arguments: [id])
            guard var account = try row.map(Self.account) else {
                throw RoostError.notFound("There is no such account.")
            }
            account.isNew = known == nil
            return account
        }
    }

    func remove(_ id: GitHubAccountID) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM github_accounts WHERE id = ?", arguments: [id])
        }
    }

    /// The user's name in Roost, nil when the account (or the user with it) is gone.
    func username(of id: GitHubAccountID) async throws -> String? {
        try await database.fetch { database in
            try String.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT username FROM github_accounts JOIN users ON users.id = user_id
                        WHERE github_accounts.id = ?
                        """), arguments: [id])
        }
    }

    /// GitHub knows the account by another login now; nothing happens where the user has that one as well.
    func rename(_ id: GitHubAccountID, to login: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE OR IGNORE github_accounts SET login = ? WHERE id = ?", arguments: [login, id])
        }
    }

    private static let select = """
        SELECT github_accounts.*, username FROM github_accounts JOIN users ON users.id = user_id
        """

    package static let stored = [StoredRows("github_accounts", sql: select) { _ = try account($0) }]

    private static func account(_ row: Row) throws -> StoredAccount {
        StoredAccount(
            id: try row.id("id"), userId: try row.id("user_id"), username: try row.text("username"),
            host: try row.text("host"), login: try row.text("login"),
            connectedAt: try row.time("connected_at"))
    }
}

extension Migration {
    /// Users' GitHub accounts; their tokens lie in `sealed_secrets` alone.
    package static let gitHubAccounts = Migration(
        "github: accounts",
        sql: """
            CREATE TABLE github_accounts (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL CHECK (length(host) BETWEEN 1 AND 300),
                login TEXT NOT NULL COLLATE NOCASE CHECK (length(login) BETWEEN 1 AND 200),
                connected_at REAL NOT NULL,
                UNIQUE (user_id, host, login)
            ) STRICT;
            """)
}
