import ArticleText
import Foundation
import Logging
import RoostSupport
import Synchronization

/// Makes the gists that were asked for in advance, and asks the model for those that it is to write.
///
/// What waits is on the disk. The model is asked one gist at a time.
final class GistQueue: Service {
    private let writer: ReadingWriter
    private let model: GistModelAPI?
    private let heavyWork: HeavyWorkQueue
    private let log: Logger
    private let (dueSignal, modelSignal) = (AsyncSignal(), AsyncSignal())

    init(writer: ReadingWriter, model: GistModelAPI?, heavyWork: HeavyWorkQueue, log: Logger) {
        self.writer = writer
        self.model = model
        self.heavyWork = heavyWork
        self.log = log
    }

    var asksModel: Bool { model != nil }

    func wake() {
        dueSignal.fire()
        modelSignal.fire()
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    await self.makeDue()
                    await self.dueSignal.wait(atMost: .seconds(60))
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.askModel()
                    await self.modelSignal.wait(atMost: .seconds(60))
                }
            }
        }
    }

    /// Makes all that is due now; for tests too.
    func runUntilIdle() async {
        await makeDue()
        await askModel()
    }

    private func makeDue() async {
        while !Task.isCancelled {
            let due = try? await writer.read { try GistTransaction($0).dueArticles(limit: 20) }
            guard let due, !due.isEmpty else { return }
            for (article, user) in due {
                do { try await make(for: article, length: nil, replacingEdited: false, by: user) } catch {
                    if error is CancellationError || Task.isCancelled { return }
                    // Busy, or a disk that refuses: it is asked for as before.
                    if case RoostError.unavailable = error { return }
                    // Without prose there is no gist. A disk that refuses ends the round.
                    guard
                        (try? await writer.write(for: user) {
                            try GistTransaction($0).noLongerDue(article)
                        }) != nil
                    else { return }
                }
            }
        }
    }

    // MARK: Roost's own

    /// Throws as `GistService.make`.
    @discardableResult
    func make(
        for article: ArticleID, length: GistLength?, replacingEdited: Bool, by user: UserID
    ) async throws -> GistRecord {
        let (item, text, known) = try await writer.read { reading in
            let item = try reading.known(article, of: user).item
            return (
                item, try reading.body(of: item.id)?.text ?? "",
                try GistTransaction(reading).gist(of: item.id)
            )
        }
        if let known, known.isEdited, !replacingEdited { throw Self.isEdited }
        guard !text.isBlank else {
            throw RoostError.invalid(field: "article", why: "This article has no text to make a gist of.")
        }
        let chosen = try await chosenLength(length, of: user)
        let content = try await summary(
            of: text, title: item.article.title, language: item.language, length: chosen, field: "article",
            for: user)
        let asksModel = asksModel
        let gist = try await writer.write(for: user) { reading in
            let gists = GistTransaction(reading)
            let item = try reading.known(item.id, of: user).item
            // It may have been edited while this one was made.
            if let now = try gists.gist(of: item.id), now.isEdited,
                !replacingEdited || known?.isEdited != true
            {
                throw Self.isEdited
            }
            let draft = GistTransaction.Draft(
                title: item.article.title, content: content, sourceURL: item.article.url,
                category: item.article.category, method: .extractive, modelLength: asksModel ? chosen : nil)
            try gists.noLongerDue(item.id)
            return try gists.put(draft, article: item.id, by: user)
        }
        modelSignal.fire()
        return gist
    }

    func makeOfText(
        title: String, text: String, category: String?, length: GistLength?, by user: UserID
    ) async throws -> GistRecord {
        let chosen = try await chosenLength(length, of: user)
        let content = try await summary(
            of: text, title: title, language: nil, length: chosen, field: "text", for: user)
        let asksModel = asksModel
        let gist = try await writer.write(for: user) { reading in
            try GistTransaction(reading).put(
                .init(
                    title: title, content: content, category: category, method: .extractive,
                    modelLength: asksModel ? chosen : nil, modelText: asksModel ? text : nil),
                article: nil, by: user)
        }
        modelSignal.fire()
        return gist
    }

    private static let isEdited = RoostError.conflict(
        field: "gist", why: "You have edited this gist. A new one would replace your words.")

    private func chosenLength(_ length: GistLength?, of user: UserID) async throws -> GistLength {
        if let length { return length }
        return try await writer.inWords { try await writer.store.preferences(of: user) }.gistLength
    }

    private func summary(
        of text: String, title: String, language: String?, length: GistLength, field: String, for user: UserID
    ) async throws -> String {
        let sentences = try await heavyWork.run(for: user, rows: text.utf8.count / 200) {
            Summarizer.summary(of: text, title: title, language: language, length: length)
        }
        let content = sentences.map { $0.sanitized.trimmed }.filter { !$0.isEmpty }.joined(separator: "\n")
        guard !content.isEmpty else {
            throw RoostError.invalid(field: field, why: "There are no sentences to make a gist of.")
        }
        return String(Substring(content.unicodeScalars.prefix(ArticleRules.maximumGistLength)))
    }

    // MARK: The model's

    private func askModel() async {
        while !Task.isCancelled {
            let next = try? await writer.read { try GistTransaction($0).nextForModel(except: []) }
            guard let (gist, text, language) = next ?? nil else { return }
            var (content, note): (String?, String?)
            if let model {
                do {
                    content = try await model.gist(
                        of: text, title: gist.title, language: language,
                        length: gist.modelLength ?? .automatic)
                } catch {
                    if error.isInterruption { return }
                    note = error.reason + " This is Roost’s own gist."
                    log.warning("The model wrote no gist", metadata: ["why": "\(error.reason)"])
                }
            }
            let (answer, why) = (content, note)
            guard
                (try? await writer.write(for: gist.userId) {
                    try GistTransaction($0).answered(gist, content: answer, note: why)
                }) != nil
            else { return }
        }
    }
}
