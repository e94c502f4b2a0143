import Foundation
import GRDB
package import RoostSupport

package enum ArticleImportStore {
    struct NewRow: Sendable {
        let line: Int
        let part: String
        var url = ""
        /// Nil if `why` gives the reason.
        var entry: String?
        var why: String?
    }

    struct Open: Sendable {
        let id: Int64
        let user: UserID
        let fetches: Bool
        let isUndo: Bool
        let startedAt: Date
    }

    struct WaitingRow: Sendable {
        let number: Int
        let entry: String
    }

    /// Rows per transaction, and about how many bytes: other writes run between transactions.
    static let chunkRows = 200
    fileprivate static let chunkBytes = 512 << 10
    fileprivate static let maximumImports = 20
    static let unknownImport = RoostError.notFound("There is no such import.")

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

extension Reads {
    func articleImports(of user: UserID) throws -> [ArticleImport] {
        try database.rows(
            "SELECT * FROM reading_imports WHERE user_id = ? ORDER BY id DESC LIMIT ?",
            [user, ArticleImportStore.maximumImports]
        ).readable(ArticleImport.init(row:))
    }

    /// Throws `RoostError.notFound`, also for another user's import.
    func requiredImport(_ id: Int64, of user: UserID) throws -> ArticleImport {
        let row = try database.row("SELECT * FROM reading_imports WHERE id = ? AND user_id = ?", [id, user])
        guard let row else { throw ArticleImportStore.unknownImport }
        return try ArticleImport(row: row)
    }

    func openImportCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self,
            "SELECT count(*) FROM reading_imports WHERE user_id = ? AND state IN ('running', 'undoing')",
            [user]) ?? 0
    }

    func importProblems(of id: Int64, limit: Int) throws -> [ImportProblem] {
        try database.rows(
            """
            SELECT line, part, url, why, state FROM reading_import_rows
            WHERE import_id = ? AND why IS NOT NULL ORDER BY number LIMIT ?
            """, [id, limit]
        ).readable { row in
            let state = try row.text("state")
            return ImportProblem(
                row: try row.number("line", in: 1...Int(Int32.max)), part: try row.text("part"),
                address: try row.text("url", maximumBytes: 16_384), why: try row.text("why"),
                isImported: state != "failed" && state != "removed")
        }
    }

    func openImports() throws -> [ArticleImportStore.Open] {
        try database.rows(
            """
            SELECT id, user_id, fetches, state, started_at FROM reading_imports
            WHERE state IN ('running', 'undoing') ORDER BY id
            """
        ).readable { row in
            ArticleImportStore.Open(
                id: try row.id("id"), user: try row.id("user_id"),
                fetches: try row.number("fetches", in: 0...1) == 1,
                isUndo: try row.text("state") == "undoing", startedAt: try row.time("started_at"))
        }
    }

    func waitingImportRows(of id: Int64) throws -> [ArticleImportStore.WaitingRow] {
        let cursor = try database.cursor(
            """
            SELECT number, entry FROM reading_import_rows
            WHERE import_id = ? AND state = 'waiting' ORDER BY number LIMIT ?
            """, [id, ArticleImportStore.chunkRows])
        var (rows, bytes): ([ArticleImportStore.WaitingRow], Int) = ([], 0)
        while bytes < ArticleImportStore.chunkBytes, let row = try cursor.next() {
            // Passes on an unreadable entry, which is then rejected; skipping it would keep the import open
            // forever.
            let entry = (try? row.text("entry", maximumBytes: 64 << 20)) ?? ""
            rows.append(
                ArticleImportStore.WaitingRow(
                    number: try row.number("number", in: 1...Int(Int32.max)), entry: entry))
            bytes += entry.utf8.count
        }
        return rows
    }

    func isImport(_ id: Int64, inState state: String) throws -> Bool {
        try database.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM reading_imports WHERE id = ? AND state = ?)",
            [id, state]) == true
    }

    func hasImportRows(_ id: Int64, inState state: String) throws -> Bool {
        try database.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM reading_import_rows WHERE import_id = ? AND state = ?)",
            [id, state]) == true
    }

    func hasImport(_ id: Int64, added article: ArticleID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM reading_import_rows
                WHERE article_id = ? AND import_id = ? AND state = 'added')
            """, [article, id]) == true
    }

    func hasGist(like gist: GistDetails, of user: UserID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM gists WHERE user_id = ? AND created_at = ? AND title = ? AND content = ?)
            """, [user, gist.createdAt.stored, gist.title, gist.content]) == true
    }

    /// The next chunk of rows that the import added.
    func addedImportRows(
        of id: Int64
    ) throws -> [(number: Int, article: ArticleID?, gist: GistID?)] {
        try database.rows(
            """
            SELECT number, article_id, gist_id FROM reading_import_rows
            WHERE import_id = ? AND state = 'added' ORDER BY number LIMIT ?
            """, [id, ArticleImportStore.chunkRows]
        ).map { row in
            (
                try row.number("number", in: 1...Int(Int32.max)), try row.idIfPresent("article_id"),
                try row.idIfPresent("gist_id")
            )
        }
    }

    /// The next chunk of rows that the import merged into articles, last first. The merge is nil if it is unreadable.
    func mergedImportRows(
        of id: Int64
    ) throws -> [(number: Int, article: ArticleID?, merge: ArticleMerge?)] {
        try database.rows(
            """
            SELECT number, article_id, merge FROM reading_import_rows
            WHERE import_id = ? AND merge IS NOT NULL ORDER BY number DESC LIMIT ?
            """, [id, ArticleImportStore.chunkRows]
        ).map { row in
            (
                try row.number("number", in: 1...Int(Int32.max)), try row.idIfPresent("article_id"),
                try? row.json("merge")
            )
        }
    }

    /// Whether the user has opened the article or changed its highlights since then.
    func isArticle(_ article: ArticleID, usedSince start: Date) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM articles WHERE id = :article AND opened_at > :start)
                OR EXISTS (
                    SELECT 1 FROM article_highlights
                    WHERE article_id = :article AND (created_at > :start OR updated_at > :start))
            """, ["article": article, "start": start.stored]) == true
    }

    func articleFetchState(of id: ArticleID) throws -> String? {
        try database.value(String.self, "SELECT fetch_state FROM articles WHERE id = ?", [id])
    }
}

extension Writes {
    func addImport(
        _ rows: [ArticleImportStore.NewRow], of format: ArticleImportFormat, named name: String,
        fetches: Bool, for user: UserID,
        at now: Date
    ) throws -> Int64 {
        let failed = rows.count { $0.entry == nil }
        try execute(
            """
            INSERT INTO reading_imports (
                user_id, file_name, format, fetches, state, total, failed, started_at, ended_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user, name, format.rawValue, fetches ? 1 : 0, failed == rows.count ? "done" : "running",
                rows.count, failed, now.stored,
                failed == rows.count ? now.stored : nil,
            ])
        let id = database.lastInsertedRowID
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO reading_import_rows (import_id, number, line, part, url, state, why, entry)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (index, row) in rows.enumerated() {
            try statement.execute(arguments: [
                id, index + 1, row.line, row.part, row.url, row.entry == nil ? "failed" : "waiting",
                row.why,
                row.entry,
            ])
        }
        try execute(
            """
            DELETE FROM reading_imports WHERE user_id = ? AND state NOT IN ('running', 'undoing') AND id NOT IN (
                SELECT id FROM reading_imports WHERE user_id = ? ORDER BY id DESC LIMIT ?)
            """, [user, user, ArticleImportStore.maximumImports])
        return id
    }

    func cancelImport(_ id: Int64, of user: UserID, at now: Date) throws -> Bool {
        try execute(
            """
            UPDATE reading_imports SET state = 'cancelled', ended_at = ?
            WHERE id = ? AND user_id = ? AND state = 'running'
            """, [now.stored, id, user])
        return database.changesCount > 0
    }

    func beginUndoingImport(_ id: Int64, of user: UserID) throws -> Bool {
        try execute(
            """
            UPDATE reading_imports SET state = 'undoing'
            WHERE id = ? AND user_id = ? AND state IN ('done', 'cancelled') AND added + merged > 0
            """, [id, user])
        return database.changesCount > 0
    }

    func removeImport(_ id: Int64, of user: UserID) throws -> Bool {
        try execute(
            """
            DELETE FROM reading_imports
            WHERE id = ? AND user_id = ? AND state NOT IN ('running', 'undoing')
            """, [id, user])
        return database.changesCount > 0
    }

    func endImport(_ id: Int64, _ state: String, at now: Date) throws {
        try execute(
            "UPDATE reading_imports SET state = ?, ended_at = ? WHERE id = ?",
            [state, now.stored, id])
    }

    func addImportCounts(
        _ id: Int64, added: Int, duplicates: Int, merged: Int, failed: Int
    ) throws {
        try execute(
            """
            UPDATE reading_imports SET added = added + ?, known = known + ?, merged = merged + ?,
                failed = failed + ?
            WHERE id = ?
            """, [added, duplicates, merged, failed, id])
    }

    func addImportRemovals(_ id: Int64, _ count: Int) throws {
        try execute("UPDATE reading_imports SET removed = removed + ? WHERE id = ?", [count, id])
    }

    /// Also drops the row's entry, which is no longer needed.
    func noteImportRow(
        _ number: Int, of id: Int64, _ state: String, why: String? = nil, article: ArticleID? = nil,
        gist: GistID? = nil
    ) throws {
        try execute(
            """
            UPDATE reading_import_rows SET state = ?, why = ?, article_id = ?, gist_id = ?, entry = NULL
            WHERE import_id = ? AND number = ? AND state = 'waiting'
            """, [state, why, article, gist, id, number])
    }

    func setImportRow(_ number: Int, of id: Int64, _ state: String) throws {
        try execute(
            "UPDATE reading_import_rows SET state = ? WHERE import_id = ? AND number = ?",
            [state, id, number])
    }

    /// Records the gist in the row that added the article: undoing removes both.
    func noteImportedGist(_ gist: GistID, of article: ArticleID, in id: Int64) throws {
        try execute(
            """
            UPDATE reading_import_rows SET gist_id = ?
            WHERE article_id = ? AND import_id = ? AND state = 'added'
            """, [gist, article, id])
    }

    func setImportMerge(_ merge: ArticleMerge?, of number: Int, in id: Int64) throws {
        let json = try merge.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try execute(
            "UPDATE reading_import_rows SET merge = ? WHERE import_id = ? AND number = ?",
            [json, id, number])
    }

    func setImportedFetch(of id: ArticleID, _ article: PreparedArticle) throws {
        try execute(
            """
            UPDATE articles SET fetched_at = coalesce(:fetched, fetched_at),
                media_type = coalesce(:type, media_type), error = :error,
                fetch_state = iif(:error IS NULL OR fetch_state = 'fetched', fetch_state, 'failed')
            WHERE id = :id
            """,
            [
                "fetched": article.fetchedAt?.stored, "type": article.mediaType,
                "error": article.error, "id": id,
            ])
    }

    func setFinalURL(_ final: ArticleAddress, of id: ArticleID) throws {
        try execute(
            "UPDATE articles SET final_url = ?, site = ? WHERE id = ?", [final.text, final.site, id])
    }

    func insertImportedText(_ text: PreparedArticle.Text, of id: ArticleID, at now: Date) throws {
        try execute(
            "INSERT INTO article_texts (article_id, text, markup, comments) VALUES (?, ?, ?, ?)",
            [id, text.text, text.markup, text.comments])
        try execute(
            """
            UPDATE articles SET fetch_state = 'fetched', error = NULL, error_status = NULL, fetched_at = ?,
                media_type = 'text/html', kind = ?, is_partial = ?, word_count = ?, length_key = ?, reverse_length_key = ?
            WHERE id = ?
            """,
            [now.stored, text.kind, text.isPartial, text.wordCount, text.wordCount, text.wordCount, id])
    }

    func setGistContent(_ content: String, isEdited: Bool, updatedAt: Date, of id: GistID) throws {
        try execute(
            """
            UPDATE gists SET content = ?, is_edited = ?, model_length = NULL, model_text = NULL, updated_at = ?
            WHERE id = ?
            """, [content, isEdited, updatedAt.stored, id])
    }

    /// Keeps a gist that the user has edited since, as deleting an article does.
    func removeGist(_ id: GistID, of user: UserID, unchangedSince start: Date) throws {
        try execute(
            "DELETE FROM gists WHERE id = ? AND user_id = ? AND updated_at <= ?",
            [id, user, start.stored])
    }

    /// Keeps a text that was fetched since.
    func removeImportedText(of id: ArticleID, fetchState: String) throws {
        try execute(
            """
            UPDATE articles SET fetch_state = ?, fetched_at = NULL, kind = NULL, is_partial = NULL, word_count = NULL,
                length_key = 1000000000, reverse_length_key = 0
            WHERE id = ? AND final_url IS NULL AND fetch_state = 'fetched'
            """, [fetchState, id])
        guard database.changesCount > 0 else { return }
        try execute("DELETE FROM article_texts WHERE article_id = ?", [id])
    }
}
