import ArticleText
import Foundation
import GRDB
import RoostSupport
import TextFormats

extension Reads {
    /// Returns nil if the article isn't in the user's list. Follows merges to the remaining article.
    func article(_ id: ArticleID, of user: UserID) throws -> ArticleItem? {
        if let found = try articles([id], of: user).first { return found }
        let merged = try database.value(
            ArticleID.self, "SELECT article_id FROM article_merges WHERE former_id = ? AND user_id = ?",
            [id, user])
        return try merged.flatMap { try articles([$0], of: user).first }
    }

    func requiredArticle(_ id: ArticleID, of user: UserID) throws -> ArticleItem {
        guard let article = try article(id, of: user) else { throw ReadingStore.unknownArticle }
        return article
    }

    func articles(_ ids: [ArticleID], of user: UserID) throws -> [ArticleItem] {
        try database.rows(
            """
            SELECT \(ArticleItem.selection)
            FROM json_each(?) AS wanted CROSS JOIN articles AS a ON a.id = wanted.value
            WHERE a.user_id = ? ORDER BY wanted.key
            """, [ids.jsonArray, user]
        ).readable { try ArticleItem($0) }
    }

    /// The articles of `ids` that are in the user's list.
    func articleIDs(_ ids: [ArticleID], of user: UserID) throws -> [ArticleID] {
        try database.values(
            ArticleID.self,
            "SELECT id FROM articles WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))",
            [user, ids.jsonArray])
    }

    func articleCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self,
            "SELECT coalesce(sum(count), 0) FROM reading_counts WHERE user_id = ? AND kind = 'state'", [user])
            ?? 0
    }

    /// Returns the article saved as or fetched from this address, or the one whose text has the position that the
    /// fragment names.
    func articleID(at normalized: String, of user: UserID) throws -> ArticleID? {
        let registered = try database.value(
            ArticleID.self, "SELECT article_id FROM article_addresses WHERE user_id = ? AND address = ?",
            [user, normalized])
        guard registered == nil, normalized.containsBytes("#"), let address = try? ArticleAddress(normalized),
            let fragment = address.documentFragment,
            let id = try articleID(at: address.normalizedPage, of: user),
            let name = AddressText.elementID(
                PercentEncoding.decoded(fragment), prefix: ArticlePolicy.prefix),
            try articleBody(of: id)?.markup.containsBytes(" id=\"\(name)\"") == true
        else { return registered }
        return id
    }

    func articleBody(of id: ArticleID) throws -> (text: String, markup: String)? {
        // A cursor, because a copied row would hold both long texts once more.
        let rows = try database.cursor("SELECT text, markup FROM article_texts WHERE article_id = ?", [id])
        return try rows.next().map {
            (
                try $0.text("text", maximumBytes: ReadingStore.maximumTextBytes),
                try $0.text("markup", maximumBytes: ReadingStore.maximumTextBytes)
            )
        }
    }

    /// The readers' comments of the article's page, as markup.
    func articleComments(of id: ArticleID) throws -> String? {
        let rows = try database.cursor("SELECT comments FROM article_texts WHERE article_id = ?", [id])
        return try rows.next().flatMap {
            try $0.textIfPresent("comments", maximumBytes: ReadingStore.maximumTextBytes)
        }
    }
}

extension Writes {
    func insertArticle(
        _ draft: ArticleDraft, _ details: ArticleDetails, of user: UserID, isWaiting: Bool, at now: Date
    ) throws -> ArticleID {
        let normalized = draft.address.normalized
        // Another article may once have been fetched from this address.
        try execute(
            "UPDATE articles SET normalized_url = 'article:' || id WHERE user_id = ? AND normalized_url = ?",
            [user, normalized])
        let id = try insert(
            details, into: "articles",
            keys: [
                "owner_id": user, "user_id": user, "given_url": draft.address.text,
                "normalized_url": normalized, "site": draft.address.site,
                "updated_at": now.stored, "auto_create_gist": draft.autoCreateGist,
                "source_application": draft.source, "fetch_state": isWaiting ? "waiting" : "link",
            ])
        try registerAddress(normalized, as: id, of: user)
        try setArticleTags(draft.tags, of: id)
        return id
    }

