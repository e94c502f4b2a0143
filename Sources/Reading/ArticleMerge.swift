import Foundation
import RoostSupport

/// The changes that an import made to an existing article, for undoing them.
struct ArticleMerge: Codable, Equatable {
    struct Gist: Codable, Equatable {
        let id: GistID
        /// Nil if the import added the gist.
        let before: String?
        let after: String
        let wasEdited: Bool
    }

    struct Note: Codable, Equatable {
        let highlight, note: String
    }

    /// The columns that changed.
    private(set) var before, after: StoredColumns
    var tags: [String] = []
    var highlights: [String] = []
    var notes: [Note] = []
    var gist: Gist?
    /// The previous fetch state, if the article got its text from the file.
    var fetchState: String?

    init(from before: ArticleDetails, to after: ArticleDetails) {
        let (old, new) = (StoredColumns(before), StoredColumns(after))
        self.before = old.filter { old[$0] != new[$0] }
        self.after = new.filter { old[$0] != new[$0] }
    }

    var isEmpty: Bool {
        before.isEmpty && tags.isEmpty && highlights.isEmpty && notes.isEmpty && gist == nil
            && fetchState == nil
    }

    /// The former values of the columns that have not been changed since.
    func restoring(_ details: ArticleDetails) -> StoredColumns {
        let current = StoredColumns(details)
        return before.filter { current[$0] == after[$0] }
    }
}

/// Merges a file's row into an existing article, and undoes that.
///
/// The article's own title, state and texts stay. Tags are united, empty fields are filled, the earlier times count,
/// and a note is appended to the existing one.
struct ArticleMerger {
    let importer: ArticleImporter
    let id: ArticleID

    private var user: UserID { importer.user }
    private var now: Date { importer.now }

    // MARK: Merging

    /// Returns an empty change if the article already has everything.
    ///
    /// - Parameter isOwn: whether another row of the same file added the article; their states are then united
    func merge(
        _ row: PreparedArticle, isOwn: Bool, in writes: Writes
    ) throws -> (change: ArticleMerge, warnings: [String]) {
        let item = try writes.requiredArticle(id, of: user)
        var details = item.details
        details.merge(imported: row, url: item.url, isOwn: isOwn)
        var merge = ArticleMerge(from: item.details, to: details)
        var warnings: [String] = []
        try addTags(row.tags, to: item, &merge, &warnings, in: writes)
        // A fetched address may be a PDF, which must not get the file's text.
        if let text = row.text, item.finalURL == nil,
            try writes.articleBody(of: id) == nil
        {
            merge.fetchState = try writes.articleFetchState(of: id)
            try writes.insertImportedText(text, of: id, at: now)
        }
        try addHighlights(row.highlights, &merge, in: writes)
        if let gist = row.gist { try add(gist, isOwn: isOwn, &merge, &warnings, in: writes) }
        if !merge.isEmpty {
            try writes.setDetails(details, of: item)
            try writes.touchArticle(id, at: now)
        }
        return (merge, warnings)
    }

    private func addTags(
        _ tags: [String], to item: ArticleItem, _ merge: inout ArticleMerge, _ warnings: inout [String],
        in writes: Writes
    ) throws {
        let united = ArticleRules.union(item.tags, tags)
        let unitedKeys = Set(united.map(ArticleRules.folded))
        if tags.contains(where: { !unitedKeys.contains(ArticleRules.folded($0)) }) {
            warnings.append(
                "An article can have up to \(ArticleRules.maximumTags) tags. The others were left out.")
        }
        guard united != item.tags else { return }
        merge.tags = Array(united.dropFirst(item.tags.count))
        try writes.setArticleTags(united, of: id)
    }

