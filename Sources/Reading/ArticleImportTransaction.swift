import Foundation
import GRDB
import RoostSupport

/// A part of an import within one transaction.
struct ArticleImportTransaction {
    /// What an entry of the file became when it was looked at.
    enum Entry: Sendable {
        case article(PreparedArticle)
        /// Of a file of our own: one that belongs to no article.
        case gist(PreparedGist)
        case refused(String)
    }

    let reading: ReadingTransaction
    private let open: ArticleImportStore.Open
    private var database: GRDB.Database { reading.database }
    var user: UserID { open.user }
    var startedAt: Date { open.startedAt }

    init(_ reading: ReadingTransaction, _ open: ArticleImportStore.Open) {
        self.reading = reading
        self.open = open
    }

    // MARK: Taking in

    /// Takes rows in, and ends the import with the last of them. False where it was cancelled meanwhile.
    func take(_ rows: [(number: Int, entry: Entry)]) throws -> Bool {
        guard try isUnderWay("running") else { return false }
        var (added, known, merged, failed) = (0, 0, 0, 0)
        for row in rows {
            switch try take(row.entry) {
            case .added(let article, let gist, let why):
                try note(row.number, "added", why: why, article: article, gist: gist)
                added += 1
            case .known:
                try note(row.number, "known")
                known += 1
            case .merged(let article, let merge, let why):
                try note(row.number, "known", why: why, article: article)
                if let merge { try keep(merge, of: row.number) }
                known += 1
                merged += 1
            case .refused(let why):
                try note(row.number, "failed", why: why)
                failed += 1
            }
        }
        try database.cachedStatement(
            sql: """
                UPDATE reading_imports SET added = added + ?, known = known + ?, merged = merged + ?,
                    failed = failed + ?
                WHERE id = ?
                """
        ).execute(arguments: [added, known, merged, failed, open.id])
        if try !hasRows("waiting") { try end("done") }
        return true
    }

    private enum Outcome {
        case added(ArticleID?, GistID?, why: String?)
        case known
        /// What to undo is nil for an article that this import has added: it is removed as a whole.
        case merged(ArticleID, undo: ArticleMerge?, why: String?)
        case refused(String)
    }

    private func take(_ entry: Entry) throws -> Outcome {
        switch entry {
        case .refused(let why): return .refused(why)
        case .gist(let gist):
            if try isKnown(gist) { return .known }
            return try inSavepoint { .added(nil, try insert(gist, of: nil), why: nil) }
        case .article(let article):
            return try inSavepoint {
                if try isKnown(article) {
                    guard let id = try existing(article) else { return .known }
                    return try merge(article, into: id)
                }
                let (id, gist) = try insert(article)
                return .added(id, gist, why: Self.sentence(article.remarks))
            }
        }
    }

    private func merge(_ article: PreparedArticle, into id: ArticleID) throws -> Outcome {
        let isOwn = try hasAdded(id)
        let (change, remarks) = try ArticleMergeTransaction(imports: self, id: id)
            .merge(article, isOwn: isOwn)
        if change.isEmpty, remarks.isEmpty { return .known }
        if isOwn, let gist = change.gist, gist.before == nil { try note(gist.id, of: id) }
        return .merged(
            id, undo: isOwn || change.isEmpty ? nil : change, why: Self.sentence(article.remarks + remarks))
    }

    private func existing(_ article: PreparedArticle) throws -> ArticleID? {
        for address in [article.address, article.final].compactMap(\.self) {
            if let id = try reading.article(at: address.normalized, of: user) { return id }
        }
        return nil
    }

    /// The row that added the article added its gist, too: undoing removes both.
    private func note(_ gist: GistID, of article: ArticleID) throws {
        try database.cachedStatement(
            sql: """
                UPDATE reading_import_rows SET gist_id = ?
                WHERE article_id = ? AND import_id = ? AND state = 'added'
                """
        ).execute(arguments: [gist, article, open.id])
    }

    private static func sentence(_ remarks: [String]) -> String? {
        remarks.isEmpty ? nil : remarks.joined(separator: " ")
    }

