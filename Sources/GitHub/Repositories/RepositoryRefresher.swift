import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Runs the requests that pages need, each once at a time, and retries failed ones while users watch.
package final class RepositoryRefresher: RefreshSource {
    /// A job's status.
    struct JobStatus {
        var isLoading = false
        var failure: GitHubFailure?
        var nextTryAt: Date?

        func state<Value>() -> LoadingState<Value> {
            if isLoading { return .loading }
            return failure.map { .failed($0.error) } ?? .idle
        }
    }

    /// The time after the last view during which a failed job is retried automatically.
    private static let demandTTL = Duration.seconds(600)
    /// A click does not fetch data again that is younger than this.
    static let refreshDebounce = Duration.seconds(5)
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
        // If several viewers need the same page, only one requests it.
        refresher = Refresher(clock: clock, backoff: .gitHub, capacity: Self.maximumJobs) { job, running in
            job.page == nil || !running.contains { $0.page == job.page }
        }
    }

    /// Requests a job, and notifies the user when it ends.
    ///
    /// - Parameter withReadme: whether the README should follow the detail
    func request(
        _ job: RepositoryJob, by user: UserID, isClick: Bool = false, withReadme: Bool = false
    ) {
        subscribers.withLock { subscribers in
            if subscribers.count >= Self.maximumJobs { subscribers.removeAll() }
            guard subscribers[job]?.users.count ?? 0 < Self.maximumSubscribers else { return }
            subscribers[job, default: .init()].users.insert(user)
            if withReadme { subscribers[job, default: .init()].readers.insert(user) }
        }
        // Must come before `watch`: a watched job may start at once, and would not count as clicked.
        if isClick { refresher.request(job, .click) }
        refresher.watch(job, for: Self.demandTTL)
        if isClick { publisher.publishNow(Topic.repositories(user)) }
    }

    func status(of job: RepositoryJob) -> JobStatus {
        let status = refresher.status(of: job)
        var failure = status.failure as? GitHubFailure
        if let error = status.error { failure?.error = error }
        let next = clock.date(of: max(status.nextTryAt ?? .distantPast, clock.steady()))
        return JobStatus(
            isLoading: status.isLoading, failure: failure, nextTryAt: failure == nil ? nil : next)
    }

    /// Runs a job, or waits for a running one, for up to 10 s. Returns its failure with the remaining wait.
    func wait(for job: RepositoryJob, by user: UserID) async throws -> GitHubFailure? {
        request(job, by: user)
        // If not, the job must wait for GitHub or for its share of the limit.
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
        let left = refresher.status(of: job).blockedUntil - clock.steady()
        failure?.retryAfter = left > .zero ? left.inSeconds : nil
        return failure
    }

    func run() async { await refresher.run(self) }

    /// Runs all jobs that are due, and publishes the changes. For tests.
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
            // A retry would not help: GitHub rejects the query.
            if failure.status == 422 { failure.retryAfter = Self.demandTTL.inSeconds }
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
            // Pages are shared: another user has just requested it.
            if let page, !isClicked,
                clock.steady() - page.fetchedAt < Self.refreshDebounce
            {
                return
            }
            try await fetcher.fetchPage(since: since, page != nil && !isClicked ? .rows : .page, queue)
        case .search(let search, let page):
            let isCached = lists.page(page, of: search) != nil
            try await fetcher.fetchSearch(search, page: page, isCached && !isClicked ? .rows : .page, queue)
        case .detail(let name, _):
            // The detail may have been saved after the request was made.
            let isStale = try await fetcher.isStale(name, queue)
            if isClicked || isStale {
                _ = try await fetcher.fetchDetail(name, .click, queue)
            }
            let isClicked = refresher.status(of: job).isClicked
            for user in subscribers.withLock({ $0[job]?.readers ?? [] }) {
                request(.readme(name, viewer: queue.viewer), by: user, isClick: isClicked)
            }
        case .readme(let name, _): try await fetcher.fetchReadme(name, queue)
        case .rows: try await prefetcher.fetch(queue)
        }
    }
}

/// A request to GitHub. `viewer` is the user whose account sends it, or nil for the shared client.
package enum RepositoryJob: Hashable, Sendable {
    case page(since: RepositoryID, viewer: UserID?)
    case search(RepositorySearchCache.Key, page: Int)
    case detail(RepositoryName, viewer: UserID?)
    case readme(RepositoryName, viewer: UserID?)
    /// The visible rows of all users with this viewer.
    case rows(viewer: UserID?)

    var viewer: UserID? {
        switch self {
        case .page(_, let viewer), .detail(_, let viewer), .readme(_, let viewer), .rows(let viewer): viewer
        case .search(let key, _): key.viewer
        }
    }

    var page: RepositoryID? { if case .page(let since, _) = self { since } else { nil } }
}
