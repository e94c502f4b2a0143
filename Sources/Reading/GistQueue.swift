import ArticleText
import Foundation
import Logging
import RoostSupport
import Synchronization

/// Makes the gists requested in advance, and asks the model for its gists, one at a time. Both queues are in the
/// database.
final class GistQueue: Service {
    private let database: Database
    private let model: GistModelAPI?
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock
    private let log: Logger
    /// The text that the model has written so far. The database gets only the whole text.
    private let draft = Mutex<(gist: GistID, content: String)?>(nil)
    private let draftPublisher: ThrottledPublisher
    private let (dueSignal, modelSignal) = (AsyncSignal(), AsyncSignal())

    init(
        database: Database, model: GistModelAPI?, feed: ChangeFeed, heavyWork: HeavyWorkQueue,
        clock: WallClock, log: Logger
    ) {
        self.database = database
        draftPublisher = ThrottledPublisher(feed: feed, interval: .milliseconds(400))
        self.clock = clock
        self.model = model
        self.heavyWork = heavyWork
        self.log = log
    }

    var usesModel: Bool { model != nil }

    func wake() {
        dueSignal.fire()
        modelSignal.fire()
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    await self.makeDueGists()
                    await self.dueSignal.wait(atMost: .seconds(60))
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.processModelQueue()
                    await self.modelSignal.wait(atMost: .seconds(60))
                }
            }
            group.addTask { await self.draftPublisher.run() }
        }
    }

    func runUntilIdle() async {
        await makeDueGists()
        await processModelQueue()
    }

    private func makeDueGists() async {
        while !Task.isCancelled {
            let due = try? await database.read { try $0.articlesDueForGist(limit: 20) }
            guard let due, !due.isEmpty else { return }
            for (article, user) in due {
                do { try await make(for: article, length: nil, replacingEdited: false, by: user) } catch {
                    if error is CancellationError || Task.isCancelled { return }
                    // Roost is busy or the database failed: try again later.
                    if case RoostError.unavailable = error { return }
                    // The article has no prose for a gist. If the database fails, this round ends.
                    let cleared: Void? = try? await database.write { writes in
                        try writes.clearGistRequest(article)
                        writes.publish(Topic.reading(user))
                    }
                    guard cleared != nil else { return }
                }
            }
        }
    }

    // MARK: Roost's gists

    /// Throws as `GistService.make`.
    @discardableResult
    func make(
        for article: ArticleID, length: GistLength?, replacingEdited: Bool, by user: UserID
    ) async throws -> GistItem {
        let (item, text, existing) = try await database.read { reads in
            let item = try reads.requiredArticle(article, of: user)
            return (item, try reads.articleBody(of: item.id)?.text ?? "", try reads.gist(of: item.id))
        }
        if let existing, existing.isEdited, !replacingEdited { throw Self.editedGist }
        guard !text.isBlank else {
            throw RoostError.invalid(field: "article", why: "This article has no text for a gist.")
        }
        let chosen = try await chosenLength(length, of: user)
        let content = try await summary(
            of: text, title: item.title, language: item.language, length: chosen, field: "article",
            for: user)
        let gist = try await database.write { [usesModel, now = clock.nowInMilliseconds] writes in
            let item = try writes.requiredArticle(item.id, of: user)
            // The gist may have been edited in the meantime.
            if let current = try writes.gist(of: item.id), current.isEdited,
                !replacingEdited || existing?.isEdited != true
            {
                throw Self.editedGist
            }
            var draft = GistDetails()
            (draft.title, draft.content, draft.method) = (item.title, content, .extractive)
            (draft.sourceUrl, draft.category) = (item.url, item.category)
            try writes.clearGistRequest(item.id)
            writes.publish(Topic.reading(user))
            return try writes.putGist(
                draft, article: item.id, modelLength: usesModel ? chosen : nil, by: user, at: now)
        }
        modelSignal.fire()
        return gist
    }

    func makeOfText(
        title: String, text: String, category: String?, length: GistLength?, by user: UserID
    ) async throws -> GistItem {
        let chosen = try await chosenLength(length, of: user)
        let content = try await summary(
            of: text, title: title, language: nil, length: chosen, field: "text", for: user)
        var draft = GistDetails()
        (draft.title, draft.content, draft.category, draft.method) = (title, content, category, .extractive)
        let gist = try await database.write { [draft, usesModel, now = clock.nowInMilliseconds] writes in
            writes.publish(Topic.reading(user))
            return try writes.putGist(
                draft, article: nil, modelLength: usesModel ? chosen : nil,
                modelText: usesModel ? text : nil, by: user, at: now)
        }
        modelSignal.fire()
        return gist
    }

    private static let editedGist = RoostError.conflict(
        field: "gist", why: "You have edited this gist. A new one would replace your text.")

    private func chosenLength(_ length: GistLength?, of user: UserID) async throws -> GistLength {
        if let length { return length }
        return try await database.read { try $0.preferences(ReadingPreferences.self, of: user) }.gistLength
    }

    private func summary(
        of text: String, title: String, language: String?, length: GistLength, field: String, for user: UserID
    ) async throws -> String {
        let sentences = try await heavyWork.run(for: user, rows: text.utf8.count / 200) {
            Summarizer.summary(of: text, title: title, language: language, length: length)
        }
        let content = sentences.map { $0.sanitized.trimmed }.filter { !$0.isEmpty }.joined(separator: "\n")
        guard !content.isEmpty else {
            throw RoostError.invalid(field: field, why: "The text has no sentences for a gist.")
        }
        return String(Substring(content.unicodeScalars.prefix(ArticleRules.maximumGistLength)))
    }

    // MARK: Model gists

    private func processModelQueue() async {
        while !Task.isCancelled {
            let next = try? await database.read { try $0.nextGistForModel() }
            guard let (gist, text, language) = next ?? nil else { return }
            var (content, note): (String?, String?)
            defer { draft.withLock { $0 = nil } }
            if let model {
                setDraft("", of: gist)
                do {
                    content = try await model.gist(
                        of: text, title: gist.title, language: language,
                        length: gist.modelLength ?? .automatic
                    ) { self.setDraft($0, of: gist) }
                } catch {
                    if error.isInterruption { return }
                    note = error.reason + " This is Roost’s own gist."
                    log.warning("The model did not write a gist", metadata: ["why": "\(error.reason)"])
                }
            }
            let isStored: Void? = try? await database.write {
                [content, note, now = clock.nowInMilliseconds] writes in
                try writes.storeModelAnswer(to: gist, content: content, note: note, at: now)
                writes.publish(Topic.reading(gist.owner), Topic.gistDrafts(gist.owner))
            }
            guard isStored != nil else { return }
        }
    }

    private func setDraft(_ content: String, of gist: GistItem) {
        draft.withLock { $0 = (gist.id, content) }
        draftPublisher.publish([Topic.gistDrafts(gist.owner)])
    }

    /// Returns the owner's gist with the text that the model has written so far.
    func withDraft(_ gist: GistItem) -> GistItem {
        guard gist.waitsForModel, let (id, content) = draft.withLock(\.self), id == gist.id else {
            return gist
        }
        var gist = gist
        gist.isBeingWritten = true
        gist.draft = model?.draft(of: content)
        return gist
    }
}
