import Foundation

/// The work in the background: what pages have asked for, one request after the other in each lane.
extension RepositoryService {
    /// Asks GitHub for what is wanted until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask { await self.tidy() }
            while !Task.isCancelled {
                for job in takeDue() { group.addTask { await self.perform(job) } }
                await bell.wait(atMost: .seconds(sleep))
            }
            group.cancelAll()
        }
        publisher.flush()
    }

    /// Asks for everything that is due by the clock, until nothing is, and tells of it: for tests, and
    /// whoever has no `run` beside him.
    package func settle() async {
        while case let jobs = takeDue(), !jobs.isEmpty, !Task.isCancelled {
            for job in jobs { await perform(job) }
        }
        publisher.flush()
    }

    private func takeDue() -> [RepositoryJob] {
        let now = clock.steady()
        return state.withLock { $0.jobs.takeDue(at: now) }
    }

    private var sleep: TimeInterval {
        let now = clock.steady()
        let next = state.withLock { $0.jobs.nextDue(at: now) } ?? .distantFuture
        return min(Rules.nap, max(0.02, next.timeIntervalSince(now)))
    }

    /// Does a job that has been claimed.
    func perform(_ job: RepositoryJob) async {
        do {
            guard let lane = lane(of: job.viewer) else { return end(job) }
            try await fetch(job, lane)
            end(job)
        } catch is CancellationError {
            fail(job, nil)
        } catch {
            fail(
                job,
                (error as? GitHubFailure) ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)"))
        }
    }

    private func fetch(_ job: RepositoryJob, _ lane: RepositoryLane) async throws {
        let now = clock.steady()
        let isClicked = state.withLock { $0.jobs.isClicked(job) }
        switch job {
        case .page(let since, _):
            let isHere = state.withLock { $0.pages.page(since: since) } != nil
            try await fetchPage(since: since, isHere && !isClicked ? .rows : .page, lane)
        case .search(let key, let page):
            let isHere = state.withLock { $0.searches.page(page, of: key) } != nil
            try await fetchSearch(key, page: page, isHere && !isClicked ? .rows : .page, lane)
        case .detail(let name, _):
            _ = try await fetchDetail(name, .click, lane)
            for user in state.withLock({ $0.jobs.askers(of: job) }) {
                let readme = RepositoryJob.readme(name, viewer: lane.viewer)
                state.withLock { _ = $0.jobs.ask(readme, by: user, at: now, isClick: isClicked) }
            }
        case .readme(let name, _): try await fetchReadme(name, lane)
        case .rows: try await fetchRows(lane)
        }
    }

    private func end(_ job: RepositoryJob) {
        let (askers, bells) = state.withLock { ($0.jobs.askers(of: job), $0.jobs.succeed(job)) }
        for bell in bells { bell.ring() }
        publisher.publish(askers.map { Topic.repositories($0) })
        bell.ring()
    }

    private func fail(_ job: RepositoryJob, _ failure: GitHubFailure?) {
        if let failure {
            log.info("GitHub could not be asked about repositories", metadata: ["why": "\(failure.detail)"])
        }
        let now = clock.steady()
        let steady = failure?.moved(by: -clock.shift)
        let (askers, bells) = state.withLock { state in
            let askers = state.jobs.askers(of: job)
            return (askers, state.jobs.fail(job, steady, at: now, jitter: .random(in: 0.8...1.2)))
        }
        for bell in bells { bell.ring() }
        if failure != nil { publisher.publish(askers.map { Topic.repositories($0) }) }
        bell.ring()
    }

    /// Has a job done, in this task or by whoever does it already, and answers what went wrong; 10 s at most.
    func wait(for job: RepositoryJob, by user: UserID) async throws -> GitHubFailure? {
        let now = clock.steady()
        let bell = WakeUp()
        let isMine = state.withLock { state in
            state.jobs.ask(job, by: user, at: now)
            if state.jobs.isBlocked(job, at: now) { return Bool?.none }
            if state.jobs.begin(job) { return true }
            state.jobs.wait(for: job, by: bell)
            return false
        }
        switch isMine {
        case nil: break
        case true?:
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.perform(job) }
                group.addTask { try? await Task.sleep(for: Rules.longestWait) }
                await group.next()
                group.cancelAll()
            }
        case false?: await bell.wait(atMost: Rules.longestWait)
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