    private func addHighlights(
        _ highlights: [Highlight], _ merge: inout ArticleMerge, in writes: Writes
    ) throws {
        guard !highlights.isEmpty else { return }
        let existing = try writes.highlights(of: id)
        var byQuote = Dictionary(existing.map { (Self.normalized($0.quote), $0) }) { first, _ in first }
        var (added, noted): ([Highlight], [(Highlight, note: String)]) = ([], [])
        for highlight in highlights {
            let quote = Self.normalized(highlight.quote)
            if let other = byQuote[quote] {
                guard other.note.isEmpty, !highlight.note.isEmpty, existing.contains(other) else { continue }
                byQuote[quote]?.note = highlight.note
                noted.append((other, highlight.note))
            } else {
                byQuote[quote] = highlight
                added.append(highlight.placed(in: id))
            }
        }
        guard !added.isEmpty || !noted.isEmpty else { return }
        try writes.indexingOnce(id) {
            for highlight in added { try writes.insertHighlight(highlight, by: user) }
            for (highlight, note) in noted { try writes.setNote(note, of: highlight, at: now) }
        }
        if !added.isEmpty { try writes.relocateHighlights(of: id) }
        merge.highlights = added.map(\.id)
        merge.notes = noted.map { .init(highlight: $0.0.id, note: $0.note) }
    }

    /// Ignores white space, which other programs change in quotations.
    private static func normalized(_ quote: String) -> String { quote.words.joined(separator: " ") }

    private func add(
        _ gist: GistDetails, isOwn: Bool, _ merge: inout ArticleMerge, _ warnings: inout [String],
        in writes: Writes
    ) throws {
        guard let existing = try writes.gist(of: id) else {
            let new = try writes.insertGist(gist, article: id, of: user)
            merge.gist = .init(id: new, before: nil, after: gist.content, wasEdited: false)
            return
        }
        guard !existing.content.containsBytes(gist.content) else { return }
        guard gist.method == .own else {
            warnings.append("The gist was left out because the article has one.")
            return
        }
        let content = existing.content + "\n\n" + gist.content
        guard content.unicodeScalars.count <= ArticleRules.maximumGistLength else {
            warnings.append("The note was left out because the combined gist would be too long.")
            return
        }
        // A gist that this import added keeps the file's time: undoing keeps gists updated after the import began.
        try writes.setGistContent(
            content, isEdited: true, updatedAt: isOwn ? existing.updatedAt : later(than: existing),
            of: existing.id)
        merge.gist = .init(
            id: existing.id, before: existing.content, after: content, wasEdited: existing.isEdited)
    }

    // MARK: Undoing

    /// Restores everything that the user has not changed since.
    func undo(_ merge: ArticleMerge, in writes: Writes) throws {
        let item = try writes.requiredArticle(id, of: user)
        try writes.update("articles", with: merge.restoring(item.details), where: "id = ?", [id])
        try writes.touchArticle(id, at: now)
        if !merge.tags.isEmpty {
            let added = Set(merge.tags.map(ArticleRules.folded))
            try writes.setArticleTags(item.tags.filter { !added.contains(ArticleRules.folded($0)) }, of: id)
        }
        for highlight in try writes.highlights(of: id) {
            if merge.highlights.contains(highlight.id), highlight.updatedAt <= importer.open.startedAt {
                try writes.removeHighlight(highlight)
            } else if merge.notes.contains(.init(highlight: highlight.id, note: highlight.note)) {
                try writes.setNote("", of: highlight, at: now)
            }
        }
        if let gist = merge.gist { try undo(gist, in: writes) }
        if let state = merge.fetchState { try writes.removeImportedText(of: id, fetchState: state) }
    }

    private func undo(_ merge: ArticleMerge.Gist, in writes: Writes) throws {
        guard let gist = try writes.gist(of: id), gist.id == merge.id,
            gist.content == merge.after
        else { return }
        if let before = merge.before {
            try writes.setGistContent(
                before, isEdited: merge.wasEdited, updatedAt: later(than: gist), of: gist.id)
        } else {
            try writes.removeGist(gist.id)
        }
    }

    /// Always later than before, because the time identifies the version.
    private func later(than gist: GistItem) -> Date { max(now, gist.updatedAt + 0.001) }
}
