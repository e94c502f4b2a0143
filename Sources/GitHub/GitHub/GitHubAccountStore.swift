import Foundation
import GRDB
package import RoostSupport

package enum GitHubAccountStore {
    /// A row of `github_accounts`, with its user's name.
    struct StoredAccount: ColumnRecord, Equatable, Sendable {
        private(set) var id: GitHubAccountID = 0
        private(set) var userId: UserID = 0
        private(set) var username = ""
        private(set) var host = ""
        private(set) var login = ""
        private(set) var connectedAt = Date(timeIntervalSince1970: 0)

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("id", &id)
            try columns.column("user_id", &userId)
            try columns.column("username", sql: "username", &username)
            try columns.column("host", &host)
            try columns.column("login", &login)
            try columns.column("connected_at", &connectedAt)
        }
    }

    fileprivate static let select = """
        SELECT \(StoredAccount.selection(of: "github_accounts"))
        FROM github_accounts JOIN users ON users.id = user_id
        """

    package static let stored = [StoredRows("github_accounts", sql: select) { _ = try StoredAccount($0) }]
}

extension Reads {
    func gitHubAccounts() throws -> [GitHubAccountStore.StoredAccount] {
        try database.rows(GitHubAccountStore.select + " ORDER BY github_accounts.id").readable {
            try GitHubAccountStore.StoredAccount($0)
        }
    }

    func gitHubAccountCount(of user: UserID) throws -> Int {
        try database.value(Int.self, "SELECT count(*) FROM github_accounts WHERE user_id = ?", [user]) ?? 0
    }

    func gitHubAccount(
        _ login: String, at host: String, of user: UserID
    ) throws -> GitHubAccountStore.StoredAccount? {
        try database.row(
            GitHubAccountStore.select + " WHERE user_id = ? AND host = ? AND login = ?", [user, host, login]
        ).map { try GitHubAccountStore.StoredAccount($0) }
    }

    /// The name of the account's user. Nil if the account no longer exists.
    func username(ofGitHubAccount id: GitHubAccountID) throws -> String? {
        try database.value(
            String.self,
            """
            SELECT username FROM github_accounts JOIN users ON users.id = user_id
            WHERE github_accounts.id = ?
            """, [id])
    }
}

extension Writes {
    /// Adds an account, or updates the one with the same login.
    func putGitHubAccount(
        _ login: String, at host: String, of user: UserID, connectedAt: Date
    ) throws -> GitHubAccountStore.StoredAccount {
        try database.execute(
            sql: """
                INSERT INTO github_accounts (user_id, host, login, connected_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id, host, login)
                    DO UPDATE SET connected_at = excluded.connected_at, login = excluded.login
                """,
            arguments: [user, host, login, connectedAt.stored])
        guard let account = try gitHubAccount(login, at: host, of: user) else {
            throw ImpossibleValue(column: "id")
        }
        return account
    }

    func removeGitHubAccount(_ id: GitHubAccountID) throws {
        try database.execute(sql: "DELETE FROM github_accounts WHERE id = ?", arguments: [id])
    }

    /// Stores a new login. Does nothing if the user already has an account with that login.
    func renameGitHubAccount(_ id: GitHubAccountID, to login: String) throws {
        try database.execute(
            sql: "UPDATE OR IGNORE github_accounts SET login = ? WHERE id = ?", arguments: [login, id])
    }
}

extension Migration {
    /// Users' GitHub accounts. Their tokens are only in `sealed_secrets`.
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
