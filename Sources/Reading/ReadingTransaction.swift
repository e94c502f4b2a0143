import ArticleText
import Foundation
import GRDB
import RoostSupport

/// A save whose fields were checked.
struct CheckedArticle: Sendable {
    let address: ArticleAddress
    /// As it was given.
    let url: String
    let title: String?
    let isTitleOthers: Bool
    let category: String?
    let tags: [String]
    let autoCreateGist: Bool
    let html: [UInt8]?
    let source: String?

    /// Throws `RoostError.invalid` in words.
    init(_ request: NewArticle) throws {
        address = try ArticleAddress(request.url)
        url = address.text
        title = try ArticleRules.title(request.title)
        isTitleOthers = request.isTitleOthers
        category = try request.category.flatMap { $0.isBlank ? nil : try ArticleRules.category($0) }
        tags = try ArticleRules.tags(request.tags)
        autoCreateGist = request.autoCreateGist
        if let html = request.html, html.count > Self.maximumHTMLBytes {
            throw RoostError.invalid(field: "html", why: "A page has 5 MB at most.")
        }
        html = request.html.flatMap { $0.isEmpty ? nil : $0 }
        source = ArticleRules.strangers(request.source, maximumLength: 60)
    }

    static let maximumHTMLBytes = 5 << 20
}

/// What is done to the reading lists within one transaction.
struct ReadingTransaction {
    /// How the text of a saved page is to come.
    enum Fetching: Sendable {
        /// Before all imports.
        case soon
        case afterOthers
        /// It stays a link until somebody asks for its text.
        case never
    }

    let database: GRDB.Database
    let now: Date

    static let isUnknown = RoostError.notFound("There is no such article.")

    private var time: Double { now.timeIntervalSince1970 }

    /// The same, so many seconds later.
    func later(by seconds: TimeInterval) -> ReadingTransaction {
        ReadingTransaction(database: database, now: now + seconds)
    }

    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    // MARK: Looking

    /// Nil for what is not in the user's list; the article that it became where it turned out to be another one.
    func record(_ id: ArticleID, of user: UserID) throws -> ArticleRecord? {
        if let found = try records([id], of: user).first { return found }
        let merged = try ArticleID.fetchOne(
            database.cachedStatement(
                sql: "SELECT article_id FROM article_merges WHERE former_id = ? AND user_id = ?"),
            arguments: [id, user])
        return try merged.flatMap { try records([$0], of: user).first }
    }

    func known(_ id: ArticleID, of user: UserID) throws -> ArticleRecord {
        guard let record = try record(id, of: user) else { throw Self.isUnknown }
        return record
    }

