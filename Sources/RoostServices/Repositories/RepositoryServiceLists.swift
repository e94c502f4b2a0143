import Foundation

/// Lists, as far as they have come.
extension RepositoryService {
    /// A list's first `pages` pages with all that is known of their repositories; what is missing is now on
    /// its way.
    package func listing(_ list: RepositoryList, pages: Int, for user: UserID) async throws
        -> RepositoryListing
    {
        let pages = min(max(1, pages), Rules.mostPages)
        let lane = lane(for: user)
        state.withLock { $0.looked[user] = (list, pages) }
        var listing = RepositoryListing(now: clock.now())
        let repositories =
            if case .all(let since) = list {
                all(since: since, pages: pages, for: user, lane, into: &listing)
            } else {
                found(list, pages: pages, for: user, lane, into: &listing)
            }
        try await fill(&listing, with: repositories, for: user, lane)
        return listing
    }

    /// A repository, and when the list that it is of was fetched.
    typealias Listed = (repository: Repository, at: Date)

    private func all(
        since: RepositoryID, pages: Int, for user: UserID, _ lane: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) -> [Listed] {
        listing.budget = lane.budget("core")
        var listed: [Listed] = []
        var next = max(0, since)
        for _ in 0..<pages {
            let job = RepositoryJob.page(since: next, viewer: lane.viewer)
            guard let page = state.withLock({ $0.pages.page(since: next) }) else {
                miss(job, by: user, lane, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            take(fetchedAt, refused: page.refused, into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            let isOld = clock.steady().timeIntervalSince(page.fetchedAt) > RepositoryListCache.lifetime
            renew(job, isOld: isOld, by: user, lane, into: &listing)
            listing.hasMorePages = page.next != nil
            listing.next = page.next
            guard let following = page.next else { break }
            next = following
        }
        return listed
    }

    private func found(
        _ list: RepositoryList, pages: Int, for user: UserID, _ lane: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) -> [Listed] {
        listing.budget = lane.budget("search")
        if let why = RepositorySearch.refusal(of: list) {
            (listing.refusal, listing.error) = (why, .invalidResponse(statusCode: 422))
            listing.loading = .failed(.invalidResponse(statusCode: 422))
            return []
        }
        guard !RepositorySearch.isEmpty(list) else { return [] }
        let key = RepositorySearches.Key(list: list, viewer: lane.viewer)
        var listed: [Listed] = []
        for number in 1...min(pages, RepositorySearches.mostPages) {
            let job = RepositoryJob.search(key, page: number)
            guard let page = state.withLock({ $0.searches.page(number, of: key) }) else {
                miss(job, by: user, lane, into: &listing)
                break
            }
            let fetchedAt = clock.date(of: page.fetchedAt)
            take(fetchedAt, refused: page.refused, into: &listing)
            listed += page.repositories.map { ($0, fetchedAt) }
            listing.total = page.total ?? listing.total
            listing.isIncomplete = listing.isIncomplete || page.isIncomplete
            let age = clock.steady().timeIntervalSince(page.fetchedAt)
            renew(job, isOld: age > RepositorySearches.lifetime(of: list), by: user, lane, into: &listing)
            listing.hasMorePages = page.hasNext && number < RepositorySearches.mostPages
            guard listing.hasMorePages else { break }
        }
        return listed
    }

    /// A page that is not here: it is asked for, and the listing says how that stands.
    private func miss(
        _ job: RepositoryJob, by user: UserID, _ lane: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        ask(job, by: user)
        let standing = standing(job)
        listing.loading = standing.state()
        if listing.pages == 0 { listing.hasMorePages = false }
        note(standing, into: &listing)
    }

    /// A page that is here, and asked for again when it is old, as long as there is more of the limit than
    /// readers need.
    private func renew(
        _ job: RepositoryJob, isOld: Bool, by user: UserID, _ lane: RepositoryRequestQueue,
        into listing: inout RepositoryListing
    ) {
        let resource = job.page == nil ? "search" : "core"
        if isOld, lane.closedUntil(.rows, resource) == nil { ask(job, by: user) }
        let standing = standing(job)
        // That the rest is kept for clicks is no trouble of the reader's.
        if case .rateLimited = standing.failure?.error, lane.closedUntil(.click, resource) == nil { return }
        note(standing, into: &listing)
    }

    private func note(_ standing: RepositoryRefreshSource.JobStatus, into listing: inout RepositoryListing) {
        guard listing.error == nil, let failure = standing.failure else { return }
        listing.error = failure.error
        listing.nextTryAt = standing.nextTryAt
        if failure.status == 422 { listing.refusal = RepositorySearch.words(failure) }
    }

    private func take(_ fetchedAt: Date, refused: Int, into listing: inout RepositoryListing) {
        listing.pages += 1
        listing.refused += refused
        listing.updatedAt = min(listing.updatedAt ?? fetchedAt, fetchedAt)
    }

    /// Each repository once, with what is known of it; what is not known is wanted where it costs little.
    private func fill(
        _ listing: inout RepositoryListing, with listed: [Listed], for user: UserID,
        _ lane: RepositoryRequestQueue
    ) async throws {
        listing.isSignedIn = lane.isSignedIn
        let kept = try await records(listed.map(\.repository.id), for: lane.viewer)
        var seen: Set<RepositoryID> = []
        for (repository, at) in listed where seen.insert(repository.id).inserted {
            let known = kept[repository.id]?.item
            // Whichever was heard of later has the newer name and description.
            let isNewer = (known?.fetchedAt ?? .distantPast) >= at
            listing.items.append(
                RepositoryItem(
                    repository: isNewer ? known?.repository ?? repository : repository,
                    detail: known?.detail, fetchedAt: known?.fetchedAt))
        }
        wantBehind(listing.items, for: user, lane)
    }

    /// Signed in, whole pages come in the background.
    private func wantBehind(_ items: [RepositoryItem], for user: UserID, _ lane: RepositoryRequestQueue) {
        guard lane.hasGraphQL else { return }
        let (now, steady) = (clock.now(), clock.steady())
        let old = items.filter { item in
            item.fetchedAt.map { ModelTime.isOver($0, lifetime: Rules.freshRow, now: now) } ?? true
        }
        let isWanted = state.withLock { state in
            let unknown = old.map(\.id).filter { id in
                (state.goneRows[RepositoryKey(id: id, viewer: lane.viewer)] ?? .distantPast) <= steady
            }
            state.wishes.wantBehind(unknown, of: user, at: steady)
            return !unknown.isEmpty
        }
        // Work that ends is told of, and whoever hears of it looks again: that must come to an end.
        if isWanted { ask(.rows(viewer: lane.viewer), by: user) }
    }

    /// A click on "Refresh" or "Try again": the pages that the user has looked at last.
    package func retry(_ list: RepositoryList, for user: UserID) -> Retry {
        let lane = lane(for: user)
        let isAll = if case .all = list { true } else { false }
        if let until = lane.closedUntil(.page, isAll ? "core" : "search") { return .mustWait(until: until) }
        let pages = state.withLock { $0.looked[user].flatMap { $0.list == list ? $0.pages : nil } ?? 1 }
        for job in jobs(of: list, pages: pages, lane) { ask(job, by: user, isClick: true) }
        return .started
    }

    /// Those pages that are not here, or not just come.
    private func jobs(of list: RepositoryList, pages: Int, _ lane: RepositoryRequestQueue) -> [RepositoryJob]
    {
        let now = clock.steady()
        let isOld = { (at: Date) in now.timeIntervalSince(at) >= Rules.justNow }
        var jobs: [RepositoryJob] = []
        guard case .all(let since) = list else {
            let key = RepositorySearches.Key(list: list, viewer: lane.viewer)
            for number in 1...min(pages, RepositorySearches.mostPages) {
                let page = state.withLock { $0.searches.page(number, of: key) }
                if isOld(page?.fetchedAt ?? .distantPast) { jobs.append(.search(key, page: number)) }
                guard page?.hasNext == true else { break }
            }
            return jobs
        }
        var next: RepositoryID? = max(0, since)
        for _ in 0..<pages {
            guard let place = next else { break }
            let page = state.withLock { $0.pages.page(since: place) }
            if isOld(page?.fetchedAt ?? .distantPast) {
                jobs.append(.page(since: place, viewer: lane.viewer))
            }
            next = page?.next
        }
        return jobs
    }
}
