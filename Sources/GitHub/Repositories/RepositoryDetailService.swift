import Foundation
package import RoostSupport

/// One repository's detail and README, from SQLite; fetches them in the background.
package final class RepositoryDetailService: Sendable {
    package enum Refreshed: Equatable, Sendable {
        case unchanged
        /// The name may have changed: GitHub redirects renamed repositories (301).
        case changed(RepositoryItem)
        /// 404 or 410.
        case missing
    }

    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let database: Database
    private let fetcher: RepositoryFetcher
    private let refresher: RepositoryRefresher
    private let clock: WallClock

    init(
        queues: RepositoryRequestQueues, catalog: RepositoryCatalog, lists: RepositoryListCache,
        database: Database, fetcher: RepositoryFetcher, refresher: RepositoryRefresher, clock: WallClock
    ) {
        self.queues = queues
        self.catalog = catalog
        self.lists = lists
        self.database = database
        self.fetcher = fetcher
        self.refresher = refresher
        self.clock = clock
    }

    /// Nil for a user without an account, who sees only what is public.
    func viewer(of user: UserID) -> UserID? { queues.queue(for: user).viewer }

    /// Returns what is stored, and requests the detail and README if they are missing or old.
    package func view(_ reads: Reads, of name: RepositoryName, for user: UserID) throws -> RepositoryView {
        let queue = queues.queue(for: user)
        var view = RepositoryView(name: name, now: clock.now())
        view.budget = queue.budget("core")
        let record = try catalog.record(reads, named: name, for: queue.viewer)
        let listed = record == nil ? lists.repository(named: name, for: queue.viewer) : nil
        view.item = record?.item ?? listed.map { RepositoryItem(repository: $0) }
        view.isMissing = catalog.isMissing(name, for: queue.viewer)
        if view.isMissing {
            view.item = nil
            return view
        }
        let job = RepositoryJob.detail(name, viewer: queue.viewer)
        let isStale = catalog.isStale(view.item?.fetchedAt)
        if isStale { refresher.request(job, by: user, withReadme: true) }
        let status = refresher.status(of: job)
        view.loading = status.state()
        if case .idle = view.loading, let at = view.item?.fetchedAt { view.loading = .loaded(at) }
        view.error = status.failure?.error
        view.nextTryAt = status.nextTryAt
        if let record {
            try addReadme(reads, of: record, to: &view, for: user, queue, isDetailStale: isStale)
        }
        return view
    }

    package func view(of name: RepositoryName, for user: UserID) async throws -> RepositoryView {
        try await database.read { try view($0, of: name, for: user) }
    }

    private func addReadme(
        _ reads: Reads, of record: RepositoryRecord, to view: inout RepositoryView, for user: UserID,
        _ queue: RepositoryRequestQueue, isDetailStale: Bool
    ) throws {
        let readme = try reads.readme(of: record.key)
        view.readme = readme?.readme
        view.hasNoReadme = readme.map { $0.readme == nil } ?? false
        let job = RepositoryJob.readme(view.name, viewer: queue.viewer)
        // The detail comes first: it says whether the repository is public.
        if catalog.isStale(readme?.fetchedAt), !isDetailStale { refresher.request(job, by: user) }
        let status = refresher.status(of: job)
        view.readmeLoading = status.state()
        if case .idle = view.readmeLoading {
            let isAwaited = readme == nil && view.loading.isLoading
            view.readmeLoading = isAwaited ? .loading : readme.map { .loaded($0.fetchedAt) } ?? .idle
        }
        view.readmeError = status.failure?.error
        view.nextTryAt = view.nextTryAt ?? status.nextTryAt
    }

    package func retry(_ name: RepositoryName, for user: UserID) -> RetryOutcome {
        let queue = queues.queue(for: user)
        if let until = queue.closedUntil(.click, "core") { return .mustWait(until: until) }
        catalog.unmarkMissing(name, for: queue.viewer)
        refresher.request(.detail(name, viewer: queue.viewer), by: user, isClick: true, withReadme: true)
        return .started
    }

    /// Returns a repository with its detail, which may be up to an hour old. Waits up to 10 s for GitHub if it is
    /// older. Does not fetch the README.
    ///
    /// Throws `RoostError.notFound` if GitHub has no such repository, and `.unavailable`.
    package func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        let viewer = queues.queue(for: user).viewer
        let notFound = RoostError.notFound("This repository does not exist, or you have no access to it.")
        guard !catalog.isMissing(name, for: viewer) else { throw notFound }
        let stored = try await catalog.record(named: name, for: viewer)?.item
        if let stored, !catalog.isStale(stored.fetchedAt) { return stored }
        let failure = try await refresher.wait(for: .detail(name, viewer: viewer), by: user)
        if catalog.isMissing(name, for: viewer) { throw notFound }
        let item = try await catalog.record(named: name, for: viewer)?.item
        guard let item = item ?? stored else { throw RoostError(unavailable: failure, now: clock.now()) }
        return item
    }

    /// Refreshes one repository with a conditional request, as the user's background work, and publishes changes.
    ///
    /// Throws `CancellationError` and `GitHubFailure`. If the share for background work is used up, the failure's
    /// `retryAfter` says when to try again.
    package func refresh(_ name: RepositoryName, for user: UserID) async throws -> Refreshed {
        do {
            let queue = queues.queue(for: user)
            guard let (item, isNew) = try await fetcher.fetchDetail(name, .upkeep, queue) else {
                return .missing
            }
            return isNew ? .changed(item) : .unchanged
        } catch let error where error is GitHubFailure || error is CancellationError {
            throw error
        } catch {
            throw GitHubFailure(error: .unknown("\(error)"), detail: "\(error)")
        }
    }
}

extension RoostError {
    /// - Parameter failure: nil if GitHub did not answer in time
    init(unavailable failure: GitHubFailure?, now: Date) {
        guard let failure else {
            self = .unavailable("GitHub is slow to answer. Please try again.")
            return
        }
        let isLimit = if case .rateLimited = failure.error { true } else { false }
        let seconds = failure.requestedWait(at: now).inSeconds
        let wait = isLimit || seconds > 0 ? max(1, Int(min(seconds.rounded(.up), 86_400))) : nil
        // Programs and error pages show no separate link.
        let page = failure.error.authorizationURL.map { " Authorise it at \($0)" } ?? ""
        self = .unavailable(
            failure.error.message(source: "GitHub") + page, retryAfter: wait)
    }
}
