import ArticleText
package import Foundation
import Logging
package import RoostSupport
import TextFormats

/// Everything that users do with their reading lists, for pages, the API and the chat. Never waits for another server:
/// `ArticleQueue` fetches pages after they are saved. Every write publishes `Topic.reading` after its commit.
package final class ReadingService: Service {
    /// Per user.
    package static let maximumArticles = 250_000
    package static let maximumPage = 500
    /// Per bulk save.
    static let maximumLines = 1_000
    /// Per article.
    private static let maximumHighlights = 1_000

    let database: Database
    package let pictures: ArticlePictures
    let queue: ArticleQueue
    private let gists: GistQueue
    private let heavyWork: HeavyWorkQueue
    let clock: WallClock

    init(
        database: Database, pictures: ArticlePictures, queue: ArticleQueue, heavyWork: HeavyWorkQueue,
        clock: WallClock, gists: GistQueue
    ) {
        self.database = database
        self.pictures = pictures
        self.queue = queue
        self.heavyWork = heavyWork
        self.clock = clock
        self.gists = gists
    }

    /// How much work of all users waits: pages to fetch, gists to make, imported articles to add. Throws database errors.
    package func queueCounts(_ reads: Reads) throws -> (pages: Int, gists: Int, imports: Int) {
        try reads.readingQueueCounts()
    }

    // MARK: Saving

    /// Saves a page and returns at once; its text follows. An article already in the list moves to the top.
    @discardableResult
    package func save(_ draft: ArticleDraft, by user: UserID) async throws -> SavedArticle {
        let (item, isNew) = try await database.write { [now = clock.nowInMilliseconds] writes in
            let (id, isNew) = try draft.save(for: user, at: now, in: writes)
            writes.publish(Topic.reading(user))
            return (try writes.requiredArticle(id, of: user), isNew)
        }
        queue.wake()
        gists.wake()
        return SavedArticle(item: shown(item), isNew: isNew)
    }

    /// Saves the address on each line, with an optional title after a space. The first line moves to the top. Throws
    /// `RoostError.invalid(field: "lines")` for more than `maximumLines`, and for none.
    package func saveMany(_ lines: String, by user: UserID) async throws -> [SavedLine] {
        let tooMany = RoostError.invalid(
            field: "lines",
            why: "You can save \(Self.maximumLines) addresses at once. Import a file to save more.")
        guard lines.utf8.count <= 2 << 20 else { throw tooMany }
        let entries = lines.replacingBytes(of: "\r", with: "\n")
            .splitBytes(at: "\n", omittingEmptySubsequences: false).enumerated()
            .map { (number: $0.offset + 1, line: String($0.element).trimmed) }.filter { !$0.line.isEmpty }
        guard entries.count <= Self.maximumLines else { throw tooMany }
        guard !entries.isEmpty else {
            throw RoostError.invalid(field: "lines", why: "Type or paste an address on each line.")
        }
        let checked = entries.map { entry in
            (entry.number, entry.line, Result { try Self.draft(of: entry.line) })
        }
        let saved = try await database.write { [now = clock.nowInMilliseconds] writes in
            writes.publish(Topic.reading(user))
            return try checked.reversed().enumerated().map { index, line -> SavedLine in
                let text = String(Substring(line.1.unicodeScalars.prefix(120)))
                switch line.2 {
                case .success(let draft):
                    let (id, isNew) = try draft.save(
                        for: user, at: now + Double(index) * 0.001, in: writes)
                    return SavedLine(
                        number: line.0, line: text,
                        message: isNew ? SavedArticle.saved : SavedArticle.alreadySaved, id: id, isNew: isNew)
                case .failure(let error):
                    let why = (error as? RoostError)?.message ?? "Couldn’t save this."
                    return SavedLine(number: line.0, line: text, message: why)
                }
            }
        }
        queue.wake()
        gists.wake()
        return saved.reversed()
    }

    private static func draft(of line: String) throws -> ArticleDraft {
        let words = line.words
        return try ArticleDraft(
            url: String(words.first ?? ""), title: words.dropFirst().joined(separator: " "))
    }

    // MARK: Lists

    /// - Parameters:
    /// - position: `next` of the previous page, or nil for the first
    /// - limit: 1 to `maximumPage`
    package func list(
        _ reads: Reads, _ filter: ArticleFilter, after position: ArticlePosition? = nil, limit: Int = 40,
        of user: UserID
    ) throws -> ArticlePage {
        let limit = min(max(limit, 1), Self.maximumPage)
        if let text = filter.text, !text.isBlank, SearchPhrase.phrases(in: text).isEmpty {
            return ArticlePage(items: [], next: nil, total: 0)
        }
        if filter.list == .suggested {
            let items = try suggestions(reads, for: user, limit: limit).map(\.item)
            return ArticlePage(items: items, next: nil, total: items.count)
        }
        let query = ArticleListQuery(
            filter: filter, user: user, position: position,
            limit: limit)
        let (rows, total) = (try query.items(reads.database), try query.total(reads.database))
        let items = rows.prefix(limit).map { shown($0.item) }
        let last = rows.count > limit ? rows[limit - 1] : nil
        return ArticlePage(
            items: items, next: last.map { ArticlePosition($0.key, $0.item.id) },
            total: total)
    }

    package func list(
        _ filter: ArticleFilter, after position: ArticlePosition? = nil, limit: Int = 40, of user: UserID
    ) async throws -> ArticlePage {
        try await database.read { try list($0, filter, after: position, limit: limit, of: user) }
    }

    package func counts(_ reads: Reads, of user: UserID) throws -> ReadingCounts {
        try reads.readingCounts(of: user)
    }

    package func counts(of user: UserID) async throws -> ReadingCounts {
        try await database.read { try counts($0, of: user) }
    }

    /// The number of unread articles that were saved since then and have their text.
    package func readyCount(_ reads: Reads, since: Date, of user: UserID) throws -> Int {
        try reads.readyArticleCount(since: since, of: user)
    }

    /// Sorted by name.
    package func categories(_ reads: Reads, of user: UserID) throws -> [ReadingGroup] {
        try reads.readingGroups("category", of: user)
    }

    /// Most used first.
    package func tags(_ reads: Reads, of user: UserID) throws -> [ReadingGroup] {
        try reads.readingTags(of: user)
    }

    /// Most articles first.
    package func sites(_ reads: Reads, of user: UserID) throws -> [ReadingGroup] {
        try reads.readingGroups("site", of: user)
    }

    /// Unread articles of the categories, tags and sites that the user usually finishes.
    package func suggestions(_ reads: Reads, for user: UserID, limit: Int = 20) throws -> [SuggestedArticle] {
        let chosen = try ArticleSuggestions.suggestions(for: user, limit: limit, in: reads)
        let items = try reads.articles(chosen.map(\.id), of: user)
        let reasons = Dictionary(chosen.map { ($0.id, $0.reason) }) { first, _ in first }
        return items.map { SuggestedArticle(item: shown($0), reason: reasons[$0.id] ?? "") }
    }

    // MARK: One article

    /// Throws `RoostError.notFound`, also for another user's article.
    package func item(_ reads: Reads, _ id: ArticleID, for user: UserID) throws -> ArticleItem {
        shown(try reads.requiredArticle(id, of: user))
    }

    package func item(_ id: ArticleID, for user: UserID) async throws -> ArticleItem {
        try await database.read { try item($0, id, for: user) }
    }

    /// Returns the article with its text, whose pictures are Roost's copies. Throws as `item`.
    package func reading(_ reads: Reads, _ id: ArticleID, for user: UserID) throws -> ReadingArticle {
        let item = try reads.requiredArticle(id, of: user)
        let body = try reads.articleBody(of: item.id)
        let stored = try reads.storedPictureNames(of: item.id)
        return ReadingArticle(
            item: shown(item),
            markup: body.map { pictures.shown(CleanMarkup(cleaned: $0.markup), stored: stored) },
            text: body?.text ?? "",
            comments: try reads.articleComments(of: item.id).map { CleanMarkup(cleaned: $0) },
            highlights: try reads.highlights(of: item.id),
            gist: try reads.gist(of: item.id).map(gists.withDraft))
    }

    package func reading(_ id: ArticleID, for user: UserID) async throws -> ReadingArticle {
        try await database.read { try reading($0, id, for: user) }
    }

    package func noteOpened(_ id: ArticleID, by user: UserID) async throws {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            try writes.noteArticleOpened(try writes.requiredArticle(id, of: user).id, at: now)
            writes.publish(Topic.reading(user))
        }
    }

    /// Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")` if the article was changed after
    /// `ifUpdatedAt`.
    @discardableResult
    package func edit(
        _ id: ArticleID, change: ArticleChange, ifUpdatedAt: Date? = nil, by user: UserID
    ) async throws -> ArticleItem {
        let checked = try Self.checked(change)
        let changed = try await database.write { [now = clock.nowInMilliseconds] writes in
            let item = try writes.requiredArticle(id, of: user)
            if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(item.updatedAt)) > 0.000_9 {
                throw RoostError.conflict(
                    field: "updatedAt",
                    why: "This article changed while you were editing. Check it before you save.")
            }
            try writes.editArticle(item, checked, at: now)
            writes.publish(Topic.reading(user))
            return try writes.requiredArticle(item.id, of: user)
        }
        return shown(changed)
    }

    private static func checked(_ change: ArticleChange) throws -> ArticleChange {
        var checked = change
        if let title = change.title {
            guard let title = try ArticleRules.title(title) else {
                throw RoostError.invalid(field: "title", why: "An article needs a title.")
            }
            checked.title = title
        }
        checked.category = try change.category.map(ArticleRules.category)
        checked.tags = try change.tags.map(ArticleRules.tags)
        if let progress = change.progress, !(0...1).contains(progress) {
            throw RoostError.invalid(field: "progress", why: "Progress must be a number from 0 to 1.")
        }
        return checked
    }

    /// Skips articles that aren't the user's.
    ///
    /// - Returns: the number of articles, and how to undo the change, or nil if nothing changed
    @discardableResult
    package func editMany(
        _ selection: ArticleSelection, change: BulkArticleChange, by user: UserID
    ) async throws -> (count: Int, undo: UndoID?) {
        var checked = change
        checked.category = try change.category.map(ArticleRules.category)
        checked.addTags = try ArticleRules.tags(change.addTags)
        let final = checked
        let query: ArticleListQuery?
        var requestedIDs: [ArticleID] = []
        switch selection {
        case .ids(let ids): (query, requestedIDs) = (nil, ids)
        case .filter(let filter):
            if let text = filter.text, !text.isBlank, SearchPhrase.phrases(in: text).isEmpty {
                return (0, nil)
            }
            if filter.list == .suggested {
                requestedIDs = try await database.read {
                    try suggestions($0, for: user, limit: Self.maximumPage)
                }.map(\.item.id)
                query = nil
            } else {
                query = ArticleListQuery(filter: filter, user: user, position: nil, limit: 1)
            }
        }
        let ids = requestedIDs
        return try await heavyWork.run(for: user, rows: query == nil ? ids.count : .max) {
            try await database.write { [now = clock.nowInMilliseconds] writes in
                writes.publish(Topic.reading(user))
                let own = try writes.articleIDs(try query?.ids(writes.database) ?? ids, of: user)
                guard !own.isEmpty else { return (0, nil) }
                let undo = try writes.addUndo([ReadingUndoStep](), by: user, at: now)
                if final.delete {
                    try writes.hideArticles(own, undo: undo)
                } else {
                    try writes.addUndoSteps(of: own, before: final, to: undo, by: user)
                    try writes.editArticles(own, final, at: now)
                    try Self.changeTags(of: own, final, of: user, in: writes)
                }
                return (own.count, undo)
            }
        }
    }

    private static func changeTags(
        of ids: [ArticleID], _ change: BulkArticleChange, of user: UserID, in writes: Writes
    ) throws {
        guard !change.addTags.isEmpty || !change.removeTags.isEmpty else { return }
        for item in try writes.articles(ids, of: user) {
            let tags = change.tags(of: item.tags)
            if tags != item.tags { try writes.setArticleTags(tags, of: item.id) }
        }
    }

    /// Deletes the article and its highlights; its gist stays. Throws `RoostError.notFound`.
    package func delete(_ id: ArticleID, by user: UserID) async throws -> UndoID {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let id = try writes.requiredArticle(id, of: user).id
            let undo = try writes.addUndo([ReadingUndoStep](), by: user, at: now)
            try writes.hideArticles([id], undo: undo)
            writes.publish(Topic.reading(user))
            return undo
        }
    }

    /// Fetches the page again; the current text stays until the new one arrives. Throws `RoostError.notFound`.
    package func fetchAgain(_ id: ArticleID, by user: UserID) async throws {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let item = try writes.requiredArticle(id, of: user)
            try writes.enqueueArticle(item.id, by: user, url: item.url, at: now)
            writes.publish(Topic.reading(user))
        }
        queue.wake()
    }

    // MARK: New text

    /// Returns the text that waits for the user's decision, if any. Throws `RoostError.notFound`.
    package func newText(_ reads: Reads, of id: ArticleID, for user: UserID) throws -> String? {
        try reads.newText(of: reads.requiredArticle(id, of: user).id)?.version.text
    }

    /// Replaces the article's text with the waiting one. Throws `RoostError.notFound`, also if none waits, and
    /// `.conflict(field: "fetchedAt")` if it was not fetched at `ifFetchedAt`.
    package func useNewText(
        _ id: ArticleID, ifFetchedAt: Date? = nil, by user: UserID
    ) async throws -> UndoID {
        try await chooseText(id, isUsed: true, ifFetchedAt: ifFetchedAt, by: user)
    }

    /// Drops the waiting text. Throws as `useNewText`.
    package func keepText(
        _ id: ArticleID, ifFetchedAt: Date? = nil, by user: UserID
    ) async throws -> UndoID {
        try await chooseText(id, isUsed: false, ifFetchedAt: ifFetchedAt, by: user)
    }

    private func chooseText(
        _ id: ArticleID, isUsed: Bool, ifFetchedAt: Date?, by user: UserID
    ) async throws -> UndoID {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let item = try writes.requiredArticle(id, of: user)
            if let waiting = item.newText, let ifFetchedAt, !Self.isSame(ifFetchedAt, waiting.fetchedAt) {
                throw RoostError.conflict(
                    field: "fetchedAt",
                    why: "The page was fetched again. Check the new text before you choose.")
            }
            guard let new = try writes.newText(of: item.id),
                let current = try writes.articleVersion(of: item.id)
            else { throw RoostError.notFound("There is no new text to choose.") }
            if isUsed {
                try writes.replaceText(of: item.id, with: new.version, of: user, at: now)
            } else {
                try writes.removeNewText(of: item.id)
                try writes.touchArticle(item.id, at: now)
            }
            let choice = ReadingUndoStep.NewTextChoice(
                article: item.id, version: isUsed ? current : new.version, reason: new.reason, isUsed: isUsed)
            writes.publish(Topic.reading(user))
            return try writes.addUndo([ReadingUndoStep(newText: choice)], by: user, at: now)
        }
    }

    /// True for the same millisecond, as in forms, or the same second, as in JSON.
    private static func isSame(_ read: Date, _ stored: Date) -> Bool {
        abs(read.timeIntervalSince(stored)) < 0.000_9
            || read.timeIntervalSince1970 == stored.timeIntervalSince1970.rounded(.down)
    }

    // MARK: Highlights

    /// In the order of the text.
    package func highlights(_ reads: Reads, of id: ArticleID, for user: UserID) throws -> [Highlight] {
        try reads.highlights(of: reads.requiredArticle(id, of: user).id)
    }

    package func highlights(of id: ArticleID, for user: UserID) async throws -> [Highlight] {
        try await database.read { try highlights($0, of: id, for: user) }
    }

    /// Throws `RoostError.notFound` and `.invalid`.
    package func addHighlight(
        _ highlight: NewHighlight, to id: ArticleID, by user: UserID
    ) async throws -> Highlight {
        guard highlight.start >= 0, highlight.end > highlight.start, highlight.end < 1 << 28 else {
            throw RoostError.invalid(field: "start", why: "Select a passage of the text.")
        }
        // Not sanitized, because it is searched for in the text.
        guard !highlight.quote.isBlank, highlight.quote.utf16.count <= ArticleRules.maximumQuoteLength else {
            throw RoostError.invalid(
                field: "quote", why: "A passage must have 1 to \(ArticleRules.maximumQuoteLength) characters."
            )
        }
        let note = try ArticleRules.lines(
            highlight.note, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        return try await database.write { [now = clock.nowInMilliseconds] writes in
            let id = try writes.requiredArticle(id, of: user).id
            guard let body = try writes.articleBody(of: id) else {
                throw RoostError.invalid(field: "quote", why: "This article has no text to highlight.")
            }
            guard try writes.highlights(of: id).count < Self.maximumHighlights else {
                throw RoostError.invalid(
                    field: "quote", why: "An article can have up to \(Self.maximumHighlights) highlights.")
            }
            var new = Highlight(
                id: UUID().uuidString.lowercased(), articleId: id, start: highlight.start,
                end: highlight.end, quote: highlight.quote, before: Self.edge(highlight.before, isEnd: true),
                after: Self.edge(highlight.after, isEnd: false), note: note, createdAt: now, updatedAt: now)
            // The browser may count differently or show an older text, so the quotation decides.
            guard let range = MarkupText(CleanMarkup(cleaned: body.markup)).range(of: new) else {
                throw RoostError.invalid(
                    field: "quote", why: "This passage isn’t in the text. Reload the page.")
            }
            (new.start, new.end) = (range.lowerBound, range.upperBound)
            try writes.insertHighlight(new, by: user)
            writes.publish(Topic.reading(user))
            return new
        }
    }

    private static func edge(_ text: String, isEnd: Bool) -> String {
        let scalars = text.unicodeScalars
        return String(Substring(isEnd ? scalars.suffix(32) : scalars.prefix(32)))
    }

    /// Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")` if it was changed after
    /// `ifUpdatedAt`.
    package func editHighlight(
        _ id: String, of article: ArticleID, note: String, ifUpdatedAt: Date? = nil, by user: UserID
    ) async throws -> Highlight {
        let note = try ArticleRules.lines(
            note, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        return try await database.write { [now = clock.nowInMilliseconds] writes in
            let highlight = try writes.highlight(id, of: article, by: user)
            if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(highlight.updatedAt)) > 0.000_9 {
                throw RoostError.conflict(field: "updatedAt", why: "The note changed while you were editing.")
            }
            try writes.setNote(note, of: highlight, at: now)
            writes.publish(Topic.reading(user))
            return try writes.highlight(id, of: article, by: user)
        }
    }

    package func deleteHighlight(
        _ id: String, of article: ArticleID, by user: UserID
    ) async throws -> UndoID {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let highlight = try writes.highlight(id, of: article, by: user)
            try writes.removeHighlight(highlight)
            writes.publish(Topic.reading(user))
            return try writes.addUndo([ReadingUndoStep(highlight: highlight)], by: user, at: now)
        }
    }

    /// Returns a text per article that changes whenever its highlights or its gist change.
    package func additionStamps(_ reads: Reads, of articles: [ArticleItem]) throws -> [ArticleID: String] {
        try reads.additionStamps(of: articles.map(\.id))
    }

    // MARK: Preferences

    package func preferences(_ reads: Reads, of user: UserID) throws -> ReadingPreferences {
        var preferences: ReadingPreferences = try reads.preferences(of: user)
        // Imported preferences were not checked.
        if !ReadingPreferences.textSizes.contains(preferences.textSize) {
            preferences.textSize = ReadingPreferences().textSize
        }
        return preferences
    }

    /// Throws `RoostError.invalid(field: "textSize")`.
    package func setPreferences(_ preferences: ReadingPreferences, of user: UserID) async throws {
        guard ReadingPreferences.textSizes.contains(preferences.textSize) else {
            throw RoostError.invalid(field: "textSize", why: "The text size must be 1 to 7.")
        }
        try await database.write { writes in
            try writes.setPreferences(preferences, of: user)
            writes.publish(Topic.reading(user))
        }
    }

    // MARK: Items

    /// Adds the path of Roost's copy of the picture.
    func shown(_ item: ArticleItem) -> ArticleItem {
        var item = item
        item.imageURL = pictures.path(of: item.image)
        return item
    }
}

extension ReadingService: ReadingListSaver {
    package func save(
        _ address: String, title: String?, from source: String, for user: UserID
    ) async throws -> (message: String, path: String) {
        let title = ArticleRules.shortened(title, maximumLength: ArticleRules.maximumTitleLength)
        let saved = try await save(
            ArticleDraft(url: address, title: title, source: source, isTitleExternal: true), by: user)
        return (saved.message, "/reading/\(saved.item.id)")
    }
}

extension Topic {
    package static func reading(_ user: UserID) -> String { "reading/\(user)" }
    /// The texts that the model is writing.
    package static func gistDrafts(_ user: UserID) -> String { "gist-drafts/\(user)" }
}
