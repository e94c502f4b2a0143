import ArticleText
import Foundation
import Logging
import RoostSupport
import Synchronization

/// Fetches saved pages in the background: one page per host at a time, from a few hosts at once. The queue is in the
/// database and survives a restart.
package final class ArticleQueue: Service {
    private struct State {
        var hosts: Set<String> = []
    }

    private static let maximumConcurrent = 4
    private static let maximumPageRedirects = 3
    private static let pauseAfterStart: TimeInterval = 10

    private let database: Database
    private let clock: WallClock
    private let api: ArticlePageAPI
    private let pictures: ArticlePictures
    let heavyWork: HeavyWorkQueue
    private let gists: GistQueue
    private let pictureQueue: ArticlePictureQueue
    private let log: Logger
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    init(
        database: Database, api: ArticlePageAPI, pictures: ArticlePictures,
        heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger, gists: GistQueue,
        pictureQueue: ArticlePictureQueue
    ) {
        self.database = database
        self.clock = clock
        self.api = api
        self.pictures = pictures
        self.heavyWork = heavyWork
        self.log = log
        self.gists = gists
        self.pictureQueue = pictureQueue
    }

    package func wake() { signal.fire() }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.clean() }
            await delayTriedPages()
            while !Task.isCancelled {
                while let job = await next() {
                    group.addTask {
                        await self.process(job)
                        self.signal.fire()
                    }
                }
                await signal.wait(atMost: await pause())
            }
        }
    }

    func runUntilIdle() async {
        while true {
            var jobs: [ArticleJob] = []
            while let job = await next() { jobs.append(job) }
            if jobs.isEmpty { return }
            await withTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { await self.process(job) } }
            }
        }
    }

    /// Lets other pages go first after a start, so that a page that crashes Roost doesn't end each start at once. Nor is
    /// a page given up because Roost was killed several times within seconds.
    private func delayTriedPages() async {
        try? await database.write { [now = clock.nowInMilliseconds] writes in
            try writes.delayTriedArticleJobs(until: now + Self.pauseAfterStart)
        }
    }

    private func next() async -> ArticleJob? {
        let hosts = state.withLock(\.hosts)
        guard hosts.count < Self.maximumConcurrent, !Task.isCancelled else { return nil }
        let job = try? await database.read { [now = clock.nowInMilliseconds] reads in
            try reads.nextArticleJob(busy: hosts, at: now)
        }
        guard let job = job ?? nil else { return nil }
        state.withLock { _ = $0.hosts.insert(job.host) }
        return job
    }

    /// Until the next job is due, but at most a minute, because the clock may be changed.
    private func pause() async -> Duration {
        let next = try? await database.read { try $0.nextArticleTry() }
        guard state.withLock(\.hosts).isEmpty, let due = next ?? nil else { return .seconds(60) }
        // Avoids a busy loop if a due job cannot be started.
        return .seconds(min(60, max(1, due.timeIntervalSince(clock.nowInMilliseconds))))
    }

    private func process(_ job: ArticleJob) async {
        defer { state.withLock { _ = $0.hosts.remove(job.host) } }
        do {
            let started = try await database.write { [now = clock.nowInMilliseconds] writes in
                let started = try Self.begin(job, at: now, in: writes)
                if started == nil { writes.publish(Topic.reading(job.user)) }
                return started
            }
            guard let started else { return }
            try await finish(job, article: started.article, await fetched(job, html: started.html))
        } catch {
            // A cancelled task could no longer write.
            await Task { await recover(job, from: error) }.value
        }
    }

    /// Keeps the job: unchanged if Roost is shutting down, otherwise for a later attempt.
    private func recover(_ job: ArticleJob, from error: any Error) async {
        if error is CancellationError {
            try? await database.write { try $0.removeArticleAttempt(job) }
            return
        }
        log.error("A saved page could not be processed", metadata: ["error": "\(error)"])
        let failure = ArticlePageFailure(reason: "The page could not be saved.", isTemporary: true)
        do { try await record(failure, of: job) } catch {
            // Avoids a busy loop while the database rejects writes.
            try? await Task.sleep(for: .seconds(5))
        }
    }

    private func record(_ failure: ArticlePageFailure, of job: ArticleJob) async throws {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            try Self.fail(job, failure, at: now, in: writes)
            writes.publish(Topic.reading(job.user))
        }
    }

    private func finish(
        _ job: ArticleJob, article: ArticleID, _ result: Result<FetchedArticle, ArticlePageFailure>
    ) async throws {
        switch result {
        case .success(let fetched):
            let id = try await database.write { [now = clock.nowInMilliseconds] writes in
                writes.publish(Topic.reading(job.user))
                return try Self.store(fetched, of: job, in: article, at: now, in: writes)
            }
            guard id != nil, case .text(let text) = fetched.content else { return }
            // For the lists.
            if let image = text.leadImage { _ = pictures.path(of: image) }
            pictureQueue.wake()
            gists.wake()
        case .failure(let failure):
            if failure.isInterruption { throw CancellationError() }
            try await record(failure, of: job)
        }
    }

    private func fetched(
        _ job: ArticleJob, html: [UInt8]?
    ) async -> Result<FetchedArticle, ArticlePageFailure> {
        if let html {
            return await extracted(html, charset: "utf-8", at: job.url, finalURL: nil, for: job.user)
        }
        var page: FetchedPage
        do {
            page = try await api.page(at: job.url)
            for _ in 0..<Self.maximumPageRedirects {
                guard let target = try await redirect(of: page, for: job.user) else { break }
                page = try await api.page(at: target)
            }
        } catch { return .failure(Self.failure(error)) }
        if ArticlePageAPI.isText(page.mediaType) {
            return await extracted(
                page.body, charset: page.charset, isHTML: ArticlePageAPI.isHTML(page.mediaType), at: page.url,
                finalURL: page.url, for: job.user)
        }
        if let pdf = api.pdf, page.mediaType == PDFReader.mediaType {
            return await read(page, with: pdf, for: job.user)
        }
        return .success(FetchedArticle(content: .link(page.mediaType), finalURL: page.url))
    }

    /// A PDF without a text, or one that can't be read, stays a link.
    private func read(
        _ page: FetchedPage, with pdf: PDFReader, for user: UserID
    ) async -> Result<FetchedArticle, ArticlePageFailure> {
        do {
            let (article, pages) = try await heavyWork.run(for: user) {
                try await pdf.read(page.body, at: page.url)
            }
            return .success(
                FetchedArticle(
                    content: .text(article), finalURL: page.url, pages: pages, mediaType: page.mediaType))
        } catch {
            if error is CancellationError { return .failure(Self.failure(error)) }
            log.info("A PDF could not be read", metadata: ["error": "\(error)"])
            return .success(FetchedArticle(content: .link(page.mediaType), finalURL: page.url))
        }
    }

    /// The page that a page without text sends its readers to. Runs in `heavyWork`, as `extracted` does.
    private func redirect(of page: FetchedPage, for user: UserID) async throws -> String? {
        guard ArticlePageAPI.isHTML(page.mediaType) else { return nil }
        return try await heavyWork.run(for: user) {
            PageRedirect.target(of: page.body, charset: page.charset, url: page.url)
        }
    }

    /// Runs in `heavyWork`, because a page may be large or built to be slow.
    private func extracted(
        _ page: [UInt8], charset: String?, isHTML: Bool = true, at url: String, finalURL: String?,
        for user: UserID
    ) async -> Result<FetchedArticle, ArticlePageFailure> {
        do {
            let text = try await heavyWork.run(for: user) {
                if isHTML { return try ArticleExtractor.extract(page, charset: charset, url: url) }
                let text = TextDecoding.utf8(page, headerCharset: charset)
                let html = Self.html(ofPlain: String(decoding: text, as: UTF8.self))
                return try ArticleExtractor.extract(Array(html.utf8), charset: "utf-8", url: url)
            }
            guard !text.text.isBlank else {
                return .failure(
                    ArticlePageFailure(
                        reason: """
                            There is no text in the page as its site sends it. Open it in the browser and save it with \
                            the bookmarklet.
                            """))
            }
            return .success(FetchedArticle(content: .text(text), finalURL: finalURL))
        } catch { return .failure(Self.failure(error)) }
    }

    private static func failure(_ error: any Error) -> ArticlePageFailure {
        switch error {
        case let failure as ArticlePageFailure: failure
        case is CancellationError: ArticlePageFailure(reason: "Roost was stopped.", isInterruption: true)
        case RoostError.unavailable(_, .some): ArticlePageFailure(reason: "Roost is busy.", isTemporary: true)
        default:
            ArticlePageFailure(
                reason: (error as? ExtractionError)?.message ?? (error as? RoostError)?.message
                    ?? "The page could not be read.")
        }
    }

    /// Blank lines separate paragraphs.
    private static func html(ofPlain text: String) -> String {
        let escaped = text.replacingBytes(of: "&", with: "&amp;").replacingBytes(of: "<", with: "&lt;")
        let paragraphs = escaped.replacingBytes(of: "\r\n", with: "\n").components(separatedBy: "\n\n")
        let body = paragraphs.filter { !$0.isBlank }.map { "<p>\($0)</p>" }.joined(separator: "\n")
        return "<!DOCTYPE html><html><body><article>\(body)</article></body></html>"
    }

    // MARK: Cleaning

    /// Erases deleted articles in small batches once they can no longer be restored.
    private func clean() async {
        while !Task.isCancelled {
            let isDone = await cleanOnce()
            try? await Task.sleep(for: isDone ? .seconds(60) : .milliseconds(200))
        }
    }

    /// Returns true if nothing is left to erase.
    func cleanOnce() async -> Bool {
        let isMore = try? await database.write { [now = clock.nowInMilliseconds] writes in
            try writes.removeOldArticleJobs(at: now)
            return try writes.removeDeletedArticles()
        }
        return isMore != true
    }
}
