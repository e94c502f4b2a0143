import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Has GitHub asked for what pages look at: one job at a time of each kind, a failed one again while somebody looks.
package final class RepositoryRefresher: RefreshSource {
    /// How a job stands, with dates to show.
    struct JobStatus {
        var isLoading = false
        var failure: GitHubFailure?
        var nextTryAt: Date?

        /// Of the value that is to come.
        func state<Value>() -> LoadingState<Value> {
            if isLoading { return .loading }
            return failure.map { .failed($0.error) } ?? .idle
        }
    }

    /// Seconds after the last look at it that a failed job is still tried again by itself.
    private static let demandTTL: TimeInterval = 600
    /// A click does not fetch again what came so few seconds ago.
    static let refreshDebounce: TimeInterval = 5
    /// What a program waits for GitHub.
    private static let timeout = Duration.seconds(10)
    private static let maximumJobs = 5_000
    private static let maximumSubscribers = 1_000

    private let queues: RepositoryRequestQueues
    private let fetcher: RepositoryFetcher
    private let prefetcher: RepositoryPrefetcher
    private let lists: RepositoryListCache
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    private let refresher: Refresher<RepositoryJob>
    private let subscribers = Mutex<[RepositoryJob: Subscribers]>([:])

    /// The users who are told of a job's end; of a detail's also those who read the README after it.
    private struct Subscribers {
        var users: Set<UserID> = []
        var readers: Set<UserID> = []
    }

    init(
        queues: RepositoryRequestQueues, fetcher: RepositoryFetcher, prefetcher: RepositoryPrefetcher,
        lists: RepositoryListCache, publisher: ThrottledPublisher, clock: WallClock, log: Logger
    ) {
        self.queues = queues
        self.fetcher = fetcher
        self.prefetcher = prefetcher
        self.lists = lists
        self.publisher = publisher
        self.clock = clock
        self.log = log
        // Of a page that several viewers want, one asks.
        refresher = Refresher(clock: clock, backoff: .gitHub, capacity: Self.maximumJobs) { job, running in
            job.page == nil || !running.contains { $0.page == job.page }
        }
    }

    /// Wants a job done soon, and tells the user of its end.
    ///
    /// - Parameter withReadme: of a detail: the README is wanted as well
    func request(
        _ job: RepositoryJob, by user: UserID, isClick: Bool = false, withReadme: Bool = false
    ) {
        subscribers.withLock { subscribers in
            if subscribers.count >= Self.maximumJobs { subscribers.removeAll() }
            guard subscribers[job]?.users.count ?? 0 < Self.maximumSubscribers else { return }
            subscribers[job, default: .init()].users.insert(user)
            if withReadme { subscribers[job, default: .init()].readers.insert(user) }
        }
        // Before it is watched: a job that is watched begins at once, and would not know that it was clicked.
        if isClick { refresher.request(job, .click) }
        refresher.watch(job, for: Self.demandTTL)
        if isClick { publisher.publishNow(Topic.repositories(user)) }
    }

    func status(of job: RepositoryJob) -> JobStatus {
        let status = refresher.status(of: job)
        let failure = status.failure as? GitHubFailure
        let next = max(status.nextTryAt ?? .distantPast, clock.steady()) + clock.shift
        return JobStatus(
            isLoading: status.isLoading, failure: failure, nextTryAt: failure == nil ? nil : next)
    }

    /// Has a job done, in this task or where it runs already, and returns what went wrong, with the wait that is left; 10 s at
    /// most.
    func wait(for job: RepositoryJob, by user: UserID) async throws -> GitHubFailure? {
        request(job, by: user)
        // Otherwise GitHub, or a share of its limit, has to be waited for.
        if refresher.status(of: job).isLoading {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.refresher.perform(job, self, ifDue: true) }
                group.addTask { try? await Task.sleep(for: Self.timeout) }
                await group.next()
                group.cancelAll()
            }
        }
        try Task.checkCancellation()
        var failure = status(of: job).failure
        // It may have failed a while ago: what is left of the wait.
        let left = refresher.status(of: job).blockedUntil.timeIntervalSince(clock.steady())
        failure?.retryAfter = left > 0 ? left : nil
        return failure
    }

    /// Asks GitHub for what is wanted until cancelled.
    func run() async { await refresher.run(self) }

    /// Asks for everything that is due by the clock, until nothing is, and tells of it: for tests.
    package func runUntilIdle() async {
        await refresher.runUntilIdle(self)
        publisher.flush()
    }

    func forget(_ user: UserID) {
        refresher.forget { $0.viewer == user }
        subscribers.withLock { subscribers in
            subscribers = subscribers.filter { $0.key.viewer != user }.mapValues {
                .init(users: $0.users.subtracting([user]), readers: $0.readers.subtracting([user]))
            }
        }
    }

    // MARK: RefreshSource

    package func refresh(_ job: RepositoryJob) async throws -> RefreshOutcome {
        do {
            if let queue = queues.queue(of: job.viewer) { try await fetch(job, queue) }
            return .done
        } catch let error as CancellationError {
            throw error
        } catch {
            var failure =
                (error as? GitHubFailure) ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)")
            // GitHub cannot make sense of it, and will not in a minute.
            if failure.status == 422 { failure.retryAfter = Self.demandTTL }
            throw failure
        }
    }

    package func ended(_ job: RepositoryJob, _ failure: (any UpstreamFailure)?) {
        if let failure = failure as? GitHubFailure {
            log.info(
                "GitHub could not be asked about repositories", metadata: ["why": "\(failure.detail)"])
        }
        let users = subscribers.withLock { subscribers in
            defer { if failure == nil { subscribers[job] = nil } }
            return subscribers[job]?.users ?? []
        }
        publisher.publish(users.map { Topic.repositories($0) })
    }

    private func fetch(_ job: RepositoryJob, _ queue: RepositoryRequestQueue) async throws {
        let isClicked = refresher.status(of: job).isClicked
        switch job {
        case .page(let since, _):
            let page = lists.page(since: since)
            // It is everybody's: another has just asked for it.
            if let page, !isClicked,
                clock.steady().timeIntervalSince(page.fetchedAt) < Self.refreshDebounce
            {
                return
            }
            try await fetcher.fetchPage(since: since, page != nil && !isClicked ? .rows : .page, queue)
        case .search(let search, let page):
            let isHere = lists.page(page, of: search) != nil
            try await fetcher.fetchSearch(search, page: page, isHere && !isClicked ? .rows : .page, queue)
        case .detail(let name, _):
            // Who looked while an answer was being saved asks for what is here by now.
            let isStale = try await fetcher.isStale(name, queue)
            if isClicked || isStale {
                _ = try await fetcher.fetchDetail(name, .click, queue)
            }
            // The click may have come meanwhile.
            let isClicked = refresher.status(of: job).isClicked
            for user in subscribers.withLock({ $0[job]?.readers ?? [] }) {
                request(.readme(name, viewer: queue.viewer), by: user, isClick: isClicked)
            }
        case .readme(let name, _): try await fetcher.fetchReadme(name, queue)
        case .rows: try await prefetcher.fetch(queue)
        }
    }
}
