import Foundation
package import GRDB
package import RoostSupport

/// Feeds in SQLite: of an address the hash, and the secret sealed, so that its owner can copy it again.
package struct ReadingFeedStore: Sendable {
    struct Record: Sendable {
        let id: Int64
        let user: UserID
        let filter: ArticleFilter
        let sealed: [UInt8]
        let createdAt: Date

        init(row: Row) throws {
            (id, user) = (try row.id("id"), try row.id("user_id"))
            filter = ArticleFilter(
                list: try row.choice("list"), category: try row.text("category").nonBlank,
                tag: try row.text("tag").nonBlank, site: try row.text("site").nonBlank,
                text: try row.text("words").nonBlank)
            sealed = try row.bytes("token_sealed", maximumBytes: 1_024)
            createdAt = try row.time("created_at")
        }
    }

    /// Of one user.
    private static let maximum = 50

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// The oldest first.
    func feeds(of user: UserID) async throws -> [Record] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM reading_feeds WHERE user_id = ? ORDER BY id"),
                arguments: [user]
            ).readable(Record.init(row:))
        }
    }

    func feed(tokenHash: [UInt8]) async throws -> Record? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM reading_feeds WHERE token_hash = ?"),
                arguments: [Data(tokenHash)]
            ).map(Record.init(row:))
        }
    }

    /// Makes a feed, or answers the one that there is.
    func add(
        _ filter: ArticleFilter, tokenHash: [UInt8], sealed: [UInt8], of user: UserID, at now: Date
    ) async throws -> Record {
        let columns: StatementArguments = [
            user, filter.list.rawValue, filter.category ?? "", filter.tag ?? "", filter.site ?? "",
            filter.text ?? "",
        ]
        return try await database.write { database in
            let known = """
                SELECT * FROM reading_feeds
                WHERE user_id = ? AND list = ? AND category = ? AND tag = ? AND site = ? AND words = ?
                """
            if let row = try Row.fetchOne(database.cachedStatement(sql: known), arguments: columns) {
                return try Record(row: row)
            }
            let count = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM reading_feeds WHERE user_id = ?"),
                arguments: [user])
            guard (count ?? 0) < Self.maximum else {
                throw RoostError.invalid(
                    field: "list", why: "There can be \(Self.maximum) feeds at most: withdraw one first.")
            }
            try database.execute(
                sql: """
                    INSERT INTO reading_feeds (
                        user_id, list, category, tag, site, words, token_hash, token_sealed, created_at
                    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: columns
                    + [Data(tokenHash), Data(sealed), now.timeIntervalSince1970] as StatementArguments)
            guard let row = try Row.fetchOne(database.cachedStatement(sql: known), arguments: columns) else {
                throw RoostError.notFound("There is no such feed.")
            }
            return try Record(row: row)
        }
    }

    /// Gives a feed another address. Nil where the user has no such feed.
    func renew(_ id: Int64, tokenHash: [UInt8], sealed: [UInt8], of user: UserID) async throws -> Record? {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE reading_feeds SET token_hash = ?, token_sealed = ? WHERE id = ? AND user_id = ?",
                arguments: [Data(tokenHash), Data(sealed), id, user])
            return try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM reading_feeds WHERE id = ? AND user_id = ?"),
                arguments: [id, user]
            ).map(Record.init(row:))
        }
    }

    /// False where the user has no such feed.
    func remove(_ id: Int64, of user: UserID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM reading_feeds WHERE id = ? AND user_id = ?", arguments: [id, user])
            return database.changesCount > 0
        }
    }

    /// What stands in the gists of these articles.
    func gists(of articles: [ArticleID], for user: UserID) async throws -> [ArticleID: String] {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT article_id, content FROM gists
                        WHERE user_id = ? AND article_id IN (SELECT value FROM json_each(?))
                        """),
                arguments: [user, articles.jsonArray])
            let found = rows.readable {
                (try $0.id("article_id"), try $0.text("content", maximumBytes: 1 << 20))
            }
            return Dictionary(found) { first, _ in first }
        }
    }

    package static let sealedValues = SealedColumn(
        sql: "SELECT user_id, token_sealed AS sealed FROM reading_feeds"
    ) {
        ReadingFeedService.context(try $0.id("user_id"))
    }

    package static let stored = [
        StoredRows("reading_feeds") { row in
            _ = (try Record(row: row), try row.digest("token_hash"))
        }
    ]
}
