import Foundation
package import RoostSupport
import Synchronization

/// Lists of repositories: all public ones, searches, and trending; from memory, fetched in the background.
package final class RepositoryListService: Sendable {
    private static let maximumPages = 20

    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let prefetcher: RepositoryPrefetcher
    private let refresher: RepositoryRefresher
    private let clock: WallClock
    /// The list that each user looked at last, and how many of its pages.
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

    /// Returns a list's first `pages` pages with all that is known of their repositories, and requests what is
    /// missing.
    package func listing(_ list: RepositoryList, pages: Int, for user: UserID) async throws
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
        try await fill(&listing, with: repositories, for: user, queue)
        return listing
    }

    /// Returns one page of all public repositories; waits 10 s at most for GitHub.
    ///
    /// Throws `RoostError.unavailable` in words when GitHub does not answer.
    package func page(since: RepositoryID, for user: UserID) async throws -> RepositoryListing {
        let since = max(0, since)
        if lists.page(since: since) == nil {
            let viewer = queues.queue(for: user).viewer
            let failure = try await refresher.wait(for: .page(since: since, viewer: viewer), by: user)
            if lists.page(since: since) == nil { throw RoostError(unavailable: failure, now: clock.now()) }
        }
        return try await listing(.all(since: since), pages: 1, for: user)
    }

    /// Requests the details of the rows on the user's screen, the last named first.
    package func want(_ ids: [RepositoryID], for user: UserID) {
        prefetcher.setVisible(ids, for: user)
        if !ids.isEmpty { refresher.request(.rows(viewer: queues.queue(for: user).viewer), by: user) }
    }

    /// A click on "Refresh" or "Try again": requests the pages that the user has looked at last.
    package func retry(_ list: RepositoryList, for user: UserID) -> RetryOutcome {
        let queue = queues.queue(for: user)
        let isAll = if case .all = list { true } else { false }
        if let until = queue.closedUntil(.page, isAll ? "core" : "search") { return .mustWait(until: until) }
        let pages = lastViewed.withLock { $0[user].flatMap { $0.list == list ? $0.pages : nil } ?? 1 }
        for job in jobs(of: list, pages: pages, queue) { refresher.request(job, by: user, isClick: true) }
        return .started
    }

    /// How many requests for repositories wait for the one under way in the queue that asks for this user.
    package func waiting(for user: UserID) -> Int { queues.queue(for: user).waiting }

    func forget(_ user: UserID) { lastViewed.withLock { $0[user] = nil } }

    /// A repository, and when its list was fetched.
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
                miss(job, by: user, queue, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            take(fetchedAt, lifetime: RepositoryPageCache.lifetime, refused: page.refused, into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            let isOld = clock.steady().timeIntervalSince(page.fetchedAt) > RepositoryPageCache.lifetime
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
                miss(job, by: user, queue, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            let lifetime = RepositorySearchCache.lifetime(of: list)
            take(fetchedAt, lifetime: lifetime, refused: page.refused, into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            listing.total = page.total ?? listing.total
            listing.isIncomplete = listing.isIncomplete || page.isIncomplete
            let age = clock.steady().timeIntervalSince(page.fetchedAt)
            renew(job, isOld: age > lifetime, by: user, queue, into: &listing)
            listing.hasMorePages = page.hasNext && number < RepositorySearchCache.maximumPages
            guard listing.hasMorePages else { break }
        }
        return listed
    }

    /// Requests a page that is missing, and shows how that stands.
    private func miss(
        _ job: RepositoryJob, by user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        refresher.request(job, by: user)
        let status = refresher.status(of: job)
        listing.loading = status.state()
        if listing.pages == 0 { listing.hasMorePages = false }
        showFailure(of: status, into: &listing)
    }

    /// Requests a page that is old, as long as there is more of the limit than readers need.
    private func renew(
        _ job: RepositoryJob, isOld: Bool, by user: UserID, _ queue: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        let resource = job.page == nil ? "search" : "core"
        if isOld, queue.closedUntil(.rows, resource) == nil { refresher.request(job, by: user) }
        let status = refresher.status(of: job)
        listing.isRenewing = listing.isRenewing || status.isLoading
        // That the rest of the limit is kept for clicks is not shown as an error.
        if case .rateLimited = status.failure?.error, queue.closedUntil(.click, resource) == nil { return }
        showFailure(of: status, into: &listing)
    }

    private func showFailure(of status: RepositoryRefresher.JobStatus, into listing: inout RepositoryListing)
    {
        guard listing.error == nil, let failure = status.failure else { return }
        listing.error = failure.error
        listing.nextTryAt = status.nextTryAt
        if failure.status == 422 { listing.refusal = RepositorySearch.words(failure) }
    }

    private func take(
        _ fetchedAt: Date, lifetime: TimeInterval, refused: Int, into listing: inout RepositoryListing
    ) {
        listing.pages += 1
        listing.refused += refused
        listing.updatedAt = min(listing.updatedAt ?? fetchedAt, fetchedAt)
        listing.expiresAt = min(listing.expiresAt ?? .distantFuture, fetchedAt + lifetime)
    }

    /// Adds each repository once, with what is known of it.
    private func fill(
        _ listing: inout RepositoryListing, with listed: [Listed], for user: UserID,
        _ queue: RepositoryRequestQueue
    ) async throws {
        listing.isSignedIn = queue.isSignedIn
        let records = try await catalog.records(listed.map(\.repository.id), for: queue.viewer)
        var seen: Set<RepositoryID> = []
        for (repository, at) in listed where seen.insert(repository.id).inserted {
            let known = records[repository.id]?.item
            // What came later has the newer name and description.
            let isNewer = (known?.fetchedAt ?? .distantPast) >= at
            listing.items.append(
                RepositoryItem(
                    repository: isNewer ? known?.repository ?? repository : repository,
                    detail: known?.detail, fetchedAt: known?.fetchedAt))
        }
        // Signed in, whole pages come in the background.
        guard queue.hasGraphQL else { return }
        let isMissing = prefetcher.setOffscreen(listing.items, for: user, viewer: queue.viewer)
        // A finished job publishes a change, which makes clients ask again: request only if something is missing, or
        // this loops.
        if isMissing { refresher.request(.rows(viewer: queue.viewer), by: user) }
    }

    /// Returns the jobs for those pages that are missing, or did not come just now.
    private func jobs(of list: RepositoryList, pages: Int, _ queue: RepositoryRequestQueue) -> [RepositoryJob]
    {
        let now = clock.steady()
        let isOld = { (at: Date) in now.timeIntervalSince(at) >= RepositoryRefresher.refreshDebounce }
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
            guard let place = next else { break }
            let page = lists.page(since: place)
            if isOld(page?.fetchedAt ?? .distantPast) {
                jobs.append(.page(since: place, viewer: queue.viewer))
            }
            next = page?.next
        }
        return jobs
    }
}

extension Topic {
    /// What is known of public repositories: lists and details.
    package static let repositories = "repositories"
    /// What this person alone sees of them: searches, private repositories, errors.
    package static func repositories(_ user: UserID) -> String { "repositories/\(user)" }
}
