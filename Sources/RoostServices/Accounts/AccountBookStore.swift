import Foundation
import GRDB

/// Every change of accounts goes through here, and what is in memory follows the disk.
///
/// Writes are serial, and the book takes over after each commit what that transaction read at its end: so memory ends
/// as the disk does, whoever else writes at the same time.
struct AccountBookStore: Sendable {
    let database: any DatabaseWriter
    let book: AccountBook

    @discardableResult
    func change<Value: Sendable>(_ work: @escaping @Sendable (GRDB.Database) throws -> Value) async throws
        -> Value
    {
        let book = book
        return try await database.write { database in
            let value = try work(database)
            let contents = try Self.contents(database)
            database.afterNextTransaction(onCommit: { _ in book.take(contents) })
            return value
        }
    }

    /// Reads everything anew: at the start, and when another process has written.
    func reload() async throws {
        try await change { _ in }
    }

    /// Writes down when sessions and tokens were last used.
    func save(_ sights: [Int64: (at: Date, address: String)], _ uses: [Int64: Date]) async throws {
        try await database.write { database in
            for (id, sight) in sights {
                try database.execute(
                    sql: "UPDATE sessions SET last_seen_at = ?, address = ? WHERE id = ?",
                    arguments: [sight.at.timeIntervalSince1970, sight.address, id])
            }
            for (id, time) in uses {
                try database.execute(
                    sql: "UPDATE api_tokens SET last_used_at = ? WHERE id = ?",
                    arguments: [time.timeIntervalSince1970, id])
            }
        }
    }

    private static func contents(_ database: GRDB.Database) throws -> AccountBook.Contents {
        var contents = AccountBook.Contents()
        for user in try Row.fetchAll(database, sql: AccountStore.select).readable(AccountStore.user) {
            contents.users[user.userId] = user
        }
        let sessions = try Row.fetchAll(database, sql: "SELECT * FROM sessions")
        for (hash, session) in sessions.readable(withDigest(SessionStore.session)) {
            contents.sessions[hash] = session
        }
        let tokens = try Row.fetchAll(database, sql: TokenStore.select)
        for (hash, token) in tokens.readable(withDigest(TokenStore.token)) { contents.tokens[hash] = token }
        return contents
    }

    static let stored = [
        StoredRows("users", sql: AccountStore.select) { row in
            _ = (try AccountStore.user(row), try row.textIfPresent("password_hash"))
        },
        StoredRows("sessions") { _ = try withDigest(SessionStore.session)($0) },
        StoredRows("api_tokens", sql: TokenStore.select) { _ = try withDigest(TokenStore.token)($0) },
    ]

    private static func withDigest<Value>(
        _ read: @escaping (Row) throws -> Value
    ) -> (Row) throws -> (hash: [UInt8], value: Value) {
        { row in (try row.digest("token_hash"), try read(row)) }
    }
}

/// Where all stores of accounts find the database.
struct AccountStores: Sendable {
    let database: any DatabaseWriter
}
