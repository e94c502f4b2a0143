import Foundation

/// The work in the background: what pages have asked for, one request after the other in each lane.
extension RepositoryService {
    /// Asks GitHub for what is wanted until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask { await self.tidy() }
            await refresher.run(jobs)
            group.cancelAll()
        }
        publisher.flush()
    }

    /// Asks for everything that is due by the clock, until nothing is, and tells of it: for tests, and
    /// whoever has no `run` beside him.
    package func settle() async {
        await refresher.runUntilIdle(jobs)
        publisher.flush()
    }

    private var jobs: RepositoryRefreshSource { RepositoryRefreshSource(service: self) }

    func fetch(_ job: RepositoryJob, _ lane: RepositoryRequestQueue) async throws {
        let isClicked = refresher.status(of: job).isClicked
        switch job {
        case .page(let since, _):
            let page = state.withLock { $0.pages.page(since: since) }
            // It is everybody's: another has just asked for it.
            if let page, !isClicked, clock.steady().timeIntervalSince(page.fetchedAt) < Rules.justNow {
                return
            }
            try await fetchPage(since: since, page != nil && !isClicked ? .rows : .page, lane)
        case .search(let key, let page):
            let isHere = state.withLock { $0.searches.page(page, of: key) } != nil
            try await fetchSearch(key, page: page, isHere && !isClicked ? .rows : .page, lane)
        case .detail(let name, _):
            _ = try await fetchDetail(name, .click, lane)
            for user in state.withLock({ $0.askers[job] ?? [] }) {
                ask(.readme(name, viewer: lane.viewer), by: user, isClick: isClicked)
            }
        case .readme(let name, _): try await fetchReadme(name, lane)
        case .rows: try await fetchRows(lane)
        }
    }

    /// Has a job done, in this task or by whoever does it already, and answers what went wrong; 10 s at most.
    func wait(for job: RepositoryJob, by user: UserID) async throws -> GitHubFailure? {
        ask(job, by: user)
        // Otherwise GitHub, or a share of its limit, has to be waited for.
        if refresher.status(of: job).isLoading {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [refresher, jobs] in await refresher.perform(job, jobs) }
                group.addTask { try? await Task.sleep(for: Rules.longestWait) }
                await group.next()
                group.cancelAll()
            }
        }
        try Task.checkCancellation()
        return standing(job).failure
    }

    /// Now and then: writes down what was used, and makes room.
    private func tidy() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Rules.tidying))
            guard !Task.isCancelled else { return }
            await makeRoom()
        }
    }

    /// Keeps as much as there is room for; what bookmarks refer to stays.
    package func makeRoom(details: Int = Rules.mostDetails, readmes: Int = Rules.mostReadmes) async {
        let now = clock.steady()
        let used = state.withLock { state in
            state.gone = state.gone.filter { $0.value > now }
            state.goneRows = state.goneRows.filter { $0.value > now }
            defer { state.used = [] }
            return state.used
        }
        do {
            try await store.tidy(used: used, details: details, readmes: readmes, at: clock.now())
        } catch {
            log.error("Repositories could not be tidied", metadata: ["error": "\(error)"])
        }
    }
}
