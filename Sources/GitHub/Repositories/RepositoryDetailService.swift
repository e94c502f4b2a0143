import Foundation
package import RoostSupport

/// One repository's detail and README: from SQLite, fetched in the background.
package final class RepositoryDetailService: Sendable {
    /// What a refresh for a bookmark has found.
    package enum Refreshed: Equatable, Sendable {
        case unchanged
        /// Also under another name: GitHub redirected to it (301).
        case changed(RepositoryItem)
        /// 404 or 410.
        case gone
    }

    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let store: RepositoryStore
    private let fetcher: RepositoryFetcher
    private let refresher: RepositoryRefresher
    private let clock: WallClock

    init(
        queues: RepositoryRequestQueues, catalog: RepositoryCatalog, lists: RepositoryListCache,
        store: RepositoryStore, fetcher: RepositoryFetcher, refresher: RepositoryRefresher, clock: WallClock
    ) {
        self.queues = queues
        self.catalog = catalog
        self.lists = lists
        self.store = store
        self.fetcher = fetcher
        self.refresher = refresher
        self.clock = clock
    }

    /// Returns what is known of one repository, and requests its detail and README if they are missing or old.
    package func view(of name: RepositoryName, for user: UserID) async throws -> RepositoryView {
        let queue = queues.queue(for: user)
        var view = RepositoryView(name: name, now: clock.now())
        view.budget = queue.budget("core")
        let record = try await catalog.record(named: name, for: queue.viewer)
        let listed = record == nil ? lists.repository(named: name, for: queue.viewer) : nil
        view.item = record?.item ?? listed.map { RepositoryItem(repository: $0) }
        view.isGone = catalog.isGone(name, for: queue.viewer)
        if view.isGone {
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
            try await addReadme(of: record, to: &view, for: user, queue, isDetailStale: isStale)
        }
        return view
    }

    private func addReadme(
        of record: RepositoryRecord, to view: inout RepositoryView, for user: UserID,
        _ queue: RepositoryRequestQueue, isDetailStale: Bool
    ) async throws {
        let readme = try await store.readme(record.key)
        view.readme = readme?.readme
        view.hasNoReadme = readme.map { $0.readme == nil } ?? false
        let job = RepositoryJob.readme(view.name, viewer: queue.viewer)
        // After the detail, which says whether everybody may see it.
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

    /// A click on "Refresh" or "Try again".
    package func retry(_ name: RepositoryName, for user: UserID) -> RetryOutcome {
        let queue = queues.queue(for: user)
        if let until = queue.closedUntil(.click, "core") { return .mustWait(until: until) }
        catalog.unmarkGone(name, for: queue.viewer)
        refresher.request(.detail(name, viewer: queue.viewer), by: user, isClick: true, withReadme: true)
        return .started
    }

    /// Returns a repository with its detail, as known if that is not older than an hour; waits 10 s at most for GitHub.
    /// Its README is not asked for.
    ///
    /// Throws `RoostError.notFound` where GitHub knows none, and `.unavailable`.
    package func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        let viewer = queues.queue(for: user).viewer
        let notFound = RoostError.notFound("There is no such repository, or none that you may see.")
        guard !catalog.isGone(name, for: viewer) else { throw notFound }
        let known = try await catalog.record(named: name, for: viewer)?.item
        if let known, !catalog.isStale(known.fetchedAt) { return known }
        let failure = try await refresher.wait(for: .detail(name, viewer: viewer), by: user)
        if catalog.isGone(name, for: viewer) { throw notFound }
        let item = try await catalog.record(named: name, for: viewer)?.item
        guard let item = item ?? known else { throw RoostError(unavailable: failure, now: clock.now()) }
        return item
    }

    /// Asks GitHub for one repository again, conditionally, as this user's background work within the limits, and tells
    /// the listeners.
    ///
    /// Throws `GitHubFailure` (a limit's when the share for background work is used up: `retryAfter` says when to come
    /// again) and `CancellationError`.
    package func refresh(_ name: RepositoryName, for user: UserID) async throws -> Refreshed {
        do {
            let queue = queues.queue(for: user)
            guard let (item, isNew) = try await fetcher.fetchDetail(name, .upkeep, queue) else {
                return .gone
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
    /// GitHub does not answer; nil: not in time.
    init(unavailable failure: GitHubFailure?, now: Date) {
        guard let failure else {
            self = .unavailable("GitHub takes its time. Please try again.")
            return
        }
        let isLimit = if case .rateLimited = failure.error { true } else { false }
        let seconds = failure.requestedWait(at: now)
        let wait = isLimit || seconds > 0 ? max(1, Int(min(seconds.rounded(.up), 86_400))) : nil
        // These words go to programs and error pages, which show no link of their own.
        let page = failure.error.authorizationURL.map { " Authorise it at \($0)" } ?? ""
        self = .unavailable(
            failure.error.message(source: "GitHub") + page, retryAfter: wait)
    }
}
