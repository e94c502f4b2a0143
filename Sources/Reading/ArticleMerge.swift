import Foundation
import GRDB
import RoostSupport

/// What an import changed in an article that was in the list before, so that undoing the import can restore it.
struct ArticleMerge: Codable, Equatable {
    /// What a row of a file may change in `articles`.
    struct Columns: Codable, Equatable {
        var title: String
        var isTitleGiven: Bool
        var category: String
        var state: ArticleState
        var isFavorite: Bool
        var createdAt, savedAt: Double
        var archivedAt, publishedAt: Double?
        var author, language, excerpt, image: String?
    }

    /// A gist that was added, or to which a note was appended.
    struct Gist: Codable, Equatable {
        let id: GistID
        /// Nil if the import added the gist.
        let before: String?
        let after: String
        let wasEdited: Bool
    }

    /// A highlight without a note got one.
    struct Note: Codable, Equatable {
        let highlight, note: String
    }

    let before: Columns
    var after: Columns
    /// Added ones.
    var tags: [String] = []
    var highlights: [String] = []
    var notes: [Note] = []
    var gist: Gist?
    /// The fetch state of an article that got its text from the file.
    var fetchState: String?

    init(_ columns: Columns) { (before, after) = (columns, columns) }

    var isEmpty: Bool { self == ArticleMerge(before) }
}

/// Adds to an article what a row of a file knows of it, and takes that out again, within one transaction.
///
/// The article's own title, state and texts stay. Tags are united, empty fields are filled, the earlier times count, and
/// a note is appended to the one that exists.
struct ArticleMergeTransaction {
    let imports: ArticleImportTransaction
    let id: ArticleID

    private var reading: ReadingTransaction { imports.reading }
    private var user: UserID { imports.user }
    private var time: Double { reading.now.timeIntervalSince1970 }

    // MARK: Merging

    /// Empty if the article already has all of it.
    ///
    /// - Parameter isOwn: whether another row of the same file added the article; its states are united then
    func merge(
        _ row: PreparedArticle, isOwn: Bool
    ) throws -> (change: ArticleMerge, remarks: [String]) {
        var merge = ArticleMerge(try columns())
        var remarks: [String] = []
        let item = try reading.known(id, of: user).item
        merge.after = united(merge.before, row, item, isOwn: isOwn)
        try addTags(row.tags, to: item, &merge, &remarks)
        // An address that was fetched may be a PDF: no text of a file takes its place.
        if let text = row.text, try reading.finalURL(of: id) == nil, try reading.body(of: id) == nil {
            merge.fetchState = try fetchState()
            try addText(text)
        }
        try addHighlights(row.highlights, &merge)
        if let gist = row.gist { try add(gist, isOwn: isOwn, &merge, &remarks) }
        if !merge.isEmpty { try save(merge.after, over: merge.before) }
        return (merge, remarks)
    }

    private func united(
        _ columns: ArticleMerge.Columns, _ row: PreparedArticle, _ item: ArticleItem, isOwn: Bool
    ) -> ArticleMerge.Columns {
        var columns = columns
        if let title = row.title, !columns.isTitleGiven, columns.title == item.article.url {
            (columns.title, columns.isTitleGiven) = (title, row.isTitleGiven)
        }
        if columns.category == Article.standardCategory { columns.category = row.category }
        columns.isFavorite = columns.isFavorite || row.isFavorite
        if isOwn, row.state == .unread { (columns.state, columns.archivedAt) = (.unread, nil) }
        if row.isDated {
            columns.createdAt = min(columns.createdAt, row.createdAt.timeIntervalSince1970)
            columns.savedAt = min(columns.savedAt, row.savedAt.timeIntervalSince1970)
        }
        columns.publishedAt = columns.publishedAt ?? row.publishedAt?.timeIntervalSince1970
        columns.author = columns.author ?? row.author
        columns.language = columns.language ?? row.language
        columns.excerpt = columns.excerpt ?? row.excerpt
        columns.image = columns.image ?? row.image
        return columns
    }

