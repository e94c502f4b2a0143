import ArticleText
package import Foundation
import Logging
package import RoostSupport
import TextFormats

/// What people do with their reading lists: every face of Roost (pages, JSON, chat) asks here.
///
/// Nothing here waits for another server: a page is fetched by `ArticleQueue` after it was saved. Every write commits, and
/// then `Topic.reading` is published.
package final class ReadingService: Service {
    package typealias UndoID = String

    /// Articles that a user may have.
    package static let maximumArticles = 250_000
    /// The most articles of a page.
    package static let maximumPage = 500
    /// The most lines that are saved at once.
    static let maximumLines = 1_000
    /// The most highlights of an article.
    private static let maximumHighlights = 1_000

    let writer: ReadingWriter
    /// The pictures of articles, which Roost keeps.
    package let pictures: ArticlePictures
    private let queue: ArticleQueue
    private let onSave: @Sendable () -> Void
    private let heavyWork: HeavyWorkQueue

    /// - Parameter onSave: told when something was saved that may want a gist
    init(
        writer: ReadingWriter, pictures: ArticlePictures, queue: ArticleQueue, heavyWork: HeavyWorkQueue,
        onSave: @escaping @Sendable () -> Void
    ) {
        self.writer = writer
        self.pictures = pictures
        self.queue = queue
        self.heavyWork = heavyWork
        self.onSave = onSave
    }

    // MARK: Saving

    /// Saves a page, and answers at once; its text follows. What is there already comes to the top of the list.
    ///
    /// Throws `RoostError.invalid` with the field "url", "title", "category", "tags" or "html".
    @discardableResult
    package func save(_ request: NewArticle, by user: UserID) async throws -> SavedArticle {
        let article = try CheckedArticle(request)
        let (record, isNew) = try await writer.write(for: user) { reading in
            let (id, isNew) = try reading.save(article, by: user)
            return (try reading.known(id, of: user), isNew)
        }
        queue.wake()
        onSave()
        return SavedArticle(item: item(record), isNew: isNew)
    }

    /// Saves what stands on each line: an address, and behind a blank a title. The first line's comes to the top.
    ///
    /// Throws `RoostError.invalid(field: "lines")` for more than `maximumLines`, and for none.
    package func saveMany(_ lines: String, by user: UserID) async throws -> [SavedLine] {
        let tooMany = RoostError.invalid(
            field: "lines", why: "There can be \(Self.maximumLines) addresses at once: import a file of more."
        )
        guard lines.utf8.count <= 2 << 20 else { throw tooMany }
        let given = lines.replacingBytes(of: "\r", with: "\n")
            .splitBytes(at: "\n", omittingEmptySubsequences: false).enumerated()
            .map { (number: $0.offset + 1, line: String($0.element).trimmed) }.filter { !$0.line.isEmpty }
        guard given.count <= Self.maximumLines else { throw tooMany }
        guard !given.isEmpty else {
            throw RoostError.invalid(field: "lines", why: "Give an address on each line.")
        }
        let checked = given.map { given in
            (given.number, given.line, Result { try CheckedArticle(Self.article(in: given.line)) })
        }
        let saved = try await writer.write(for: user) { reading in
            // The latest comes to the top.
            try checked.reversed().enumerated().map { place, line -> SavedLine in
                let words = String(Substring(line.1.unicodeScalars.prefix(120)))
                switch line.2 {
                case .success(let article):
                    let (id, isNew) = try reading.later(by: Double(place) * 0.001).save(article, by: user)
                    return SavedLine(
                        number: line.0, line: words, message: isNew ? SavedArticle.saved : SavedArticle.known,
                        id: id, isNew: isNew)
                case .failure(let error):
                    let why = (error as? RoostError)?.message ?? "This could not be saved."
                    return SavedLine(number: line.0, line: words, message: why)
                }
            }
        }
        queue.wake()
        onSave()
        return saved.reversed()
    }

    private static func article(in line: String) -> NewArticle {
        let words = line.words
        let title = words.dropFirst().joined(separator: " ")
        return NewArticle(url: String(words.first ?? ""), title: title.isEmpty ? nil : title)
    }

    // MARK: Lists

    /// - Parameters:
    ///   - cursor: as the last page said; nil: the first page
    ///   - limit: 1 to `maximumPage`
    /// - Throws: `RoostError.invalid(field: "cursor")`
    package func list(
        _ filter: ArticleFilter, cursor: String? = nil, limit: Int = 40, of user: UserID
    ) async throws -> ArticlePage {
        let limit = min(max(limit, 1), Self.maximumPage)
        if let text = filter.text, !text.isBlank, SearchPhrase.phrases(in: text).isEmpty {
            return ArticlePage(items: [], next: nil, total: 0)
        }
        if filter.list == .suggested {
            let items = try await suggestions(for: user, limit: limit).map(\.item)
            return ArticlePage(items: items, next: nil, total: items.count)
        }
        let query = ArticleListQuery(
            filter: filter, user: user, cursor: try cursor.map { try ArticleListQuery.Cursor($0) },
            limit: limit)
        let (rows, total) = try await writer.read { reading in
            (try query.records(reading.database), try query.total(reading.database))
        }
        let items = rows.prefix(limit).map { row in
            var item = item(row.record)
            item.snippet = row.snippet
            return item
        }
        let last = rows.count > limit ? rows[limit - 1] : nil
        return ArticlePage(
            items: items, next: last.map { ArticleListQuery.Cursor($0.key, $0.record.item.id).string },
            total: total)
    }

    package func counts(of user: UserID) async throws -> ReadingCounts {
        try await writer.inWords { try await writer.store.counts(of: user) }
    }

    /// By name.
    package func categories(of user: UserID) async throws -> [ReadingGroup] {
        try await writer.inWords { try await writer.store.groups("category", of: user) }
    }

    /// The most used first.
    package func tags(of user: UserID) async throws -> [ReadingGroup] {
        try await writer.inWords { try await writer.store.tags(of: user) }
    }

    /// Those with the most articles first.
    package func sites(of user: UserID) async throws -> [ReadingGroup] {
        try await writer.inWords { try await writer.store.groups("site", of: user) }
    }

    /// Unread articles of the categories, tags and sites that the user reads through.
    package func suggestions(for user: UserID, limit: Int = 20) async throws -> [SuggestedArticle] {
        let found = try await writer.read { reading in
            let chosen = try SuggestionTransaction(reading).suggestions(for: user, limit: limit)
            let records = try reading.records(chosen.map(\.id), of: user)
            let reasons = Dictionary(chosen.map { ($0.id, $0.reason) }) { first, _ in first }
            return records.map { ($0, reasons[$0.item.id] ?? "") }
        }
        return found.map { SuggestedArticle(item: item($0.0), reason: $0.1) }
    }

    // MARK: One article

    /// Throws `RoostError.notFound`, for another user's too.
    package func item(_ id: ArticleID, for user: UserID) async throws -> ArticleItem {
        item(try await writer.read { try $0.known(id, of: user) })
    }

    /// The article with its text, in which pictures are Roost's own copies. Throws as `item`.
    package func reading(_ id: ArticleID, for user: UserID) async throws -> ReadingArticle {
        let found = try await writer.read { reading in
            let record = try reading.known(id, of: user)
            let id = record.item.id
            return (
                record, try reading.finalURL(of: id), try reading.body(of: id),
                try reading.highlights(of: id), try GistTransaction(reading).gist(of: id)
            )
        }
        return ReadingArticle(
            item: item(found.0), finalURL: found.1,
            markup: found.2.map { pictures.shown(CleanMarkup(cleaned: $0.markup)) },
            text: found.2?.text ?? "", highlights: found.3, gist: try found.4?.item())
    }

    /// Notes that the user has opened the article.
    package func noteOpened(_ id: ArticleID, by user: UserID) async throws {
        try await writer.write(for: user) { reading in
            let id = try reading.known(id, of: user).item.id
            try reading.noteOpened(id)
        }
    }

    /// Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")` where the article was changed after
    /// `ifUpdatedAt`: `item` says how it stands now.
    @discardableResult
    package func edit(
        _ id: ArticleID, change: ArticleChange, ifUpdatedAt: Date? = nil, by user: UserID
    ) async throws -> ArticleItem {
        let checked = try Self.checked(change)
        return item(
            try await writer.write(for: user) {
                try $0.edit(id, checked, ifUpdatedAt: ifUpdatedAt, by: user)
            })
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
            throw RoostError.invalid(field: "progress", why: "Progress is a number from 0 to 1.")
        }
        return checked
    }

    /// What is not the user's own is passed over.
    ///
    /// - Returns: how many articles it concerned, and how to take it back; nil: nothing changed
    @discardableResult
    package func editMany(
        _ selection: ArticleSelection, change: BulkArticleChange, by user: UserID
    ) async throws -> (count: Int, undo: UndoID?) {
        var checked = change
        checked.category = try change.category.map(ArticleRules.category)
        checked.addTags = try ArticleRules.tags(change.addTags)
        let final = checked
        let query: ArticleListQuery?
        var given: [ArticleID] = []
        switch selection {
        case .ids(let ids): (query, given) = (nil, ids)
        case .filter(let filter):
            if let text = filter.text, !text.isBlank, SearchPhrase.phrases(in: text).isEmpty {
                return (0, nil)
            }
            if filter.list == .suggested {
                given = try await suggestions(for: user, limit: Self.maximumPage).map(\.item.id)
                query = nil
            } else {
                query = ArticleListQuery(filter: filter, user: user, cursor: nil, limit: 1)
            }
        }
        let ids = given
        let done = try await heavyWork.run(for: user, rows: query == nil ? ids.count : .max) {
            try await writer.write(for: user) { reading in
                try reading.editMany(try query?.ids(reading.database) ?? ids, final, by: user)
            }
        }
        return (done.count, done.undo.map(writer.noteUndo))
    }

    /// Deletes the article with its highlights; its gist stays. Throws `RoostError.notFound`.
    package func delete(_ id: ArticleID, by user: UserID) async throws -> UndoID {
        let undo = try await writer.write(for: user) { reading in
            let id = try reading.known(id, of: user).item.id
            let undo = try reading.beginUndo(of: user)
            try reading.delete([id], undo: undo)
            return undo
        }
        return writer.noteUndo(undo)
    }

    /// Takes a change back within ten minutes: of articles, highlights and gists. Throws `RoostError.notFound`.
    package func undo(_ id: UndoID, by user: UserID) async throws {
        try await writer.undo(id, by: user)
        queue.wake()
    }

    /// Fetches the page once more; what is there stays until the new text has come. Throws `RoostError.notFound`.
    package func fetchAgain(_ id: ArticleID, by user: UserID) async throws {
        try await writer.write(for: user) { reading in
            let item = try reading.known(id, of: user).item
            try reading.enqueue(item.id, by: user, url: item.article.url)
        }
        queue.wake()
    }

    // MARK: A new text that waits

    /// The text that waits for the user's choice; nil where none does. Throws `RoostError.notFound`.
    package func newText(of id: ArticleID, for user: UserID) async throws -> String? {
        try await writer.read { reading in
            try ArticleVersions(reading).newText(of: reading.known(id, of: user).item.id)?.version.text
        }
    }

    /// Puts the text that waits in the place of the article's own. Throws `RoostError.notFound`, also where none waits, and
    /// `.conflict(field: "fetchedAt")` where a later fetch has brought another one than that of `ifFetchedAt`.
    package func useNewText(
        _ id: ArticleID, ifFetchedAt: Date? = nil, by user: UserID
    ) async throws -> UndoID {
        try await chooseText(id, isUsed: true, ifFetchedAt: ifFetchedAt, by: user)
    }

    /// Drops the text that waits; the article keeps its own. Throws as `useNewText`.
    package func keepText(
        _ id: ArticleID, ifFetchedAt: Date? = nil, by user: UserID
    ) async throws -> UndoID {
        try await chooseText(id, isUsed: false, ifFetchedAt: ifFetchedAt, by: user)
    }

    private func chooseText(
        _ id: ArticleID, isUsed: Bool, ifFetchedAt: Date?, by user: UserID
    ) async throws -> UndoID {
        let undo = try await writer.write(for: user) { reading in
            let item = try reading.known(id, of: user).item
            if let waiting = item.newText, let ifFetchedAt,
                abs(ifFetchedAt.timeIntervalSince(waiting.fetchedAt)) > 0.000_9
            {
                throw RoostError.conflict(
                    field: "fetchedAt",
                    why: "The page was fetched once more. Look at its text before you choose.")
            }
            let undo = try reading.beginUndo(of: user)
            let choice = try ArticleVersions(reading).choose(isUsed: isUsed, for: item.id, of: user)
            try reading.keep(ReadingUndoStep(newText: choice), in: undo)
            return undo
        }
        return writer.noteUndo(undo)
    }

    // MARK: Highlights

    /// In the order of the text.
    package func highlights(of id: ArticleID, for user: UserID) async throws -> [Highlight] {
        try await writer.read { try $0.highlights(of: try $0.known(id, of: user).item.id) }
    }

    /// Throws `RoostError.notFound` and `.invalid`.
    package func addHighlight(
        _ highlight: NewHighlight, to id: ArticleID, by user: UserID
    ) async throws -> Highlight {
        guard highlight.start >= 0, highlight.end > highlight.start, highlight.end < 1 << 28 else {
            throw RoostError.invalid(field: "start", why: "Choose a passage of the text.")
        }
        // As it stands in the text: it is looked for there.
        guard !highlight.quote.isBlank, highlight.quote.utf16.count <= ArticleRules.maximumQuoteLength else {
            throw RoostError.invalid(
                field: "quote", why: "A passage has 1 to \(ArticleRules.maximumQuoteLength) characters.")
        }
        let note = try ArticleRules.lines(
            highlight.note, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        let now = writer.now
        return try await writer.write(for: user) { reading in
            let id = try reading.known(id, of: user).item.id
            guard let body = try reading.body(of: id) else {
                throw RoostError.invalid(field: "quote", why: "This article has no text to mark.")
            }
            guard try reading.highlights(of: id).count < Self.maximumHighlights else {
                throw RoostError.invalid(
                    field: "quote", why: "An article has \(Self.maximumHighlights) highlights at most.")
            }
            var new = Highlight(
                id: UUID().uuidString.lowercased(), articleId: id, start: highlight.start,
                end: highlight.end, quote: highlight.quote, before: Self.edge(highlight.before, isEnd: true),
                after: Self.edge(highlight.after, isEnd: false), note: note, createdAt: now, updatedAt: now)
            // The browser may count otherwise, or look at an older text: the words decide.
            guard let place = MarkupText(CleanMarkup(cleaned: body.markup)).place(of: new) else {
                throw RoostError.invalid(
                    field: "quote", why: "This passage is not in the text. Load the page again.")
            }
            (new.start, new.end) = (place.lowerBound, place.upperBound)
            try reading.insert(new, by: user)
            return new
        }
    }

    /// 32 characters beside a passage.
    private static func edge(_ text: String, isEnd: Bool) -> String {
        let scalars = text.unicodeScalars
        return String(Substring(isEnd ? scalars.suffix(32) : scalars.prefix(32)))
    }

    /// Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")` where it was changed after `ifUpdatedAt`.
    package func editHighlight(
        _ id: String, of article: ArticleID, note: String, ifUpdatedAt: Date? = nil, by user: UserID
    ) async throws -> Highlight {
        let note = try ArticleRules.lines(
            note, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        return try await writer.write(for: user) { reading in
            let highlight = try reading.highlight(id, of: article, by: user)
            if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(highlight.updatedAt)) > 0.000_9 {
                throw RoostError.conflict(field: "updatedAt", why: "The note was changed meanwhile.")
            }
            try reading.setNote(note, of: highlight)
            return try reading.highlight(id, of: article, by: user)
        }
    }

    package func deleteHighlight(
        _ id: String, of article: ArticleID, by user: UserID
    ) async throws -> UndoID {
        let undo = try await writer.write(for: user) { reading in
            let highlight = try reading.highlight(id, of: article, by: user)
            let undo = try reading.beginUndo(of: user)
            try reading.keep(ReadingUndoStep(highlight: highlight), in: undo)
            try reading.remove(highlight)
            return undo
        }
        return writer.noteUndo(undo)
    }

    /// What an article's page shows beside the article, its highlights and its gist, as a text by article that differs
    /// when any of it has changed.
    package func additionStamps(of articles: [ArticleItem]) async throws -> [ArticleID: String] {
        try await writer.inWords { try await writer.store.additionStamps(of: articles.map(\.id)) }
    }

    // MARK: Preferences

    package func settings(for user: UserID) async throws -> ReadingPreferences {
        try await writer.inWords { try await writer.store.preferences(of: user) }
    }

    /// Throws `RoostError.invalid(field: "textSize")`.
    package func setSettings(_ settings: ReadingPreferences, for user: UserID) async throws {
        guard ReadingPreferences.textSizes.contains(settings.textSize) else {
            throw RoostError.invalid(field: "textSize", why: "The text has a size of 1 to 7.")
        }
        try await writer.write(for: user) { try $0.setPreferences(settings, of: user) }
    }

    // MARK: Items

    /// With Roost's own copy of the picture.
    func item(_ record: ArticleRecord) -> ArticleItem {
        var item = record.item
        item.imageURL = pictures.path(of: record.imageURL)
        return item
    }
}

extension ReadingService: ReadingListSaver {
    package func save(
        _ address: String, title: String?, from source: String, for user: UserID
    ) async throws -> (message: String, path: String) {
        let title = ArticleRules.strangers(title, maximumLength: ArticleRules.maximumTitleLength)
        let saved = try await save(
            NewArticle(url: address, title: title, source: source, isTitleOthers: true), by: user)
        return (saved.message, "/reading/\(saved.item.id)")
    }
}

extension Topic {
    /// Articles, gists and shared items of a user.
    package static func reading(_ user: UserID) -> String { "reading/\(user)" }
}