    /// Whether an earlier row of the same file added the article.
    private func hasAdded(_ article: ArticleID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM reading_import_rows
                        WHERE article_id = ? AND import_id = ? AND state = 'added')
                    """), arguments: [article, open.id]) == true
    }

    private func keep(_ merge: ArticleMerge, of number: Int) throws {
        let json = String(decoding: try JSONEncoder().encode(merge), as: UTF8.self)
        try database.cachedStatement(
            sql: "UPDATE reading_import_rows SET merge = ? WHERE import_id = ? AND number = ?"
        ).execute(arguments: [json, open.id, number])
    }

    /// All of a row or nothing. One that the tables do not take is refused: it must not hold up all others for ever.
    private func inSavepoint(_ work: () throws -> Outcome) throws -> Outcome {
        do {
            var outcome = Outcome.known
            try database.inSavepoint {
                outcome = try work()
                return .commit
            }
            return outcome
        } catch RoostError.invalid(_, let why) {
            return .refused(why)
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
        {
            return .refused("This entry has something in it that cannot be kept.")
        }
    }

    private func isUnderWay(_ state: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM reading_imports WHERE id = ? AND state = ?)"),
            arguments: [open.id, state]) == true
    }

    private func hasRows(_ state: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM reading_import_rows WHERE import_id = ? AND state = ?)"),
            arguments: [open.id, state]) == true
    }

    private func end(_ state: String) throws {
        try database.cachedStatement(sql: "UPDATE reading_imports SET state = ?, ended_at = ? WHERE id = ?")
            .execute(arguments: [state, reading.now.timeIntervalSince1970, open.id])
    }

    /// What was in the row's entry is not needed any more.
    private func note(
        _ number: Int, _ state: String, why: String? = nil, article: ArticleID? = nil, gist: GistID? = nil
    ) throws {
        try database.cachedStatement(
            sql: """
                UPDATE reading_import_rows SET state = ?, why = ?, article_id = ?, gist_id = ?, entry = NULL
                WHERE import_id = ? AND number = ? AND state = 'waiting'
                """
        ).execute(arguments: [state, why, article, gist, open.id, number])
    }

    /// Under whichever of its addresses.
    private func isKnown(_ article: PreparedArticle) throws -> Bool {
        for address in [article.address, article.final].compactMap(\.self)
        where try reading.article(at: address.normalized, of: user) != nil {
            return true
        }
        return false
    }

    private func isKnown(_ gist: PreparedGist) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM gists WHERE user_id = ? AND created_at = ? AND title = ? AND content = ?)
                    """),
            arguments: [user, gist.createdAt.timeIntervalSince1970, gist.title, gist.content]) == true
    }

    private func insert(_ article: PreparedArticle) throws -> (ArticleID, GistID?) {
        let saved = try CheckedArticle(
            NewArticle(
                url: article.address.text, title: article.title, category: article.category,
                tags: article.tags,
                source: "import"))
        let isFetched = open.fetches && article.text == nil
        let id = try reading.save(
            saved, by: user, fetching: isFetched ? .afterOthers : .never, savedAt: article.savedAt,
            createdAt: article.createdAt
        ).id
        let gist = try reading.indexingOnce(id) { try fill(id, with: article) }
        return (id, gist)
    }

    private func fill(_ id: ArticleID, with article: PreparedArticle) throws -> GistID? {
        try reading.execute(
            """
            UPDATE articles SET title_is_given = ?, state = ?, is_favorite = ?, author = ?, published_at = ?,
                language = ?, excerpt = ?, image_url = ?, updated_at = ?, archived_at = ?, opened_at = ?, progress = ?
            WHERE id = ?
            """,
            [
                article.title != nil && article.isTitleGiven, article.state.rawValue, article.isFavorite,
                article.author, article.publishedAt?.timeIntervalSince1970, article.language, article.excerpt,
                article.image, article.updatedAt.timeIntervalSince1970,
                article.archivedAt?.timeIntervalSince1970,
                article.openedAt?.timeIntervalSince1970, article.progress, id,
            ])
        if let final = article.final { try set(final, of: id) }
        if let text = article.text { try put(text, into: id) }
        try noteFetch(of: id, as: article)
        for highlight in article.highlights { try reading.insert(highlight.placed(in: id), by: user) }
        return try article.gist.map { try insert($0, of: id) }
    }

    /// What came of an earlier fetch, where the page is not fetched now.
    private func noteFetch(of id: ArticleID, as article: PreparedArticle) throws {
        guard article.text != nil || !open.fetches,
            article.fetchedAt != nil || article.mediaType != nil || article.error != nil
        else { return }
        try reading.execute(
            """
            UPDATE articles SET fetched_at = coalesce(:fetched, fetched_at),
                media_type = coalesce(:type, media_type), error = :error,
                fetch_state = iif(:error IS NULL OR fetch_state = 'fetched', fetch_state, 'failed')
            WHERE id = :id
            """,
            [
                "fetched": article.fetchedAt?.timeIntervalSince1970, "type": article.mediaType,
                "error": article.error, "id": id,
            ])
    }

    /// Where the page was when it was fetched.
    private func set(_ final: ArticleAddress, of id: ArticleID) throws {
        try ArticleVersions(reading).setAddress(final.text, of: id, by: user)
        try reading.execute(
            "UPDATE articles SET final_url = ?, site = ? WHERE id = ?", [final.text, final.site, id])
    }

    private func put(_ text: PreparedArticle.Text, into id: ArticleID) throws {
        try reading.execute(
            "INSERT INTO article_texts (article_id, text, markup) VALUES (?, ?, ?)",
            [id, text.text, text.markup])
        try reading.execute(
            """
            UPDATE articles SET fetch_state = 'fetched', fetched_at = ?, media_type = 'text/html', kind = ?,
                word_count = ?, length_key = ?, reverse_length_key = ?
            WHERE id = ?
            """,
            [
                reading.now.timeIntervalSince1970, text.kind, text.wordCount, text.wordCount, text.wordCount,
                id,
            ])
    }

    func insert(_ gist: PreparedGist, of article: ArticleID?) throws -> GistID {
        try database.cachedStatement(
            sql: """
                INSERT INTO gists (
                    user_id, article_id, title, source_url, category, method, note, is_edited, created_at,
                    updated_at, content
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            user, article, gist.title, gist.sourceURL, gist.category, gist.method.rawValue, gist.note,
            gist.isEdited ? 1 : 0, gist.createdAt.timeIntervalSince1970, gist.updatedAt.timeIntervalSince1970,
            gist.content,
        ])
        return database.lastInsertedRowID
    }

    // MARK: Taking back

    /// Takes out what the import has added, so many at once, and ends with the last of them. False where nothing is left.
    ///
    /// What the user has read or marked since stays.
    func takeBack() throws -> Bool {
        guard try isUnderWay("undoing") else { return false }
        // Before the articles that this import added, the last first: a row may have changed what another one had.
        if try undoMerges() { return true }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, article_id, gist_id FROM reading_import_rows
                    WHERE import_id = ? AND state = 'added' ORDER BY number LIMIT ?
                    """),
            arguments: [open.id, ArticleImportStore.chunkRows])
        var removed = 0
        for row in rows {
            let (article, gist) = (try row.idIfPresent("article_id"), try row.idIfPresent("gist_id"))
            let isInUse = try article.map(isInUse) ?? false
            if !isInUse {
                if let gist { try removeGist(gist) }
                if let article { try removeArticle(article) }
                removed += 1
            }
            try database.cachedStatement(
                sql: "UPDATE reading_import_rows SET state = ? WHERE import_id = ? AND number = ?"
            ).execute(arguments: [
                isInUse ? "kept" : "removed", open.id, try row.number("number", in: 1...Int(Int32.max)),
            ])
        }
        try database.cachedStatement(sql: "UPDATE reading_imports SET removed = removed + ? WHERE id = ?")
            .execute(arguments: [removed, open.id])
        if try !hasRows("added") { try end("undone") }
        return true
    }

    /// Restores the articles to which the import has added something, so many at once. False where none is left.
    private func undoMerges() throws -> Bool {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, article_id, merge FROM reading_import_rows
                    WHERE import_id = ? AND merge IS NOT NULL ORDER BY number DESC LIMIT ?
                    """), arguments: [open.id, ArticleImportStore.chunkRows])
        for row in rows {
            // One that cannot be read is passed over, or the undo never ends.
            if let merge = try? row.json("merge") as ArticleMerge, let id = try row.idIfPresent("article_id"),
                let found = try reading.record(id, of: user)
            {
                let transaction = ArticleMergeTransaction(imports: self, id: found.item.id)
                try reading.indexingOnce(found.item.id) { try transaction.undo(merge) }
            }
            try database.cachedStatement(
                sql: "UPDATE reading_import_rows SET merge = NULL WHERE import_id = ? AND number = ?"
            ).execute(arguments: [open.id, try row.number("number", in: 1...Int(Int32.max))])
        }
        return rows.count == ArticleImportStore.chunkRows
    }

    private func isInUse(_ article: ArticleID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM articles WHERE id = :article AND opened_at > :start)
                        OR EXISTS (
                            SELECT 1 FROM article_highlights
                            WHERE article_id = :article AND (created_at > :start OR updated_at > :start))
                    """),
            arguments: ["article": article, "start": open.startedAt.timeIntervalSince1970]) == true
    }

    /// One that the user has rewritten since stays, as it does when its article is deleted.
    private func removeGist(_ id: GistID) throws {
        try database.cachedStatement(
            sql: "DELETE FROM gists WHERE id = ? AND user_id = ? AND updated_at <= ?"
        )
        .execute(arguments: [id, user, open.startedAt.timeIntervalSince1970])
    }

    /// Out of all lists at once; out of the disk a few at a time, as all that is deleted. There is no undo of this number:
    /// nothing brings them back.
    private func removeArticle(_ id: ArticleID) throws {
        if try reading.record(id, of: user)?.item.id == id { try reading.delete([id], undo: 0) }
    }
}
