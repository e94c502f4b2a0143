import Foundation

/// What GitHub is asked, and what becomes of its answers.
extension RepositoryService {
    /// GitHub says that there is no such repository, or none that one may see: 404, 410, 451.
    static func isGone(_ failure: GitHubFailure) -> Bool { [404, 410, 451].contains(failure.status) }

    /// What is no such list is an invalid answer.
    static func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "unreadable: \(error)")
        }
    }

    func fetchPage(since: RepositoryID, _ use: RateLimitPolicy.Purpose, _ lane: RepositoryRequestQueue)
        async throws
    {
        let old = state.withLock { $0.pages.page(since: since) }
        let path = since > 0 ? "/repositories?since=\(since)" : "/repositories"
        let answer = try await lane.get(path, etag: old?.etag, use)
        let fetchedAt = clock.steady()
        if answer.status == 304 {
            state.withLock { $0.pages.confirm(since: since, at: fetchedAt) }
            return
        }
        let list = try Self.reading { try RESTRepositoryParser.list(answer.body, now: clock.now()) }
        note(list)
        // Only public ones belong here, whatever the asker's account may see.
        let hidden = list.found.filter(\.repository.isPrivate).count
        let repositories = list.found.map(\.repository).filter { !$0.isPrivate }
        state.withLock { state in
            state.pages.put(
                RepositoryListCache.Page(
                    repositories: repositories, etag: answer.etag,
                    next: Self.next(answer.links["next"], after: since), fetchedAt: fetchedAt,
                    refused: list.refused + hidden),
                since: since)
        }
        publisher.publish([Topic.repositories])
    }

    /// `/repositories?since=369`; a link that leads back would go round for ever.
    private static func next(_ link: String?, after since: RepositoryID) -> RepositoryID? {
        guard let link, link.hasPrefix("/repositories?"),
            let match = link.firstMatch(of: #/[?&]since=([0-9]{1,18})(?:&|$)/#),
            let next = RepositoryID(match.1), next > since
        else { return nil }
        return next
    }

    func fetchSearch(
        _ key: RepositorySearches.Key, page: Int, _ use: RateLimitPolicy.Purpose,
        _ lane: RepositoryRequestQueue
    ) async throws {
        // What the server's token alone may see is not looked for.
        let isPublic = lane.viewer == nil && accounts.isSharedSignedIn
        let path = RepositorySearch.path(of: key.list, page: page, isPublic: isPublic, now: clock.now())
        let answer = try await lane.get(path, use)
        let fetchedAt = clock.steady()
        let list = try Self.reading { try RESTRepositoryParser.search(answer.body, now: clock.now()) }
        note(list)
        let items = try await learn(list.found, by: lane)
        // How many the server's token sees beyond what is public is nobody's business.
        let total = items.count == list.found.count ? list.total : nil
        state.withLock { state in
            state.searches.put(
                RepositorySearches.Page(
                    repositories: items.map(\.repository), total: total,
                    isIncomplete: list.isIncomplete, hasNext: answer.links["next"] != nil,
                    fetchedAt: fetchedAt, refused: list.refused),
                page, of: key)
        }
        // Those without an account share what they find.
        if lane.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    /// Nil: GitHub says that it is gone. Throws `GitHubFailure`.
    func fetchDetail(
        _ name: RepositoryName, _ use: RateLimitPolicy.Purpose, _ lane: RepositoryRequestQueue
    ) async throws -> (item: RepositoryItem, isNew: Bool)? {
        let old = try await record(named: name, for: lane.viewer)
        do {
            let answer = try await lane.get("/repos/\(name)", etag: old?.etag, use)
            let now = clock.now()
            if answer.status == 304, let old {
                try await store.confirm(old.key, at: now)
                var item = old.item
                item.fetchedAt = now
                return (item, false)
            }
            let found = try Self.reading { try RESTRepositoryParser.detail(answer.body, now: now) }
            guard let item = try await learn([found], by: lane, etag: answer.etag).first else {
                try await lose(name, old, lane)
                return nil
            }
            let isRenamed = item.fullName.lowercased() != name.description.lowercased()
            if isRenamed { note(old: name, of: item.id) }
            // Its name is another's: as long as it lay here, it would be asked for with every look.
            if let old, old.item.id != item.id { try await store.put([], forget: [old.key], at: now) }
            state.withLock { $0.gone[Name(name: name, viewer: lane.viewer)] = nil }
            return (item, true)
        } catch let failure as GitHubFailure where Self.isGone(failure) {
            try await lose(name, old, lane)
            return nil
        }
    }

    /// It is not there for this viewer; what everybody knew of it goes when it is there for nobody.
    private func lose(
        _ name: RepositoryName, _ old: RepositoryRecord?, _ lane: RepositoryRequestQueue
    ) async throws {
        let until = clock.steady() + Rules.gone
        state.withLock { state in
            if state.gone.count > 5_000 { state.gone.removeAll() }
            state.gone[Name(name: name, viewer: lane.viewer)] = until
        }
        guard let old, old.viewer == lane.viewer else { return }
        try await hide([old.item.id], gone: [old.key])
    }

    /// Takes repositories that are not everybody's any more out of what everybody sees.
    func hide(_ ids: Set<RepositoryID>, gone: Set<RepositoryKey>) async throws {
        state.withLock { state in
            state.pages.remove(ids)
            state.searches.remove(ids)
        }
        try await store.put([], forget: gone, at: clock.now())
        publisher.publish([Topic.repositories])
    }

    func fetchReadme(_ name: RepositoryName, _ lane: RepositoryRequestQueue) async throws {
        guard let kept = try await record(named: name, for: lane.viewer) else { return }
        // What an account may see is not for everybody's shelf unless it is public at this moment.
        let isJustSeen = kept.item.fetchedAt.map {
            !ModelTime.isOver($0, lifetime: 60, now: clock.now())
        }
        if lane.isSignedIn, kept.viewer == nil, isJustSeen != true {
            guard try await fetchDetail(name, .readme, lane) != nil else { return }
            let again = try await record(named: name, for: lane.viewer)
            guard again?.key == kept.key else { return }
        }
        let old = try await store.readme(kept.key)
        guard isOld(old?.fetchedAt) else { return }
        let readme: RepositoryStore.StoredReadme
        do {
            let answer = try await lane.get(
                "/repos/\(kept.item.fullName)/readme", accept: "application/vnd.github.html",
                etag: old?.etag, .readme)
            if answer.status == 304, let old {
                readme = .init(readme: old.readme, etag: old.etag, fetchedAt: clock.now())
            } else {
                let branch = kept.item.detail?.defaultBranch ?? "HEAD"
                // Those without an account share what they read: nobody's number.
                let cleaned = try await heavyWork.run(for: lane.viewer ?? 0, rows: answer.body.count / 100) {
                    clean(answer.body, kept.item.repository, branch, accounts.standardHost)
                }
                readme = .init(readme: cleaned, etag: answer.etag, fetchedAt: clock.now())
            }
        } catch let failure as GitHubFailure where Self.isGone(failure) {
            readme = .init(readme: nil, etag: nil, fetchedAt: clock.now())
        }
        try await store.put(readme, as: kept.key)
        if kept.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    /// What was wrong with a list, for the log.
    func note(_ list: RESTRepositoryParser.List) {
        guard let why = list.why else { return }
        log.warning(
            "Repositories were left out", metadata: ["count": "\(list.refused)", "why": "\(why)"])
    }
}