    /// Marks the article as unread and new.
    func moveArticleToTop(_ id: ArticleID, requestingGist: Bool, at now: Date) throws {
        let time = now.stored
        try execute(
            """
            UPDATE articles SET saved_at = ?, updated_at = ?, state = 'unread', archived_at = NULL,
                auto_create_gist = max(auto_create_gist, ?)
            WHERE id = ?
            """, [time, time, requestingGist, id])
    }

    /// Registers an address of an article. Returns false if it belongs to another one.
    @discardableResult
    func registerAddress(_ address: String, as id: ArticleID, of user: UserID) throws -> Bool {
        if let other = try articleID(at: address, of: user) { return other == id }
        try execute(
            "INSERT INTO article_addresses (user_id, address, article_id) VALUES (?, ?, ?)",
            [user, address, id])
        return true
    }

    func enqueueArticle(
        _ id: ArticleID, by user: UserID, url: String, title: String? = nil, source: String? = nil,
        html: [UInt8]? = nil, isImport: Bool = false, at now: Date
    ) throws {
        // Replaces a waiting job; a page sent by the browser is only replaced by a newer one.
        try execute(
            """
            DELETE FROM shared_items
            WHERE article_id = ? AND processed = 0 AND shared_with IS NULL AND (html IS NULL OR ?)
            """, [id, html != nil])
        try execute(
            """
            INSERT INTO shared_items (user_id, url, title, source_application, created_at, is_import, article_id,
                host, html)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user, url, title, source, now.stored, isImport, id,
                (try? ArticleAddress(url).host) ?? "",
                html.map { Data($0) },
            ])
        try execute(
            """
            UPDATE articles SET fetch_state = 'waiting', error = NULL, error_status = NULL
            WHERE id = ? AND fetch_state IN ('failed', 'link')
            """, [id])
    }

    /// Writes the details that are new.
    func setDetails(_ details: ArticleDetails, of item: ArticleItem) throws {
        try update("articles", from: item.details, to: details, where: "id = ?", [item.id])
    }

    func setArticleTags(_ tags: [String], of id: ArticleID) throws {
        try execute("DELETE FROM article_tags WHERE article_id = ?", [id])
        for (index, tag) in tags.enumerated() {
            try execute(
                """
                INSERT INTO article_tags (article_id, place, user_id, tag, folded, saved_at)
                SELECT id, ?, user_id, ?, ?, saved_at FROM articles WHERE id = ?
                """, [index, tag, ArticleRules.folded(tag), id])
        }
    }

    func noteArticleOpened(_ id: ArticleID, at now: Date) throws {
        try execute("UPDATE articles SET opened_at = ? WHERE id = ?", [now.stored, id])
    }

    /// The change must have been checked.
    func editArticle(_ item: ArticleItem, _ change: ArticleChange, at now: Date) throws {
        var details = item.details
        details.apply(change, at: now)
        try setDetails(details, of: item)
        if let tags = change.tags, tags != item.tags { try setArticleTags(tags, of: item.id) }
        var withoutProgress = change
        withoutProgress.progress = nil
        if withoutProgress != ArticleChange() {
            try execute(
                "UPDATE articles SET updated_at = ? WHERE id = ?",
                [laterTime(than: item, at: now).stored, item.id])
        }
    }

    func editArticles(_ ids: [ArticleID], _ change: BulkArticleChange, at now: Date) throws {
        let columns = change.columns
        var assignments = columns.names.map { "\($0) = ?" } + ["updated_at = max(?, updated_at + 0.001)"]
        var arguments = StatementArguments(columns.names.map { columns[$0] })
        arguments += [now.stored]
        switch change.state {
        case .archived?:
            assignments.append("archived_at = coalesce(archived_at, ?)")
            arguments += [now.stored]
        case .unread?: assignments.append("archived_at = NULL")
        case nil: break
        }
        try execute(
            """
            UPDATE articles SET \(assignments.joined(separator: ", "))
            WHERE id IN (SELECT value FROM json_each(?))
            """, arguments + [ids.jsonArray])
    }

    /// Always later than before, even if the clock is coarse or wrong, because the time identifies the version.
    func laterTime(than item: ArticleItem, at now: Date) -> Date {
        let next = ((item.updatedAt.timeIntervalSince1970 * 1_000).rounded() + 1) / 1_000
        return now > item.updatedAt ? now : Date(timeIntervalSince1970: next)
    }

    /// Removes the articles from all lists. They are erased once this can no longer be undone.
    func hideArticles(_ ids: [ArticleID], undo: UndoID) throws {
        let json = ids.jsonArray
        try execute(
            "DELETE FROM article_addresses WHERE article_id IN (SELECT value FROM json_each(?))", [json])
        try execute(
            """
            DELETE FROM shared_items WHERE processed = 0 AND shared_with IS NULL
                AND article_id IN (SELECT value FROM json_each(?))
            """, [json])
        try execute(
            "UPDATE articles SET user_id = NULL, deleted_in = ? WHERE id IN (SELECT value FROM json_each(?))",
            [undo, json])
    }

    /// Updates the article's search index once after the work, not after each row.
    func indexingOnce<Value>(_ id: ArticleID, _ work: () throws -> Value) throws -> Value {
        try execute("INSERT INTO reading_search_held (article_id) VALUES (?)", [id])
        let value = try work()
        try execute("DELETE FROM reading_search_held WHERE article_id = ?", [id])
        return value
    }

    /// Removes some of the articles whose deletion can no longer be undone. Returns true if more may be left.
    func removeDeletedArticles() throws -> Bool {
        try execute(
            """
            DELETE FROM articles WHERE id IN (
                SELECT id FROM articles WHERE deleted_in IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM undos WHERE undos.id = deleted_in) LIMIT 20)
            """, [])
        return database.changesCount > 0
    }

    // MARK: Merging

    /// Moves everything the user added from one article to another, and deletes the former.
    func mergeArticle(
        _ former: ArticleID, into id: ArticleID, of user: UserID, at now: Date
    ) throws {
        guard former != id, let old = try article(former, of: user), let target = try article(id, of: user),
            old.id != target.id
        else { return }
        try indexingOnce(old.id) {
            try indexingOnce(target.id) { try merge(old, into: target, of: user, at: now) }
        }
    }

    fileprivate func merge(_ old: ArticleItem, into target: ArticleItem, of user: UserID, at now: Date) throws
    {
        let tags = ArticleRules.union(target.tags, old.tags)
        if tags != target.tags { try setArticleTags(tags, of: target.id) }
        var details = target.details
        details.merge(old.details)
        try setDetails(details, of: target)
        try execute(
            """
            UPDATE articles SET updated_at = ?,
                auto_create_gist = max(auto_create_gist, (SELECT auto_create_gist FROM articles WHERE id = ?))
            WHERE id = ?
            """, [laterTime(than: target, at: now).stored, old.id, target.id])
        if try articleBody(of: target.id) == nil, try articleBody(of: old.id) != nil {
            try execute(
                """
                INSERT INTO article_texts (article_id, text, markup, comments)
                SELECT ?, text, markup, comments FROM article_texts WHERE article_id = ?
                """, [target.id, old.id])
            try execute(
                """
                UPDATE articles SET (final_url, canonical_url, author, published_at, language, kind, is_partial,
                    page_count, media_type, word_count, length_key, reverse_length_key, image_url, excerpt, fetch_state, error, fetched_at)
                    = (
                    SELECT final_url, canonical_url, author, published_at, language, kind, is_partial, page_count,
                        media_type, word_count,
                        length_key, reverse_length_key, image_url, excerpt, fetch_state, error, fetched_at
                    FROM articles WHERE id = ?)
                WHERE id = ?
                """, [old.id, target.id])
            try execute(
                "UPDATE article_new_texts SET article_id = ? WHERE article_id = ?", [target.id, old.id])
            try execute(
                "UPDATE OR IGNORE article_pictures SET article_id = ? WHERE article_id = ?",
                [target.id, old.id])
        }
        try execute("UPDATE article_highlights SET article_id = ? WHERE article_id = ?", [target.id, old.id])
        if target.gistId == nil {
            try execute("UPDATE gists SET article_id = ? WHERE article_id = ?", [target.id, old.id])
        }
        try execute("UPDATE article_addresses SET article_id = ? WHERE article_id = ?", [target.id, old.id])
        try execute("UPDATE article_merges SET article_id = ? WHERE article_id = ?", [target.id, old.id])
        try execute("UPDATE shared_items SET article_id = ? WHERE article_id = ?", [target.id, old.id])
        try execute(
            "INSERT INTO article_merges (former_id, user_id, article_id) VALUES (?, ?, ?)",
            [old.id, user, target.id])
        try execute("DELETE FROM articles WHERE id = ?", [old.id])
        if try articleBody(of: target.id) != nil { try relocateHighlights(of: target.id) }
    }
}