    private func addTags(
        _ tags: [String], to item: ArticleItem, _ merge: inout ArticleMerge, _ remarks: inout [String]
    ) throws {
        let united = ReadingTransaction.union(item.tags, tags)
        let known = Set(united.map(ArticleRules.folded))
        if tags.contains(where: { !known.contains(ArticleRules.folded($0)) }) {
            remarks.append(
                "An article has \(ArticleRules.maximumTags) tags at most. The others were left out.")
        }
        guard united != item.tags else { return }
        merge.tags = Array(united.dropFirst(item.tags.count))
        try reading.setTags(united, of: id)
    }

    private func addHighlights(_ highlights: [Highlight], _ merge: inout ArticleMerge) throws {
        guard !highlights.isEmpty else { return }
        let existing = try reading.highlights(of: id)
        var byQuote = Dictionary(existing.map { (Self.words($0.quote), $0) }) { first, _ in first }
        var (added, noted): ([Highlight], [(Highlight, note: String)]) = ([], [])
        for highlight in highlights {
            let words = Self.words(highlight.quote)
            if let other = byQuote[words] {
                guard other.note.isEmpty, !highlight.note.isEmpty, existing.contains(other) else { continue }
                byQuote[words]?.note = highlight.note
                noted.append((other, highlight.note))
            } else {
                byQuote[words] = highlight
                added.append(highlight.placed(in: id))
            }
        }
        guard !added.isEmpty || !noted.isEmpty else { return }
        try reading.indexingOnce(id) {
            for highlight in added { try reading.insert(highlight, by: user) }
            for (highlight, note) in noted { try reading.setNote(note, of: highlight) }
        }
        if !added.isEmpty { try reading.relocateHighlights(of: id) }
        merge.highlights = added.map(\.id)
        merge.notes = noted.map { .init(highlight: $0.0.id, note: $0.note) }
    }

    private func addText(_ text: PreparedArticle.Text) throws {
        try reading.execute(
            "INSERT INTO article_texts (article_id, text, markup) VALUES (?, ?, ?)",
            [id, text.text, text.markup])
        try reading.execute(
            """
            UPDATE articles SET fetch_state = 'fetched', error = NULL, error_status = NULL, fetched_at = ?,
                media_type = 'text/html', kind = ?, word_count = ?, length_key = ?, reverse_length_key = ?
            WHERE id = ?
            """, [time, text.kind, text.wordCount, text.wordCount, text.wordCount, id])
    }

    /// Other programs change the white space of a quotation.
    private static func words(_ quote: String) -> String { quote.words.joined(separator: " ") }

    private func add(
        _ gist: PreparedGist, isOwn: Bool, _ merge: inout ArticleMerge, _ remarks: inout [String]
    ) throws {
        guard let existing = try GistTransaction(reading).gist(of: id) else {
            let new = try imports.insert(gist, of: id)
            merge.gist = .init(id: new, before: nil, after: gist.content, wasEdited: false)
            return
        }
        guard !existing.content.containsBytes(gist.content) else { return }
        guard gist.method == .own else {
            remarks.append("The gist was left out: the article has one.")
            return
        }
        let content = existing.content + "\n\n" + gist.content
        guard content.unicodeScalars.count <= ArticleRules.maximumGistLength else {
            remarks.append("The note was left out: it does not fit in the article's gist.")
            return
        }
        // An import's own gist stays as old as the file says: undo keeps what the user has changed since.
        try setGist(
            content, isEdited: true, updatedAt: isOwn ? existing.updatedAt : later(than: existing),
            of: existing.id)
        merge.gist = .init(
            id: existing.id, before: existing.content, after: content, wasEdited: existing.isEdited)
    }

    // MARK: Undoing

    /// Restores what the user has not changed since.
    func undo(_ merge: ArticleMerge) throws {
        var columns = try columns()
        func restore<Value: Equatable>(_ path: WritableKeyPath<ArticleMerge.Columns, Value>) {
            if columns[keyPath: path] == merge.after[keyPath: path] {
                columns[keyPath: path] = merge.before[keyPath: path]
            }
        }
        let now = columns
        restore(\.title)
        restore(\.isTitleGiven)
        restore(\.category)
        restore(\.state)
        restore(\.isFavorite)
        restore(\.createdAt)
        restore(\.savedAt)
        restore(\.archivedAt)
        restore(\.publishedAt)
        restore(\.author)
        restore(\.language)
        restore(\.excerpt)
        restore(\.image)
        try save(columns, over: now)
        if !merge.tags.isEmpty {
            let added = Set(merge.tags.map(ArticleRules.folded))
            let tags = try reading.known(id, of: user).item.tags
            try reading.setTags(tags.filter { !added.contains(ArticleRules.folded($0)) }, of: id)
        }
        for highlight in try reading.highlights(of: id) {
            if merge.highlights.contains(highlight.id), highlight.updatedAt <= imports.startedAt {
                try reading.remove(highlight)
            } else if merge.notes.contains(.init(highlight: highlight.id, note: highlight.note)) {
                try reading.setNote("", of: highlight)
            }
        }
        if let gist = merge.gist { try undo(gist) }
        if let state = merge.fetchState { try removeText(fetchState: state) }
    }

