import Foundation
package import GRDB
package import RoostSupport

/// Imports and their rows in SQLite.
package struct ArticleImportStore: Sendable {
    /// A row of a file as it is written down.
    struct NewRow: Sendable {
        let line: Int
        let part, url: String
        /// Nil where `why` says why there is none.
        let entry: String?
        let why: String?
    }

    /// An import that is under way.
    struct Open: Sendable {
        let id: Int64
        let user: UserID
        let fetches: Bool
        let isUndo: Bool
        let startedAt: Date
    }

    /// A row that waits.
    struct WaitingRow: Sendable {
        let number: Int
        let entry: String
    }

    /// Rows of one transaction, and about how many bytes of them: pages are written meanwhile.
    static let chunkRows = 200
    private static let chunkBytes = 512 << 10
    /// What is remembered of earlier imports.
    private static let maximumImports = 20
    /// Of one user at the same time.
    private static let maximumOpen = 5

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Writes a file's rows down, all or none.
    func add(
        _ rows: [NewRow], of format: ArticleImportFormat, named name: String, fetches: Bool, for user: UserID,
        at now: Date
    ) async throws -> ArticleImport {
        try await database.write { database in
            let open = try Int.fetchOne(
                database.cachedStatement(
                    sql:
                        "SELECT count(*) FROM reading_imports WHERE user_id = ? AND state IN ('running', 'undoing')"
                ),
                arguments: [user])
            guard (open ?? 0) < Self.maximumOpen else {
                throw RoostError.conflict(
                    field: "file", why: "\(Self.maximumOpen) imports are under way: wait until one is done.")
            }
            let failed = rows.count { $0.entry == nil }
            try database.execute(
                sql: """
                    INSERT INTO reading_imports (
                        user_id, file_name, format, fetches, state, total, failed, started_at, ended_at
                    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, name, format.rawValue, fetches ? 1 : 0, failed == rows.count ? "done" : "running",
                    rows.count, failed, now.timeIntervalSince1970,
                    failed == rows.count ? now.timeIntervalSince1970 : nil,
                ])
            let id = database.lastInsertedRowID
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO reading_import_rows (import_id, number, line, part, url, state, why, entry)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (place, row) in rows.enumerated() {
                try statement.execute(arguments: [
                    id, place + 1, row.line, row.part, row.url, row.entry == nil ? "failed" : "waiting",
                    row.why,
                    row.entry,
                ])
            }
            try Self.forgetOldest(of: user, database)
            guard let added = try Self.find(id, of: user, database) else {
                throw RoostError.notFound("There is no such import.")
            }
            return added
        }
    }

    private static func forgetOldest(of user: UserID, _ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                DELETE FROM reading_imports WHERE user_id = ? AND state NOT IN ('running', 'undoing') AND id NOT IN (
                    SELECT id FROM reading_imports WHERE user_id = ? ORDER BY id DESC LIMIT ?)
                """,
            arguments: [user, user, maximumImports])
    }

    /// The newest first.
    func imports(of user: UserID) async throws -> [ArticleImport] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM reading_imports WHERE user_id = ? ORDER BY id DESC LIMIT ?"),
                arguments: [user, Self.maximumImports]
            ).readable(ArticleImport.init(row:))
        }
    }

    func find(_ id: Int64, of user: UserID) async throws -> ArticleImport? {
        try await database.fetch { try Self.find(id, of: user, $0) }
    }

    private static func find(_ id: Int64, of user: UserID, _ database: GRDB.Database) throws -> ArticleImport?
    {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM reading_imports WHERE id = ? AND user_id = ?"),
            arguments: [id, user]
        ).map(ArticleImport.init(row:))
    }

    /// What there is to say about rows, in their order.
    ///
    /// - Parameter number: after this one
    func remarks(
        of id: Int64, after number: Int = 0, limit: Int
    ) async throws -> [(number: Int, remark: ArticleImportRemark)] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number, line, part, url, why, state FROM reading_import_rows
                        WHERE import_id = ? AND number > ? AND why IS NOT NULL ORDER BY number LIMIT ?
                        """),
                arguments: [id, number, limit]
            ).readable { row in
                let state = try row.text("state")
                return (
                    try row.number("number", in: 1...Int(Int32.max)),
                    ArticleImportRemark(
                        line: try row.number("line", in: 1...Int(Int32.max)), part: try row.text("part"),
                        url: try row.text("url", maximumBytes: 16_384), why: try row.text("why"),
                        isImported: state != "failed" && state != "removed")
                )
            }
        }
    }

    /// Ends an import; what it has added stays. False where it is not under way.
    func cancel(_ id: Int64, of user: UserID, at now: Date) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE reading_imports SET state = 'cancelled', ended_at = ?
                    WHERE id = ? AND user_id = ? AND state = 'running'
                    """,
                arguments: [now.timeIntervalSince1970, id, user])
            return database.changesCount > 0
        }
    }

    /// Begins to take an import back. False where it cannot be.
    func beginUndo(_ id: Int64, of user: UserID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE reading_imports SET state = 'undoing'
                    WHERE id = ? AND user_id = ? AND state IN ('done', 'cancelled') AND added + merged > 0
                    """,
                arguments: [id, user])
            return database.changesCount > 0
        }
    }

    /// Forgets an import that is not under way; its articles stay.
    func remove(_ id: Int64, of user: UserID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM reading_imports
                    WHERE id = ? AND user_id = ? AND state NOT IN ('running', 'undoing')
                    """,
                arguments: [id, user])
            return database.changesCount > 0
        }
    }

    /// All that are under way, in the order of their beginning.
    func open() async throws -> [Open] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, user_id, fetches, state, started_at FROM reading_imports
                        WHERE state IN ('running', 'undoing') ORDER BY id
                        """)
            ).readable { row in
                Open(
                    id: try row.id("id"), user: try row.id("user_id"),
                    fetches: try row.number("fetches", in: 0...1) == 1,
                    isUndo: try row.text("state") == "undoing", startedAt: try row.time("started_at"))
            }
        }
    }

    /// The next rows that wait; empty at the end.
    func waitingRows(of id: Int64) async throws -> [WaitingRow] {
        try await database.fetch { database in
            let cursor = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT number, entry FROM reading_import_rows
                        WHERE import_id = ? AND state = 'waiting' ORDER BY number LIMIT ?
                        """),
                arguments: [id, Self.chunkRows])
            var (rows, bytes): ([WaitingRow], Int) = ([], 0)
            while bytes < Self.chunkBytes, let row = try cursor.next() {
                // One that cannot be read is refused as any other, lest the import never ends.
                let entry = (try? row.text("entry", maximumBytes: 64 << 20)) ?? ""
                rows.append(
                    WaitingRow(number: try row.number("number", in: 1...Int(Int32.max)), entry: entry))
                bytes += entry.utf8.count
            }
            return rows
        }
    }

    /// Does a part of an import, together with its progress: all of it or nothing.
    func change<Value: Sendable>(
        _ open: Open, at now: Date, _ work: @escaping @Sendable (ArticleImportTransaction) throws -> Value
    ) async throws -> Value {
        try await database.write { database in
            try work(ArticleImportTransaction(ReadingTransaction(database: database, now: now), open))
        }
    }

    package static let stored = [
        StoredRows("reading_imports") { row in
            _ = (try row.id("user_id"), try ArticleImport(row: row))
        },
        StoredRows("reading_import_rows") { row in
            _ = (
                try row.id("import_id"), try row.number("number", in: 1...Int(Int32.max)),
                try row.text("part"),
                try row.text("url", maximumBytes: 16_384), try row.textIfPresent("why"),
                try row.idIfPresent("article_id"), try row.idIfPresent("gist_id"),
                try row.textIfPresent("entry", maximumBytes: 64 << 20),
                try row.jsonIfPresent("merge") as ArticleMerge?
            )
        },
    ]
}
