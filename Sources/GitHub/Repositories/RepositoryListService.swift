import Foundation
package import RoostSupport
import Synchronization

/// Lists of repositories (all public ones, searches and trending) from memory; fetches them in the background.
package final class RepositoryListService: Sendable {
    private static let maximumPages = 20

    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let prefetcher: RepositoryPrefetcher
    private let refresher: RepositoryRefresher
    private let clock: WallClock
    private let lastViewed = Mutex<[UserID: (list: RepositoryList, pages: Int)]>([:])

    init(
        queues: RepositoryRequestQueues, catalog: RepositoryCatalog, lists: RepositoryListCache,
        prefetcher: RepositoryPrefetcher, refresher: RepositoryRefresher, clock: WallClock
    ) {
        self.queues = queues
        self.catalog = catalog
        self.lists = lists
        self.prefetcher = prefetcher
        self.refresher = refresher
        self.clock = clock
    }

    /// Returns a list's first `pages` pages with all known details, and requests missing pages.
    package func listing(_ reads: Reads, _ list: RepositoryList, pages: Int, for user: UserID) throws
        -> RepositoryListing
    {
        let pages = min(max(1, pages), Self.maximumPages)
        let queue = queues.queue(for: user)
        lastViewed.withLock { $0[user] = (list, pages) }
        var listing = RepositoryListing(now: clock.now())
        let repositories =
            if case .all(let since) = list {
                all(since: since, pages: pages, for: user, queue, into: &listing)
            } else {
                found(list, pages: pages, for: user, queue, into: &listing)
            }
        try fill(reads, &listing, with: repositories, for: user, queue)
        return listing
    }

    package func listing(_ list: RepositoryList, pages: Int, for user: UserID) async throws
        -> RepositoryListing
    {
        try await catalog.database.read { try listing($0, list, pages: pages, for: user) }
    }

    /// Returns one page of all public repositories. Waits up to 10 s for GitHub.
    ///
    /// Throws `RoostError.unavailable` if GitHub does not answer.
    package func page(since: RepositoryID, for user: UserID) async throws -> RepositoryListing {
        let since = max(0, since)
        if lists.page(since: since) == nil {
            let viewer = queues.queue(for: user).viewer
            let failure = try await refresher.wait(for: .page(since: since, viewer: viewer), by: user)
            if lists.page(since: since) == nil { throw RoostError(unavailable: failure, now: clock.now()) }
        }
        return try await listing(.all(since: since), pages: 1, for: user)
    }

    /// The last one is fetched first.
    package func prefetch(_ ids: [RepositoryID], for user: UserID) {
        prefetcher.setVisible(ids, for: user)
        if !ids.isEmpty { refresher.request(.rows(viewer: queues.queue(for: user).viewer), by: user) }
    }

    /// Handles "Refresh" and "Try again": requests the pages that the user viewed last.
    package func retry(_ list: RepositoryList, for user: UserID) -> RetryOutcome {
        let queue = queues.queue(for: user)
        let isAll = if case .all = list { true } else { false }
        if let until = queue.closedUntil(.page, isAll ? "core" : "search") { return .mustWait(until: until) }
        let pages = lastViewed.withLock { $0[user].flatMap { $0.list == list ? $0.pages : nil } ?? 1 }
        for job in jobs(of: list, pages: pages, queue) { refresher.request(job, by: user, isClick: true) }
        return .started
    }

    package func waiting(for user: UserID) -> Int { queues.queue(for: user).waiting }

    func forget(_ user: UserID) { lastViewed.withLock { $0[user] = nil } }

    /// `at` is when the list was fetched.
    private typealias Listed = (repository: Repository, at: Date)

    private func all(
        since: RepositoryID, pages: Int, for user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) -> [Listed] {
        listing.budget = queue.budget("core")
        var listed: [Listed] = []
        var next = max(0, since)
        for _ in 0..<pages {
            let job = RepositoryJob.page(since: next, viewer: queue.viewer)
            guard let page = lists.page(since: next) else {
                requestMissing(job, by: user, queue, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            addPage(
                fetchedAt: fetchedAt, lifetime: RepositoryPageCache.lifetime, refused: page.refused,
                into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            let isOld = clock.steady() - page.fetchedAt > RepositoryPageCache.lifetime
            renew(job, isOld: isOld, by: user, queue, into: &listing)
            listing.hasMorePages = page.next != nil
            listing.next = page.next
            guard let following = page.next else { break }
            next = following
        }
        return listed
    }

    private func found(
        _ list: RepositoryList, pages: Int, for user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) -> [Listed] {
        listing.budget = queue.budget("search")
        if let why = RepositorySearch.refusal(of: list) {
            (listing.refusal, listing.error) = (why, .invalidResponse(statusCode: 422))
            listing.loading = .failed(.invalidResponse(statusCode: 422))
            return []
        }
        guard !RepositorySearch.isEmpty(list) else { return [] }
        let key = RepositorySearchCache.Key(list: list, viewer: queue.viewer)
        var listed: [Listed] = []
        for number in 1...min(pages, RepositorySearchCache.maximumPages) {
            let job = RepositoryJob.search(key, page: number)
            guard let page = lists.page(number, of: key) else {
                requestMissing(job, by: user, queue, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            let lifetime = RepositorySearchCache.lifetime(of: list)
            addPage(fetchedAt: fetchedAt, lifetime: lifetime, refused: page.refused, into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            listing.total = page.total ?? listing.total
            listing.isIncomplete = listing.isIncomplete || page.isIncomplete
            let age = clock.steady() - page.fetchedAt
            renew(job, isOld: age > lifetime, by: user, queue, into: &listing)
            listing.hasMorePages = page.hasNext && number < RepositorySearchCache.maximumPages
            guard listing.hasMorePages else { break }
        }
        return listed
    }

    private func requestMissing(
        _ job: RepositoryJob, by user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        refresher.request(job, by: user)
        let status = refresher.status(of: job)
        listing.loading = status.state()
        if listing.pages == 0 { listing.hasMorePages = false }
        showFailure(of: status, into: &listing)
    }

    /// Requests an old page, unless the rest of the limit is reserved for more urgent requests.
    private func renew(
        _ job: RepositoryJob, isOld: Bool, by user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        let resource = job.page == nil ? "search" : "core"
        if isOld, queue.closedUntil(.rows, resource) == nil { refresher.request(job, by: user) }
        let status = refresher.status(of: job)
        listing.isRenewing = listing.isRenewing || status.isLoading
        // Keeping the rest of the limit for clicks isn't an error.
        if case .rateLimited = status.failure?.error, queue.closedUntil(.click, resource) == nil { return }
        showFailure(of: status, into: &listing)
    }

    private func showFailure(of status: RepositoryRefresher.JobStatus, into listing: inout RepositoryListing)
    {
        guard listing.error == nil, let failure = status.failure else { return }
        listing.error = failure.error
        listing.nextTryAt = status.nextTryAt
        if failure.status == 422 { listing.refusal = RepositorySearch.message(of: failure) }
    }

    private func addPage(
        fetchedAt: Date, lifetime: Duration, refused: Int, into listing: inout RepositoryListing
    ) {
        listing.pages += 1
        listing.refused += refused
        listing.updatedAt = min(listing.updatedAt ?? fetchedAt, fetchedAt)
        listing.expiresAt = min(listing.expiresAt ?? .distantFuture, fetchedAt + lifetime.inSeconds)
    }

    private func fill(
        _ reads: Reads, _ listing: inout RepositoryListing, with listed: [Listed], for user: UserID,
        _ queue: RepositoryRequestQueue
    ) throws {
        listing.isSignedIn = queue.isSignedIn
        let records = try catalog.records(reads, listed.map(\.repository.id), for: queue.viewer)
        var seen: Set<RepositoryID> = []
        for (repository, at) in listed where seen.insert(repository.id).inserted {
            let stored = records[repository.id]?.item
            // Prefer the newer name and description.
            let isNewer = (stored?.fetchedAt ?? .distantPast) >= at
            listing.items.append(
                RepositoryItem(
                    repository: isNewer ? stored?.repository ?? repository : repository,
                    detail: stored?.detail, fetchedAt: stored?.fetchedAt))
        }
        // With GraphQL, whole pages are fetched in the background.
        guard queue.hasGraphQL else { return }
        let isMissing = prefetcher.setOffscreen(listing.items, for: user, viewer: queue.viewer)
        // A finished job publishes a change, which makes clients ask again. Request only if something is missing, or
        // this loops.
        if isMissing { refresher.request(.rows(viewer: queue.viewer), by: user) }
    }

    private func jobs(of list: RepositoryList, pages: Int, _ queue: RepositoryRequestQueue) -> [RepositoryJob]
    {
        let now = clock.steady()
        let isOld = { (at: ContinuousClock.Instant) in now - at >= RepositoryRefresher.refreshDebounce }
        var jobs: [RepositoryJob] = []
        guard case .all(let since) = list else {
            let key = RepositorySearchCache.Key(list: list, viewer: queue.viewer)
            for number in 1...min(pages, RepositorySearchCache.maximumPages) {
                let page = lists.page(number, of: key)
                if isOld(page?.fetchedAt ?? .distantPast) { jobs.append(.search(key, page: number)) }
                guard page?.hasNext == true else { break }
            }
            return jobs
        }
        var next: RepositoryID? = max(0, since)
        for _ in 0..<pages {
            guard let start = next else { break }
            let page = lists.page(since: start)
            if isOld(page?.fetchedAt ?? .distantPast) {
                jobs.append(.page(since: start, viewer: queue.viewer))
            }
            next = page?.next
        }
        return jobs
    }
}

extension Topic {
    /// Changes of public repositories, in lists and details.
    package static let repositories = "repositories"
    /// Changes that only this user sees: searches, private repositories, errors.
    package static func repositories(_ user: UserID) -> String { "repositories/\(user)" }
}
