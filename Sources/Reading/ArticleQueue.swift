import ArticleText
import Foundation
import Logging
import RoostSupport
import Synchronization

/// Fetches what was saved, in the background: one page of a host at a time, a few hosts at once.
///
/// What waits is on the disk: after a restart it goes on where it was.
package final class ArticleQueue: Service {
    private struct State {
        var hosts: Set<String> = []
    }

    /// Pages under way at the same time.
    private static let maximumConcurrent = 4

    private let writer: ReadingWriter
    private let api: ArticlePageAPI
    private let pictures: ArticlePictures
    /// Where pages are extracted.
    let heavyWork: HeavyWorkQueue
    private let onText: @Sendable () -> Void
    private let log: Logger
    private let signal = AsyncSignal()
    private let state = Mutex(State())

    /// - Parameter onText: told when a text has come
    init(
        writer: ReadingWriter, api: ArticlePageAPI, pictures: ArticlePictures, heavyWork: HeavyWorkQueue,
        log: Logger, onText: @escaping @Sendable () -> Void
    ) {
        self.writer = writer
        self.api = api
        self.pictures = pictures
        self.heavyWork = heavyWork
        self.log = log
        self.onText = onText
    }

    /// Something was put into the queue.
    package func wake() { signal.fire() }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.clean() }
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

    /// Works on all that is due now, until nothing is; for tests.
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

    private func next() async -> ArticleJob? {
        let hosts = state.withLock(\.hosts)
        guard hosts.count < Self.maximumConcurrent, !Task.isCancelled else { return nil }
        let job = try? await writer.inWords {
            try await writer.store.write(at: writer.now) { try ArticleQueueTransaction($0).next(busy: hosts) }
        }
        guard let job = job ?? nil else { return nil }
        state.withLock { _ = $0.hosts.insert(job.host) }
        return job
    }

    /// Until the next one is due; not longer than a minute, as the clock may be set.
    private func pause() async -> Duration {
        let next = try? await writer.read { try ArticleQueueTransaction($0).nextTry() }
        guard state.withLock(\.hosts).isEmpty, let due = next ?? nil else { return .seconds(60) }
        // One that is due, but could not be begun, is not tried all the time.
        return .seconds(min(60, max(1, due.timeIntervalSince(writer.now))))
    }

    private func process(_ job: ArticleJob) async {
        defer { state.withLock { _ = $0.hosts.remove(job.host) } }
        do {
            let begun = try await writer.inWords {
                try await writer.store.write(at: writer.now) { try ArticleQueueTransaction($0).begin(job) }
            }
            guard let begun else { return writer.feed.publish([Topic.reading(job.user)]) }
            try await finish(job, article: begun.article, await fetched(job, html: begun.html))
        } catch {
            // A cancelled task could not write any more.
            await Task { await recover(job, from: error) }.value
        }
    }

    /// The job stays: as it was where Roost is going down, for later where the disk or the page had it fail.
    private func recover(_ job: ArticleJob, from error: any Error) async {
        if error is CancellationError {
            _ = try? await writer.store.write(at: writer.now) {
                try ArticleQueueTransaction($0).interrupted(job)
            }
            return
        }
        log.error("A saved page could not be processed", metadata: ["error": "\(error)"])
        let failure = ArticlePageFailure(reason: "The page could not be saved.", isTemporary: true)
        let isNoted: Void? = try? await writer.write(for: job.user) {
            try ArticleQueueTransaction($0).failed(job, failure)
        }
        // Nor is a disk that refuses asked all the time.
        if isNoted == nil { try? await Task.sleep(for: .seconds(5)) }
    }

    private func finish(
        _ job: ArticleJob, article: ArticleID, _ result: Result<FetchedArticle, ArticlePageFailure>
    ) async throws {
        switch result {
        case .success(let fetched):
            let id = try await writer.write(for: job.user) {
                try ArticleQueueTransaction($0).succeeded(job, article: article, fetched)
            }
            guard id != nil, case .text(let text) = fetched.content else { return }
            if let image = text.leadImage { _ = pictures.path(of: image) }
            for address in ArticlePictures.addresses(in: text.markup).prefix(100) {
                _ = pictures.path(of: address)
            }
            onText()
        case .failure(let failure):
            if failure.isInterruption { throw CancellationError() }
            try await writer.write(for: job.user) { try ArticleQueueTransaction($0).failed(job, failure) }
        }
    }

    private func fetched(
        _ job: ArticleJob, html: [UInt8]?
    ) async -> Result<FetchedArticle, ArticlePageFailure> {
        if let html {
            return await extracted(html, charset: "utf-8", at: job.url, finalURL: nil, for: job.user)
        }
        let page: FetchedPage
        do { page = try await api.page(at: job.url) } catch { return .failure(error) }
        if ArticlePageAPI.isHTML(page.mediaType) {
            return await extracted(
                page.body, charset: page.charset, at: page.url, finalURL: page.url, for: job.user)
        }
        if ArticlePageAPI.isText(page.mediaType) {
            let text = TextDecoding.utf8(page.body, headerCharset: page.charset)
            let html = Self.html(ofPlain: String(decoding: text, as: UTF8.self))
            return await extracted(
                Array(html.utf8), charset: "utf-8", at: page.url, finalURL: page.url, for: job.user)
        }
        return .success(FetchedArticle(content: .link(page.mediaType), finalURL: page.url))
    }

    /// Away from the threads that serve: a page may be large, and made to take long.
    private func extracted(
        _ html: [UInt8], charset: String?, at url: String, finalURL: String?, for user: UserID
    ) async -> Result<FetchedArticle, ArticlePageFailure> {
        do {
            let text = try await heavyWork.run(for: user) {
                try ArticleExtractor.extract(html, charset: charset, url: url)
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
        } catch is CancellationError {
            return .failure(ArticlePageFailure(reason: "Roost was stopped.", isInterruption: true))
        } catch RoostError.unavailable(_, .some) {
            return .failure(ArticlePageFailure(reason: "Roost is busy.", isTemporary: true))
        } catch {
            let why = (error as? ExtractionError)?.message ?? (error as? RoostError)?.message
            return .failure(ArticlePageFailure(reason: why ?? "The page could not be read."))
        }
    }

    /// Paragraphs are what an empty line parts.
    private static func html(ofPlain text: String) -> String {
        let escaped = text.replacingBytes(of: "&", with: "&amp;").replacingBytes(of: "<", with: "&lt;")
        let paragraphs = escaped.replacingBytes(of: "\r\n", with: "\n").components(separatedBy: "\n\n")
        let body = paragraphs.filter { !$0.isBlank }.map { "<p>\($0)</p>" }.joined(separator: "\n")
        return "<!DOCTYPE html><html><body><article>\(body)</article></body></html>"
    }

    // MARK: Cleaning

    /// Removes what was deleted and can no longer be brought back, a little at a time.
    private func clean() async {
        while !Task.isCancelled {
            let isDone = await cleanOnce()
            try? await Task.sleep(for: isDone ? .seconds(60) : .milliseconds(200))
        }
    }

    /// True where nothing is left to be removed.
    func cleanOnce() async -> Bool {
        let good = writer.undoEnds.good
        let now = writer.now
        let isMore = try? await writer.inWords {
            try await writer.store.write(at: now) { reading in
                try ArticleQueueTransaction(reading).removeOld()
                return try reading.removeOld(before: now - ReadingUndoStep.lifetime, except: good)
            }
        }
        return isMore != true
    }
}
