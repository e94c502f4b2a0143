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
        for row in try Row.fetchAll(database, sql: AccountStore.select) {
            let user = AccountStore.user(row)
            contents.users[user.userId] = user
        }
        for row in try Row.fetchAll(database, sql: "SELECT * FROM sessions") {
            contents.sessions[Array(row["token_hash"] as Data)] = SessionStore.session(row)
        }
        let tokens = try Row.fetchAll(
            database,
            sql: "SELECT api_tokens.*, username FROM api_tokens JOIN users ON users.id = user_id")
        for row in tokens {
            contents.tokens[Array(row["token_hash"] as Data)] = TokenStore.token(row)
        }
        return contents
    }
}

extension Row {
    /// A time column: seconds since 1970.
    func date(_ column: String) -> Date? {
        (self[column] as Double?).map(Date.init(timeIntervalSince1970:))
    }
}

/// Where all stores of accounts find the database.
struct AccountStores: Sendable {
    let database: any DatabaseWriter
}
