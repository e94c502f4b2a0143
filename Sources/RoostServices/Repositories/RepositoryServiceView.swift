import Foundation

/// One repository's page, and rows on screen.
extension RepositoryService {
    /// What is known of one repository; detail and README are now on their way if they are missing or old.
    package func view(of name: RepositoryName, for user: UserID) async throws -> RepositoryView {
        let lane = lane(for: user)
        let now = clock.now()
        var view = RepositoryView(name: name, now: now)
        view.budget = lane.budget("core")
        let kept = try await record(named: name, for: lane.viewer)
        view.item = kept?.item ?? listed(name, lane).map { RepositoryItem(repository: $0) }
        view.isGone = isGone(name, lane)
        if view.isGone {
            view.item = nil
            return view
        }
        let job = RepositoryJob.detail(name, viewer: lane.viewer)
        let isOld = isOld(view.item?.fetchedAt)
        if isOld { ask(job, by: user) }
        let standing = standing(job)
        view.loading = standing.state()
        if case .idle = view.loading, let at = view.item?.fetchedAt { view.loading = .loaded(at) }
        view.error = standing.failure?.error
        view.nextTryAt = standing.nextTryAt
        if let kept { try await addReadme(of: kept, to: &view, for: user, lane, isDetailOld: isOld) }
        return view
    }

    func isOld(_ fetchedAt: Date?) -> Bool {
        guard let fetchedAt else { return true }
        return ModelTime.isOver(fetchedAt, lifetime: Rules.freshDetail, now: clock.now())
    }

    private func addReadme(
        of kept: RepositoryRecord, to view: inout RepositoryView, for user: UserID,
        _ lane: RepositoryRequestQueue,
        isDetailOld: Bool
    ) async throws {
        let readme = try await store.readme(kept.key)
        view.readme = readme?.readme
        view.hasNoReadme = readme.map { $0.readme == nil } ?? false
        let job = RepositoryJob.readme(view.name, viewer: lane.viewer)
        // Behind the detail, which says whether everybody may see it.
        if isOld(readme?.fetchedAt), !isDetailOld { ask(job, by: user) }
        let standing = standing(job)
        view.readmeLoading = standing.state()
        if case .idle = view.readmeLoading {
            let isAwaited = readme == nil && view.loading.isLoading
            view.readmeLoading = isAwaited ? .loading : readme.map { .loaded($0.fetchedAt) } ?? .idle
        }
        view.readmeError = standing.failure?.error
        view.nextTryAt = view.nextTryAt ?? standing.nextTryAt
    }

    func isGone(_ name: RepositoryName, _ lane: RepositoryRequestQueue) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.gone[Name(name: name, viewer: lane.viewer)] ?? .distantPast) > now }
    }

    /// As a list in memory has it.
    private func listed(_ name: RepositoryName, _ lane: RepositoryRequestQueue) -> Repository? {
        state.withLock { state in
            state.pages.repository(named: name) ?? state.searches.repository(named: name, for: lane.viewer)
        }
    }

    /// Likewise, by its number.
    func listed(_ id: RepositoryID, _ lane: RepositoryRequestQueue) -> Repository? {
        state.withLock { state in
            state.pages.repository(id) ?? state.searches.repository(id, for: lane.viewer)
        }
    }

    /// These rows are on the user's screen: their details are wanted, the last named first.
    package func want(_ ids: [RepositoryID], for user: UserID) {
        let now = clock.steady()
        state.withLock { $0.wishes.want(ids, of: user, at: now) }
        if !ids.isEmpty { ask(.rows(viewer: lane(for: user).viewer), by: user) }
    }

    /// A click on "Refresh" or "Try again".
    package func retry(_ name: RepositoryName, for user: UserID) -> Retry {
        let lane = lane(for: user)
        if let until = lane.closedUntil(.click, "core") { return .mustWait(until: until) }
        state.withLock { $0.gone[Name(name: name, viewer: lane.viewer)] = nil }
        ask(.detail(name, viewer: lane.viewer), by: user, isClick: true)
        return .started
    }

    // MARK: What waits for GitHub, 10 s at most

    /// One page of all public repositories. Throws `RoostError.unavailable` in words when GitHub does not
    /// answer.
    package func page(since: RepositoryID, for user: UserID) async throws -> RepositoryListing {
        let since = max(0, since)
        let lane = lane(for: user)
        let isHere = { [self] in state.withLock { $0.pages.page(since: since) } != nil }
        if !isHere() {
            let failure = try await wait(for: .page(since: since, viewer: lane.viewer), by: user)
            if !isHere() { throw Self.unavailable(failure, now: clock.now()) }
        }
        return try await listing(.all(since: since), pages: 1, for: user)
    }

    /// A repository with its detail, from here if it is not older than an hour. Throws `RoostError.notFound`
    /// where GitHub knows none, and `.unavailable`.
    package func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        let lane = lane(for: user)
        let notFound = RoostError.notFound("There is no such repository, or none that you may see.")
        guard !isGone(name, lane) else { throw notFound }
        let known = try await record(named: name, for: lane.viewer)?.item
        if let known, !isOld(known.fetchedAt) { return known }
        let failure = try await wait(for: .detail(name, viewer: lane.viewer), by: user)
        if isGone(name, lane) { throw notFound }
        let item = try await record(named: name, for: lane.viewer)?.item
        guard let item = item ?? known else { throw Self.unavailable(failure, now: clock.now()) }
        return item
    }

    private static func unavailable(_ failure: GitHubFailure?, now: Date) -> RoostError {
        guard let failure else { return .unavailable("GitHub takes its time. Please try again.") }
        let wait: Int? =
            if case .rateLimited(let reset) = failure.error {
                max(1, Int(min(reset.timeIntervalSince(now).rounded(.up), 86_400)))
            } else { nil }
        return .unavailable(failure.error.message(source: "GitHub", timeZone: .gmt), retryAfter: wait)
    }
}
