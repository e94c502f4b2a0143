import Foundation
package import GRDB
package import RoostSupport

/// The reading list in SQLite.
package struct ReadingStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Works in one transaction. What it returns is on the disk.
    func write<Value: Sendable>(
        at now: Date, _ work: @escaping @Sendable (ReadingTransaction) throws -> Value
    ) async throws -> Value {
        try await database.write { try work(ReadingTransaction(database: $0, now: now)) }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (ReadingTransaction) throws -> Value
    ) async throws -> Value {
        // Nothing is written there, so that no time is needed.
        try await database.fetch { try work(ReadingTransaction(database: $0, now: .distantPast)) }
    }

    func counts(of user: UserID) async throws -> ReadingCounts {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT kind, name, count FROM reading_counts
                        WHERE user_id = ? AND kind IN ('state', 'favorite', 'failed')
                        """), arguments: [user])
            var counts = ReadingCounts()
            for row in rows {
                let count = try row.number("count", in: 0...Int(Int32.max))
                switch (try row.text("kind"), try row.text("name")) {
                case ("state", "unread"): counts.unread = count
                case ("state", "archived"): counts.archived = count
                case ("favorite", _): counts.favorites = count
                case ("failed", _): counts.failed = count
                default: break
                }
            }
            return counts
        }
    }

    /// Categories by name, sites with the most articles first.
    func groups(_ kind: String, of user: UserID, limit: Int = 1_000) async throws -> [ReadingGroup] {
        let order = kind == "category" ? "name COLLATE NOCASE, name" : "count DESC, name"
        return try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT name, count FROM reading_counts WHERE user_id = ? AND kind = ?
                        ORDER BY \(order) LIMIT ?
                        """), arguments: [user, kind, limit]
            ).readable { ReadingGroup(name: try $0.text("name"), count: try $0.value("count")) }
        }
    }

    /// In the spelling of the latest article, the most used first.
    func tags(of user: UserID, limit: Int = 1_000) async throws -> [ReadingGroup] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT count, (SELECT tag FROM article_tags
                            WHERE article_tags.user_id = reading_counts.user_id AND folded = name
                            ORDER BY saved_at DESC LIMIT 1) AS tag
                        FROM reading_counts WHERE user_id = ? AND kind = 'tag'
                        ORDER BY count DESC, name LIMIT ?
                        """), arguments: [user, limit]
            ).readable { ReadingGroup(name: try $0.text("tag"), count: try $0.value("count")) }
        }
    }

    func additionStamps(of articles: [ArticleID]) async throws -> [ArticleID: String] {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT value AS id,
                            (SELECT count(*) || ' ' || coalesce(max(updated_at), '') FROM article_highlights
                                WHERE article_id = value)
                            || ' ' || coalesce((SELECT updated_at FROM gists WHERE article_id = value), '') AS stamp
                        FROM json_each(?)
                        """), arguments: ["[\(articles.map(String.init).joined(separator: ","))]"])
            let stamps = rows.readable { (try $0.id("id") as ArticleID, try $0.text("stamp")) }
            return Dictionary(stamps, uniquingKeysWith: { first, _ in first })
        }
    }

    func preferences(of user: UserID) async throws -> ReadingPreferences {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT preferences FROM reading_choices WHERE user_id = ?"),
                arguments: [user]
            ).map { try $0.json("preferences") } ?? ReadingPreferences()
        }
    }

    package static let sealedValues = SealedColumn(
        sql: "SELECT id, user_id, share_sealed AS sealed FROM gists WHERE share_sealed IS NOT NULL"
    ) { GistService.context(try $0.id("id"), of: try $0.id("user_id")) }

    /// How the rows of every table are read.
    package static let stored = [
        StoredRows(
            "articles",
            sql: "SELECT a.id, a.owner_id, " + ArticleRecord.columns.dropFirst("a.id, a.user_id, ".count)
                + " FROM articles AS a"
        ) { _ = try ArticleRecord($0) },
        StoredRows("article_texts") { row in
            _ = (
                try row.text("text", maximumBytes: maximumTextBytes),
                try row.text("markup", maximumBytes: maximumTextBytes)
            )
        },
        StoredRows("article_new_texts") { row in
            _ = (
                try row.json("version") as ArticleVersion,
                try row.choice("reason") as ArticleItem.NewText.Reason, try row.time("fetched_at")
            )
        },
        StoredRows("article_addresses") { row in _ = (try row.text("address"), try row.id("article_id")) },
        StoredRows("article_merges") { row in _ = try row.id("article_id") },
        StoredRows("article_tags") { row in
            _ = (try row.text("tag"), try row.text("folded"), try row.time("saved_at"))
        },
        StoredRows("article_highlights") { _ = try ReadingTransaction.highlight($0) },
        StoredRows("gists") { _ = try GistRecord($0) },
        StoredRows("shared_items") { row in
            _ = (
                try row.id("user_id"), try row.text("url"), try row.time("created_at"),
                try row.textIfPresent("title"), try row.textIfPresent("source_application"),
                try row.textIfPresent("error")
            )
        },
        StoredRows("reading_choices") { row in _ = try row.json("preferences") as ReadingPreferences },
        StoredRows("reading_undos") { row in _ = (try row.id("user_id"), try row.time("made_at")) },
        StoredRows("reading_undo_steps") { row in _ = try row.json("step") as ReadingUndoStep },
        StoredRows("reading_search_held") { row in _ = try row.id("article_id") },
        StoredRows("reading_counts") { row in
            _ = (try row.text("name"), try row.number("count", in: 0...Int(Int32.max)))
        },
    ]

    /// Of a text and its markup.
    static let maximumTextBytes = 16 << 20
}
