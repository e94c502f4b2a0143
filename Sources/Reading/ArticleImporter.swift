import Foundation
import GRDB
import RoostSupport

/// Adds the rows of an import to the user's list, and removes them again. Each call is a part of one transaction.
struct ArticleImporter: Sendable {
    enum Entry: Sendable {
        case article(PreparedArticle)
        case gist(GistDetails)
        case refused(String)
    }

    let open: ArticleImportStore.Open
    let now: Date

    var user: UserID { open.user }

    // MARK: Adding

    /// Adds rows, and ends the import after the last one. Returns false if it was cancelled.
    func add(_ rows: [(number: Int, entry: Entry)], in writes: Writes) throws -> Bool {
        guard try writes.isImport(open.id, inState: "running") else { return false }
        var (added, duplicates, merged, failed) = (0, 0, 0, 0)
        for row in rows {
            switch try add(row.entry, in: writes) {
            case .added(let article, let gist, let why):
                try writes.noteImportRow(
                    row.number, of: open.id, "added", why: why, article: article, gist: gist)
                added += 1
            case .duplicate:
                try writes.noteImportRow(row.number, of: open.id, "known")
                duplicates += 1
            case .merged(let article, let merge, let why):
                try writes.noteImportRow(row.number, of: open.id, "known", why: why, article: article)
                if let merge { try writes.setImportMerge(merge, of: row.number, in: open.id) }
                duplicates += 1
                merged += 1
            case .refused(let why):
                try writes.noteImportRow(row.number, of: open.id, "failed", why: why)
                failed += 1
            }
        }
        try writes.addImportCounts(
            open.id, added: added, duplicates: duplicates, merged: merged, failed: failed)
        if try !writes.hasImportRows(open.id, inState: "waiting") {
            try writes.endImport(open.id, "done", at: now)
        }
        return true
    }

    enum Outcome {
        case added(ArticleID?, GistID?, why: String?)
        case duplicate
        /// `undo` is nil if this import added the article, which is then removed as a whole.
        case merged(ArticleID, undo: ArticleMerge?, why: String?)
        case refused(String)
    }

    /// Adds or merges a row, without noting it.
    func add(_ entry: Entry, in writes: Writes) throws -> Outcome {
        switch entry {
        case .refused(let why): return .refused(why)
        case .gist(let gist):
            if try writes.hasGist(like: gist, of: user) { return .duplicate }
            return try inSavepoint(writes) {
                .added(nil, try writes.insertGist(gist, article: nil, of: user), why: nil)
            }
        case .article(let article):
            return try inSavepoint(writes) {
                if let id = try existing(article, in: writes) {
                    return try merge(article, into: id, in: writes)
                }
                let (id, gist) = try insert(article, in: writes)
                return .added(id, gist, why: Self.sentence(article.warnings))
            }
        }
    }

    private func merge(
        _ article: PreparedArticle, into id: ArticleID, in writes: Writes
    ) throws -> Outcome {
        let isOwn = try writes.hasImport(open.id, added: id)
        let (change, warnings) = try ArticleMerger(importer: self, id: id)
            .merge(article, isOwn: isOwn, in: writes)
        if change.isEmpty, warnings.isEmpty { return .duplicate }
        if isOwn, let gist = change.gist, gist.before == nil {
            try writes.noteImportedGist(gist.id, of: id, in: open.id)
        }
        return .merged(
            id, undo: isOwn || change.isEmpty ? nil : change, why: Self.sentence(article.warnings + warnings))
    }

    private func existing(_ article: PreparedArticle, in writes: Writes) throws -> ArticleID? {
        for address in [article.address, article.final].compactMap(\.self) {
            if let id = try writes.articleID(at: address.normalized, of: user) { return id }
        }
        return nil
    }

    private static func sentence(_ warnings: [String]) -> String? {
        warnings.isEmpty ? nil : warnings.joined(separator: " ")
    }