    /// In the order of the ids.
    func records(_ ids: [ArticleID], of user: UserID) throws -> [ArticleRecord] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(ArticleRecord.columns)
                    FROM json_each(?) AS wanted CROSS JOIN articles AS a ON a.id = wanted.value
                    WHERE a.user_id = ? ORDER BY wanted.key
                    """), arguments: [ids.jsonArray, user]
        ).readable(ArticleRecord.init)
    }

    /// The article that was saved as this address, or was fetched from it, or has the place in its text that the fragment
    /// of the address names.
    func article(at normalized: String, of user: UserID) throws -> ArticleID? {
        let known = try ArticleID.fetchOne(
            database.cachedStatement(
                sql: "SELECT article_id FROM article_addresses WHERE user_id = ? AND address = ?"),
            arguments: [user, normalized])
        guard known == nil, normalized.containsBytes("#"), let address = try? ArticleAddress(normalized),
            let fragment = address.documentFragment,
            let id = try article(at: address.normalizedPage, of: user),
            let name = AddressText.place(
                fragment.removingPercentEncoding ?? fragment, prefix: ArticlePolicy.prefix),
            try body(of: id)?.markup.containsBytes(" id=\"\(name)\"") == true
        else { return known }
        return id
    }

    func finalURL(of id: ArticleID) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT final_url FROM articles WHERE id = ?"), arguments: [id])
    }

    func body(of id: ArticleID) throws -> (text: String, markup: String)? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT text, markup FROM article_texts WHERE article_id = ?"),
            arguments: [id]
        ).map {
            (
                try $0.text("text", maximumBytes: ReadingStore.maximumTextBytes),
                try $0.text("markup", maximumBytes: ReadingStore.maximumTextBytes)
            )
        }
    }

    // MARK: Saving

    /// Adds the article, or brings the one that is known under its address to the top of the list.
    ///
    /// - Parameter savedAt: an import's; nil: now
    func save(
        _ article: CheckedArticle, by user: UserID, fetching: Fetching = .soon, savedAt: Date? = nil,
        createdAt: Date? = nil
    ) throws -> (id: ArticleID, isNew: Bool) {
        let normalized = article.address.normalized
        if let id = try self.article(at: normalized, of: user) {
            // An import finds what is there and leaves it where it is.
            try savedAgain(id, article, by: user, movesUp: savedAt == nil, fetching: fetching)
            return (id, false)
        }
        let count = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT coalesce(sum(count), 0) FROM reading_counts WHERE user_id = ? AND kind = 'state'"
            ),
            arguments: [user])
        guard (count ?? 0) < ReadingService.maximumArticles else {
            throw RoostError.invalid(
                field: "url", why: "The list is full: it holds 250,000 articles. Delete some first.")
        }
        let title = article.title ?? article.url
        // Another article may have been fetched from it once.
        try execute(
            "UPDATE articles SET normalized_url = 'article:' || id WHERE user_id = ? AND normalized_url = ?",
            [user, normalized])
        try execute(
            """
            INSERT INTO articles (owner_id, user_id, given_url, normalized_url, title, title_key, title_is_given,
                category, site, created_at, updated_at, saved_at, auto_create_gist, source_application, fetch_state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user, user, article.url, normalized, title, ArticleRules.titleKey(title),
                article.title != nil,
                article.category ?? Article.standardCategory, article.address.site,
                (createdAt ?? savedAt ?? now).timeIntervalSince1970, time,
                (savedAt ?? now).timeIntervalSince1970, article.autoCreateGist, article.source,
                fetching == .never && article.html == nil ? "link" : "waiting",
            ])
        let id = database.lastInsertedRowID
        try know(normalized, as: id, of: user)
        try setTags(article.tags, of: id)
        if fetching != .never || article.html != nil {
            try enqueue(
                id, by: user, url: article.url, title: article.title, source: article.source,
                html: article.html, isImport: fetching == .afterOthers)
        }
        return (id, true)
    }

    private func savedAgain(
        _ id: ArticleID, _ article: CheckedArticle, by user: UserID, movesUp: Bool, fetching: Fetching
    ) throws {
        let record = try known(id, of: user)
        if movesUp {
            try execute(
                """
                UPDATE articles SET saved_at = ?, updated_at = ?, state = 'unread', archived_at = NULL,
                    auto_create_gist = max(auto_create_gist, ?)
                WHERE id = ?
                """, [time, time, article.autoCreateGist && record.item.article.gistId == nil, id])
        }
        if let title = article.title, movesUp, !article.isTitleOthers {
            try setTitle(title, of: id, isGiven: true)
        }
        if let category = article.category,
            movesUp || record.item.article.category == Article.standardCategory
        {
            try execute("UPDATE articles SET category = ? WHERE id = ?", [category, id])
        }
        let tags = Self.union(record.item.tags, article.tags)
        if tags != record.item.tags { try setTags(tags, of: id) }
        let isMissing: Bool =
            switch record.item.fetchState {
            case .failed: true
            case .link(let type): type == "text/html" && fetching != .never
            case .waiting, .fetched: false
            }
        if article.html != nil || isMissing && movesUp {
            try enqueue(
                id, by: user, url: article.url, title: article.title, source: article.source,
                html: article.html, isImport: false)
        }
    }

    /// The tags, and behind them those of `more` that are new, as many as there may be.
    static func union(_ tags: [String], _ more: [String]) -> [String] {
        var known = Set(tags.map(ArticleRules.folded))
        let new = more.filter { known.insert(ArticleRules.folded($0)).inserted }
        return Array((tags + new).prefix(ArticleRules.maximumTags))
    }

    /// Notes an address of an article; false where it is another one's.
    @discardableResult
    func know(_ address: String, as id: ArticleID, of user: UserID) throws -> Bool {
        if let other = try article(at: address, of: user) { return other == id }
        try execute(
            "INSERT INTO article_addresses (user_id, address, article_id) VALUES (?, ?, ?)",
            [user, address, id])
        return true
    }

    func enqueue(
        _ id: ArticleID, by user: UserID, url: String, title: String? = nil, source: String? = nil,
        html: [UInt8]? = nil, isImport: Bool = false
    ) throws {
        // What waits already is done once; the latest page that a browser handed over counts.
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
                user, url, title, source, time, isImport, id, (try? ArticleAddress(url).host) ?? "",
                html.map { Data($0) },
            ])
        try execute(
            """
            UPDATE articles SET fetch_state = 'waiting', error = NULL, error_status = NULL
            WHERE id = ? AND fetch_state IN ('failed', 'link')
            """, [id])
    }

    // MARK: Changing

    func setTitle(_ title: String, of id: ArticleID, isGiven: Bool) throws {
        try execute(
            "UPDATE articles SET title = ?, title_key = ?, title_is_given = ? WHERE id = ?",
            [title, ArticleRules.titleKey(title), isGiven, id])
    }

    func setTags(_ tags: [String], of id: ArticleID) throws {
        try execute("DELETE FROM article_tags WHERE article_id = ?", [id])
        for (place, tag) in tags.enumerated() {
            try execute(
                """
                INSERT INTO article_tags (article_id, place, user_id, tag, folded, saved_at)
                SELECT id, ?, user_id, ?, ?, saved_at FROM articles WHERE id = ?
                """, [place, tag, ArticleRules.folded(tag), id])
        }
    }

    func noteOpened(_ id: ArticleID) throws {
        try execute("UPDATE articles SET opened_at = ? WHERE id = ?", [time, id])
    }

    /// What was checked already; throws `RoostError.conflict` where it was changed after `ifUpdatedAt`.
    func edit(
        _ id: ArticleID, _ change: ArticleChange, ifUpdatedAt: Date?, by user: UserID
    ) throws -> ArticleRecord {
        let record = try known(id, of: user)
        let id = record.item.id
        if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(record.item.updatedAt)) > 0.000_9 {
            throw RoostError.conflict(
                field: "updatedAt", why: "This article was changed meanwhile. Look at it before you save.")
        }
        if let title = change.title { try setTitle(title, of: id, isGiven: true) }
        if let category = change.category {
            try execute("UPDATE articles SET category = ? WHERE id = ?", [category, id])
        }
        if let tags = change.tags, tags != record.item.tags { try setTags(tags, of: id) }
        if let state = change.state, state != record.item.state {
            try execute(
                "UPDATE articles SET state = ?, archived_at = ? WHERE id = ?",
                [state.rawValue, state == .archived ? time : nil, id])
        }
        if let isFavorite = change.isFavorite {
            try execute("UPDATE articles SET is_favorite = ? WHERE id = ?", [isFavorite, id])
        }
        if let progress = change.progress {
            try execute(
                "UPDATE articles SET progress = ?, opened_at = ? WHERE id = ?",
                [min(1, max(0, progress)), time, id])
        }
        var others = change
        others.progress = nil
        if others != ArticleChange() {
            try execute("UPDATE articles SET updated_at = ? WHERE id = ?", [later(than: record.item), id])
        }
        return try known(id, of: user)
    }

    /// Never the same as before, however coarse or wrong the clock is: it tells one version from the next.
    private func later(than item: ArticleItem) -> Double {
        let last = item.updatedAt.timeIntervalSince1970
        return time > last ? time : ((last * 1_000).rounded() + 1) / 1_000
    }

    /// How many articles it concerned, and the number of the undo.
    func editMany(
        _ ids: [ArticleID], _ change: BulkArticleChange, by user: UserID
    ) throws -> (count: Int, undo: Int64?) {
        let wanted = ids.jsonArray
        let own = try ArticleID.fetchAll(
            database.cachedStatement(
                sql: "SELECT id FROM articles WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))"),
            arguments: [user, wanted])
        guard !own.isEmpty else { return (0, nil) }
        let undo = try beginUndo(of: user)
        if change.delete {
            try delete(own, undo: undo)
            return (own.count, undo)
        }
        let json = own.jsonArray
        try execute(
            """
            INSERT INTO reading_undo_steps (undo, step)
            SELECT ?, json_object('article', json_object('id', a.id, 'state', a.state, 'isFavorite', a.is_favorite,
                'category', a.category, 'archivedAt', a.archived_at, 'tags', json((
                    SELECT json_group_array(tag) FROM (
                        SELECT tag FROM article_tags WHERE article_id = a.id ORDER BY place)))))
            FROM json_each(?) AS wanted CROSS JOIN articles AS a ON a.id = wanted.value
            """, [undo, json])
        try execute(
            """
            UPDATE articles SET state = coalesce(:state, state), is_favorite = coalesce(:favorite, is_favorite),
                category = coalesce(:category, category), updated_at = max(:now, updated_at + 0.001),
                archived_at = CASE :state WHEN 'archived' THEN coalesce(archived_at, :now) WHEN 'unread' THEN NULL
                    ELSE archived_at END
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            [
                "state": change.state?.rawValue, "favorite": change.isFavorite, "category": change.category,
                "now": time, "ids": json,
            ])
        if !change.addTags.isEmpty || !change.removeTags.isEmpty {
            let removed = Set(change.removeTags.map(ArticleRules.folded))
            for record in try records(own, of: user) {
                let kept = record.item.tags.filter { !removed.contains(ArticleRules.folded($0)) }
                let tags = Self.union(kept, change.addTags)
                if tags != record.item.tags { try setTags(tags, of: record.item.id) }
            }
        }
        return (own.count, undo)
    }

    // MARK: Deleting and undoing

    /// They leave all lists at once, and the disk when it can no longer be undone.
    func delete(_ ids: [ArticleID], undo: Int64) throws {
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

    func beginUndo(of user: UserID) throws -> Int64 {
        try execute("INSERT INTO reading_undos (user_id, made_at) VALUES (?, ?)", [user, time])
        let id = database.lastInsertedRowID
        try execute(
            """
            DELETE FROM reading_undos WHERE user_id = ? AND id NOT IN (
                SELECT id FROM reading_undos WHERE user_id = ? ORDER BY id DESC LIMIT ?)
            """, [user, user, ReadingUndoStep.maximum])
        return id
    }

    func keep(_ step: ReadingUndoStep, in undo: Int64) throws {
        let json = String(decoding: try JSONEncoder().encode(step), as: UTF8.self)
        try execute("INSERT INTO reading_undo_steps (undo, step) VALUES (?, ?)", [undo, json])
    }

    /// - Parameter isGood: whether a change of that time can still be taken back
    func undo(_ id: Int64, by user: UserID, isGood: (Date) -> Bool) throws {
        let isOver = RoostError.notFound("This can no longer be undone.")
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT made_at FROM reading_undos WHERE id = ? AND user_id = ?"),
                arguments: [id, user]), isGood(try row.time("made_at"))
        else { throw isOver }
        try restore(deletedIn: id, of: user)
        let steps = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT step FROM reading_undo_steps WHERE undo = ? ORDER BY id"),
            arguments: [id]
        ).readable { try $0.json("step") as ReadingUndoStep }
        for step in steps { try takeBack(step, of: user) }
        try execute("DELETE FROM reading_undos WHERE id = ?", [id])
    }

    private func restore(deletedIn undo: Int64, of user: UserID) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, given_url, final_url, normalized_url, fetch_state FROM articles
                    WHERE deleted_in = ? AND owner_id = ? ORDER BY id
                    """), arguments: [undo, user])
        for row in rows {
            let id = try row.id("id")
            let normalized = try row.text("normalized_url")
            let given = try row.text("given_url")
            let addresses = [given, try row.textIfPresent("final_url")].compactMap { address in
                address.flatMap { try? ArticleAddress($0).normalized }
            }
            // Meanwhile it may have been saved again: then both become one.
            let other = try ([normalized] + addresses).lazy.compactMap { try article(at: $0, of: user) }.first
            if let other, try record(other, of: user) != nil {
                try execute(
                    "UPDATE articles SET normalized_url = ? WHERE id = ?", ["deleted:\(id)", id])
            }
            try execute("UPDATE articles SET user_id = owner_id, deleted_in = NULL WHERE id = ?", [id])
            if let other {
                try merge(id, into: other, of: user)
                continue
            }
            for address in [normalized] + addresses { try know(address, as: id, of: user) }
            if try row.text("fetch_state") == "waiting" { try enqueue(id, by: user, url: given) }
        }
    }

    private func takeBack(_ step: ReadingUndoStep, of user: UserID) throws {
        if let before = step.article, let record = try record(before.id, of: user) {
            try execute(
                """
                UPDATE articles SET state = ?, is_favorite = ?, category = ?, archived_at = ?, updated_at = ?
                WHERE id = ?
                """,
                [
                    before.state.rawValue, before.isFavorite, before.category, before.archivedAt,
                    later(than: record.item), record.item.id,
                ])
            if before.tags != record.item.tags { try setTags(before.tags, of: record.item.id) }
        }
        // Its article may have turned out to be another one meanwhile.
        if let highlight = step.highlight, let article = try record(highlight.articleId, of: user)?.item.id {
            try insert(highlight.placed(in: article), by: user)
            if article != highlight.articleId { try relocateHighlights(of: article) }
        }
        if let gist = step.gist { try GistTransaction(self).restore(gist) }
        if let choice = step.newText { try ArticleVersions(self).takeBack(choice, of: user) }
    }

    /// Forgets what can no longer be undone, and removes some of the articles that were deleted then; true where more
    /// are left.
    func removeOld(before date: Date, except good: [Int64]) throws -> Bool {
        try execute(
            """
            DELETE FROM reading_undos WHERE (made_at < ? OR made_at > ?)
                AND id NOT IN (SELECT value FROM json_each(?))
            """, [date.timeIntervalSince1970, time + ClockSkew.tolerance, good.jsonArray])
        try execute(
            """
            DELETE FROM articles WHERE id IN (
                SELECT id FROM articles WHERE deleted_in IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM reading_undos WHERE reading_undos.id = deleted_in) LIMIT 20)
            """, [])
        return database.changesCount > 0
    }

    /// Indexes the words of an article once, after all of the work, and not after each row of it.
    func indexingOnce<Value>(_ id: ArticleID, _ work: () throws -> Value) throws -> Value {
        try execute("INSERT INTO reading_search_held (article_id) VALUES (?)", [id])
        let value = try work()
        try execute("DELETE FROM reading_search_held WHERE article_id = ?", [id])
        return value
    }

    // MARK: Two that are one

    /// Moves all that a user has written beside one article to another, and removes the former.
    func merge(_ former: ArticleID, into id: ArticleID, of user: UserID) throws {
        guard former != id, let old = try record(former, of: user)?.item,
            let kept = try record(id, of: user)?.item,
            old.id != kept.id
        else { return }
        try indexingOnce(old.id) { try indexingOnce(kept.id) { try merge(old, into: kept, of: user) } }
    }

    private func merge(_ old: ArticleItem, into kept: ArticleItem, of user: UserID) throws {
        let tags = Self.union(kept.tags, old.tags)
        if tags != kept.tags { try setTags(tags, of: kept.id) }
        let isUnread = old.state == .unread || kept.state == .unread
        try execute(
            """
            UPDATE articles SET saved_at = ?, created_at = ?, is_favorite = ?, progress = ?, state = ?,
                archived_at = CASE WHEN ? THEN NULL ELSE archived_at END,
                category = ?, updated_at = ?,
                auto_create_gist = max(auto_create_gist, (SELECT auto_create_gist FROM articles WHERE id = ?)),
                opened_at = coalesce(opened_at, (SELECT opened_at FROM articles WHERE id = ?))
            WHERE id = ?
            """,
            [
                max(old.savedAt, kept.savedAt).timeIntervalSince1970,
                min(old.article.createdAt ?? now, kept.article.createdAt ?? now).timeIntervalSince1970,
                old.isFavorite || kept.isFavorite, max(old.progress, kept.progress),
                (isUnread ? ArticleState.unread : .archived).rawValue, isUnread,
                kept.article.category == Article.standardCategory
                    ? old.article.category : kept.article.category,
                later(than: kept), old.id, old.id, kept.id,
            ])
        let isGiven = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT former.title_is_given AND NOT kept.title_is_given FROM articles AS former, articles AS kept
                    WHERE former.id = ? AND kept.id = ?
                    """), arguments: [old.id, kept.id])
        if isGiven == true { try setTitle(old.article.title, of: kept.id, isGiven: true) }
        if try body(of: kept.id) == nil, let body = try body(of: old.id) {
            try execute(
                "INSERT INTO article_texts (article_id, text, markup) VALUES (?, ?, ?)",
                [kept.id, body.text, body.markup])
            try execute(
                """
                UPDATE articles SET (final_url, canonical_url, author, published_at, language, kind, word_count,
                    length_key, reverse_length_key, image_url, excerpt, fetch_state, error, fetched_at) = (
                    SELECT final_url, canonical_url, author, published_at, language, kind, word_count,
                        length_key, reverse_length_key, image_url, excerpt, fetch_state, error, fetched_at
                    FROM articles WHERE id = ?)
                WHERE id = ?
                """, [old.id, kept.id])
            try execute(
                "UPDATE article_new_texts SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        }
        try execute("UPDATE article_highlights SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        if kept.article.gistId == nil {
            try execute("UPDATE gists SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        }
        try execute("UPDATE article_addresses SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        try execute("UPDATE article_merges SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        try execute("UPDATE shared_items SET article_id = ? WHERE article_id = ?", [kept.id, old.id])
        try execute(
            "INSERT INTO article_merges (former_id, user_id, article_id) VALUES (?, ?, ?)",
            [old.id, user, kept.id])
        try execute("DELETE FROM articles WHERE id = ?", [old.id])
        if try body(of: kept.id) != nil { try relocateHighlights(of: kept.id) }
    }

    // MARK: Highlights

    static func highlight(_ row: Row) throws -> Highlight {
        Highlight(
            id: try row.text("id"), articleId: try row.id("article_id"),
            start: try row.number("start_offset", in: 0...Int(Int32.max)),
            end: try row.number("end_offset", in: 0...Int(Int32.max)),
            quote: try row.text("quote", maximumBytes: 8 * ArticleRules.maximumQuoteLength),
            before: try row.text("before"), after: try row.text("after"),
            note: try row.text("note", maximumBytes: 8 * ArticleRules.maximumNoteLength),
            createdAt: try row.time("created_at"), updatedAt: try row.time("updated_at"))
    }

    func highlights(of id: ArticleID) throws -> [Highlight] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM article_highlights WHERE article_id = ? ORDER BY start_offset, id"),
            arguments: [id]
        ).readable(Self.highlight)
    }

    func insert(_ highlight: Highlight, by user: UserID) throws {
        try execute(
            """
            INSERT INTO article_highlights (id, article_id, user_id, start_offset, end_offset, quote, before, after,
                note, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                highlight.id, highlight.articleId, user, highlight.start, highlight.end, highlight.quote,
                highlight.before, highlight.after, highlight.note,
                highlight.createdAt.timeIntervalSince1970, highlight.updatedAt.timeIntervalSince1970,
            ])
    }

    /// Throws `RoostError.notFound`.
    func highlight(_ id: String, of article: ArticleID, by user: UserID) throws -> Highlight {
        let article = try known(article, of: user).item.id
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT * FROM article_highlights WHERE id = ? AND article_id = ?"),
                arguments: [id.lowercased(), article])
        else { throw RoostError.notFound("There is no such highlight.") }
        return try Self.highlight(row)
    }

    func setNote(_ note: String, of highlight: Highlight) throws {
        // Never the same time as before: it tells one version from the next.
        try execute(
            "UPDATE article_highlights SET note = ?, updated_at = max(?, updated_at + 0.001) WHERE id = ?",
            [note, time, highlight.id])
    }

    func remove(_ highlight: Highlight) throws {
        try execute("DELETE FROM article_highlights WHERE id = ?", [highlight.id])
    }

    /// Finds each passage again in a text that has changed; what is not there any more keeps its words, and no place.
    func relocateHighlights(of id: ArticleID) throws {
        let highlights = try highlights(of: id)
        guard !highlights.isEmpty, let body = try body(of: id) else { return }
        let text = MarkupText(CleanMarkup(cleaned: body.markup))
        for highlight in highlights {
            let place = text.place(of: highlight) ?? 0..<0
            guard place.lowerBound != highlight.start || place.upperBound != highlight.end else { continue }
            try execute(
                "UPDATE article_highlights SET start_offset = ?, end_offset = ? WHERE id = ?",
                [place.lowerBound, place.upperBound, highlight.id])
        }
    }

    // MARK: Choices

    func setPreferences(_ preferences: ReadingPreferences, of user: UserID) throws {
        let json = String(decoding: try JSONEncoder().encode(preferences), as: UTF8.self)
        try execute(
            """
            INSERT INTO reading_choices (user_id, preferences) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET preferences = excluded.preferences
            """, [user, json])
    }
}
