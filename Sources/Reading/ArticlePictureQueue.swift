import Foundation
import Logging
import RoostSupport

/// Fetches the pictures of saved articles and stores them in the database, so that articles keep them when their sites
/// do not. A picture that can't be fetched never fails its article.
final class ArticlePictureQueue: Sendable {
    /// Seconds until the next attempt after a failure that may be temporary.
    private static let delays: [TimeInterval] = [300, 3_600, 86_400]
    private static let maximumConcurrent = 2
    /// Articles whose pictures are listed in one transaction.
    private static let maximumListed = 50

    private let database: Database
    private let pictures: PictureCache
    private let limits: ArticlePictureLimits
    private let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()

    init(
        database: Database, pictures: PictureCache, limits: ArticlePictureLimits, clock: WallClock,
        log: Logger
    ) {
        self.database = database
        self.pictures = pictures
        self.limits = limits
        self.clock = clock
        self.log = log
    }

    func wake() { signal.fire() }

    func run() async {
        while !Task.isCancelled {
            await runUntilIdle()
            // A failed picture may be due, or an import may have added articles.
            await signal.wait(atMost: .seconds(60))
        }
    }

    func runUntilIdle() async {
        do {
            while try await database.read({ try $0.hasDueArticlePictures() }) {
                try await database.write { [limits] writes in
                    for _ in 0..<Self.maximumListed {
                        guard try writes.listDueArticlePictures(limits) else { return }
                    }
                }
            }
            while !Task.isCancelled {
                let jobs = try await database.read { [now = clock.nowInMilliseconds] reads in
                    try reads.articlePictureJobs(limit: Self.maximumConcurrent, at: now)
                }
                if jobs.isEmpty { return }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for job in jobs { group.addTask { try await self.fetch(job) } }
                    try await group.waitForAll()
                }
            }
        } catch is CancellationError {
            return
        } catch {
            // `run` tries again later, so that a full disk does not cause a busy loop.
            log.error("Pictures of articles could not be stored", metadata: ["error": "\(error)"])
        }
    }

    private func fetch(_ job: ArticlePictureJob) async throws {
        let result = await fetched(job)
        if case .failure(.cancelled) = result { throw CancellationError() }
        try await database.write { [limits, now = clock.nowInMilliseconds] writes in
            switch result {
            case .success(let picture):
                try writes.storePicture(picture, of: job, maximumBytes: limits.bytes, at: now)
            case .failure(.noAnswer) where job.attempts < Self.delays.count:
                try writes.notePictureFailure(
                    of: job, isLast: false, nextTry: now + Self.delays[job.attempts])
            case .failure: try writes.notePictureFailure(of: job, isLast: true, nextTry: now)
            }
        }
        if case .success = result { pictures.announce() }
    }

    private func fetched(_ job: ArticlePictureJob) async -> Result<PictureCache.Picture, PictureAPI.Failure> {
        guard let address = PictureAddress(job.url, from: ArticlePictureSource()) else {
            return .failure(.refused("not an address"))
        }
        do throws(PictureAPI.Failure) {
            return .success(try await pictures.download(address))
        } catch {
            return .failure(error)
        }
    }
}