    /// Applies a row completely or not at all. Rejects a row that violates the schema, or it would block the others
    /// forever.
    private func inSavepoint(_ writes: Writes, _ work: () throws -> Outcome) throws -> Outcome {
        do {
            var outcome = Outcome.duplicate
            try writes.database.inSavepoint {
                outcome = try work()
                return .commit
            }
            return outcome
        } catch RoostError.invalid(_, let why) {
            return .refused(why)
        } catch let error as DatabaseError
            where [ResultCode.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
        {
            return .refused("This entry contains something that can’t be saved.")
        }
    }

    private func insert(
        _ article: PreparedArticle, in writes: Writes
    ) throws -> (ArticleID, GistID?) {
        let draft = try ArticleDraft(
            url: article.address.text, title: article.hasTitle ? article.details.title : nil,
            category: article.details.category, tags: article.tags, source: "import")
        let isFetched = open.fetches && article.text == nil
        let id = try draft.save(
            for: user, fetching: isFetched ? .lowPriority : .never, imported: article, at: now, in: writes
        ).id
        let gist = try writes.indexingOnce(id) { try fill(id, with: article, in: writes) }
        return (id, gist)
    }

    private func fill(
        _ id: ArticleID, with article: PreparedArticle, in writes: Writes
    ) throws -> GistID? {
        if let final = article.final {
            try writes.setArticleAddress(final.text, of: id, by: user)
            try writes.setFinalURL(final, of: id)
        }
        if let text = article.text { try writes.insertImportedText(text, of: id, at: now) }
        // The file's fetch result counts if the page is not fetched now.
        if article.text != nil || !open.fetches,
            article.fetchedAt != nil || article.mediaType != nil || article.error != nil
        {
            try writes.setImportedFetch(of: id, article)
        }
        for highlight in article.highlights {
            try writes.insertHighlight(highlight.placed(in: id), by: user)
        }
        return try article.gist.map { try writes.insertGist($0, article: id, of: user) }
    }

    // MARK: Undoing

    /// Removes a part of what the import has added, and ends the import after the last part. Articles that the user has
    /// read or marked since stay.
    func undoChunk(in writes: Writes) throws {
        guard try writes.isImport(open.id, inState: "undoing") else { return }
        // Undo merges first, from the last row to the first: a row may have changed what an earlier one added.
        if try undoMerges(in: writes) { return }
        var removed = 0
        for row in try writes.addedImportRows(of: open.id) {
            let isInUse = try row.article.map { try writes.isArticle($0, usedSince: open.startedAt) } ?? false
            if !isInUse {
                if let gist = row.gist {
                    try writes.removeGist(gist, of: user, unchangedSince: open.startedAt)
                }
                if let article = row.article { try remove(article, in: writes) }
                removed += 1
            }
            try writes.setImportRow(row.number, of: open.id, isInUse ? "kept" : "removed")
        }
        try writes.addImportRemovals(open.id, removed)
        if try !writes.hasImportRows(open.id, inState: "added") {
            try writes.endImport(open.id, "undone", at: now)
        }
    }

    /// Restores a part of the merged articles. Returns false if none is left.
    private func undoMerges(in writes: Writes) throws -> Bool {
        let rows = try writes.mergedImportRows(of: open.id)
        for row in rows {
            // Skips unreadable rows, or undoing would never end.
            if let merge = row.merge, let article = row.article,
                let id = try writes.article(article, of: user)?.id
            {
                try writes.indexingOnce(id) {
                    try ArticleMerger(importer: self, id: id).undo(merge, in: writes)
                }
            }
            try writes.setImportMerge(nil, of: row.number, in: open.id)
        }
        return rows.count == ArticleImportStore.chunkRows
    }

    /// Hides the article from all lists; like all deleted articles it is erased later, in batches. Undo step 0 does not
    /// exist, so this cannot be undone.
    private func remove(_ id: ArticleID, in writes: Writes) throws {
        if try writes.article(id, of: user)?.id == id { try writes.hideArticles([id], undo: 0) }
    }
}