    private func undo(_ merge: ArticleMerge.Gist) throws {
        guard let gist = try GistTransaction(reading).gist(of: id), gist.id == merge.id,
            gist.content == merge.after
        else { return }
        if let before = merge.before {
            try setGist(before, isEdited: merge.wasEdited, updatedAt: later(than: gist), of: gist.id)
        } else {
            try reading.execute("DELETE FROM gists WHERE id = ?", [gist.id])
        }
    }

    /// A text that was fetched since stays.
    private func removeText(fetchState: String) throws {
        try reading.execute(
            """
            UPDATE articles SET fetch_state = ?, fetched_at = NULL, kind = NULL, word_count = NULL,
                length_key = 1000000000, reverse_length_key = 0
            WHERE id = ? AND final_url IS NULL AND fetch_state = 'fetched'
            """, [fetchState, id])
        guard reading.database.changesCount > 0 else { return }
        try reading.execute("DELETE FROM article_texts WHERE article_id = ?", [id])
    }

    // MARK: Columns

    private func columns() throws -> ArticleMerge.Columns {
        let row = try Row.fetchOne(
            reading.database.cachedStatement(
                sql: """
                    SELECT title, title_is_given, category, state, is_favorite, created_at, saved_at, archived_at,
                        published_at, author, language, excerpt, image_url
                    FROM articles WHERE id = ?
                    """), arguments: [id])
        guard let row else { throw ReadingTransaction.isUnknown }
        return ArticleMerge.Columns(
            title: try row.text("title"), isTitleGiven: try row.number("title_is_given", in: 0...1) == 1,
            category: try row.text("category"), state: try row.choice("state"),
            isFavorite: try row.number("is_favorite", in: 0...1) == 1,
            createdAt: try row.value("created_at"), savedAt: try row.value("saved_at"),
            archivedAt: try row.value("archived_at"), publishedAt: try row.value("published_at"),
            author: try row.textIfPresent("author"), language: try row.textIfPresent("language"),
            excerpt: try row.textIfPresent("excerpt"), image: try row.textIfPresent("image_url"))
    }

    private func save(_ columns: ArticleMerge.Columns, over former: ArticleMerge.Columns) throws {
        if columns.title != former.title || columns.isTitleGiven != former.isTitleGiven {
            try reading.setTitle(columns.title, of: id, isGiven: columns.isTitleGiven)
        }
        try reading.execute(
            """
            UPDATE articles SET category = ?, state = ?, is_favorite = ?, created_at = ?, saved_at = ?,
                archived_at = ?, published_at = ?, author = ?, language = ?, excerpt = ?, image_url = ?,
                updated_at = max(?, updated_at + 0.001)
            WHERE id = ?
            """,
            [
                columns.category, columns.state.rawValue, columns.isFavorite, columns.createdAt,
                columns.savedAt, columns.archivedAt, columns.publishedAt, columns.author, columns.language,
                columns.excerpt, columns.image, time, id,
            ])
    }

    private func fetchState() throws -> String? {
        try String.fetchOne(
            reading.database.cachedStatement(sql: "SELECT fetch_state FROM articles WHERE id = ?"),
            arguments: [id])
    }

    /// Never the same time as before: it tells one version from the next.
    private func later(than gist: GistRecord) -> Date { max(reading.now, gist.updatedAt + 0.001) }

    private func setGist(_ content: String, isEdited: Bool, updatedAt: Date, of id: GistID) throws {
        try reading.execute(
            """
            UPDATE gists SET content = ?, is_edited = ?, model_length = NULL, model_text = NULL, updated_at = ?
            WHERE id = ?
            """, [content, isEdited, updatedAt.timeIntervalSince1970, id])
    }
}
