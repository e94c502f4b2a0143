import Foundation
import GRDB
package import RoostSupport

/// Stores feeds. Each has the hash of its secret, and the sealed secret so that the owner can copy the address again.
package enum ReadingFeedStore {
    struct Record: ColumnRecord, Sendable {
        var id: Int64 = 0
        var user: UserID = 0
        var filter = ArticleFilter()
        var tokenHash = Data()
        var sealed = Data()
        var createdAt = Date(timeIntervalSince1970: 0)

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("id", &id)
            try columns.column("user_id", &user)
            try columns.column("list", &filter.list)
            // An index over them tells lists apart, so they are never null.
            try columns.column("category", nonBlank: &filter.category)
            try columns.column("tag", nonBlank: &filter.tag)
            try columns.column("site", nonBlank: &filter.site)
            try columns.column("words", nonBlank: &filter.text)
            try columns.column("token_hash", &tokenHash)
            try columns.column("token_sealed", &sealed)
            try columns.column("created_at", &createdAt)
        }

        static let select = "SELECT \(selection(of: "reading_feeds")) FROM reading_feeds"
    }

    package static let sealedValues = SealedColumn(
        sql: "SELECT user_id, token_sealed AS sealed FROM reading_feeds"
    ) {
        ReadingFeedService.context(try $0.id("user_id"))
    }

    package static let stored = [
        StoredRows("reading_feeds", Record.self)
    ]
}

extension ColumnVisitor {
    /// A text that is stored as "" if it is nil.
    fileprivate mutating func column(_ name: String, nonBlank text: inout String?) throws {
        var stored = text ?? ""
        try column(name, &stored)
        text = stored.nonBlank
    }
}

extension Reads {
    func readingFeeds(of user: UserID) throws -> [ReadingFeedStore.Record] {
        try database.rows("\(ReadingFeedStore.Record.select) WHERE user_id = ? ORDER BY id", [user]).readable
        {
            try ReadingFeedStore.Record($0)
        }
    }

    func readingFeed(tokenHash: [UInt8]) throws -> ReadingFeedStore.Record? {
        try database.row("\(ReadingFeedStore.Record.select) WHERE token_hash = ?", [Data(tokenHash)]).map {
            try ReadingFeedStore.Record($0)
        }
    }

    func readingFeed(
        of filter: ArticleFilter, of user: UserID
    ) throws -> ReadingFeedStore.Record? {
        try database.row(
            """
            \(ReadingFeedStore.Record.select)
            WHERE user_id = ? AND list = ? AND category = ? AND tag = ? AND site = ? AND words = ?
            """,
            [
                user, filter.list.rawValue, filter.category ?? "", filter.tag ?? "", filter.site ?? "",
                filter.text ?? "",
            ]
        ).map { try ReadingFeedStore.Record($0) }
    }

    func readingFeedCount(of user: UserID) throws -> Int {
        try database.value(Int.self, "SELECT count(*) FROM reading_feeds WHERE user_id = ?", [user]) ?? 0
    }

    func gistContents(of articles: [ArticleID], for user: UserID) throws -> [ArticleID: String] {
        let rows = try database.rows(
            """
            SELECT article_id, content FROM gists
            WHERE user_id = ? AND article_id IN (SELECT value FROM json_each(?))
            """, [user, articles.jsonArray])
        let found = rows.readable {
            (try $0.id("article_id"), try $0.text("content", maximumBytes: 1 << 20))
        }
        return Dictionary(found) { first, _ in first }
    }
}

extension Writes {
    func addReadingFeed(
        _ filter: ArticleFilter, tokenHash: [UInt8], sealed: [UInt8], of user: UserID, at now: Date
    ) throws {
        let record = ReadingFeedStore.Record(
            user: user, filter: filter, tokenHash: Data(tokenHash), sealed: Data(sealed), createdAt: now)
        try insert(record, into: "reading_feeds", omitting: ["id"])
    }

    func renewReadingFeed(
        _ id: Int64, tokenHash: [UInt8], sealed: [UInt8], of user: UserID
    ) throws -> ReadingFeedStore.Record? {
        try execute(
            "UPDATE reading_feeds SET token_hash = ?, token_sealed = ? WHERE id = ? AND user_id = ?",
            [Data(tokenHash), Data(sealed), id, user])
        return try database.row("\(ReadingFeedStore.Record.select) WHERE id = ? AND user_id = ?", [id, user])
            .map {
                try ReadingFeedStore.Record($0)
            }
    }

    func removeReadingFeed(_ id: Int64, of user: UserID) throws -> Bool {
        try execute(
            "DELETE FROM reading_feeds WHERE id = ? AND user_id = ?", [id, user])
        return database.changesCount > 0
    }
}
