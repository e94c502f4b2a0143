import Foundation

extension PullRefresher {
    /// Claims the next step; false while another runs.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
    }

    /// Gives the step up that `begin` claimed.
    func end() { state.withLock { $0.isRunning = false } }

    /// Does what is due: a refresh, or asking again what GitHub had not found out. After `begin`.
    ///
    /// - Parameter isWatched: whether somebody looks
    func step(own: [OwnSection], isWatched: Bool, talk: any GitHubClient) async {
        defer { end() }
        let now = clock.steady()
        let isRefresh = state.withLock { state in
            guard let asking = state.asking.nextAt else { return true }
            return state.isForced || asking > now
        }
        if isRefresh { await refresh(own: own, talk: talk) } else { await askAgain(talk) }
    }

    private func refresh(own: [OwnSection], talk: any GitHubClient) async {
        let now = clock.steady()
        let before = state.withLock { state in
            let before = state
            state.isForced = false
            state.isClicked = false
            state.lastRefresh = now
            return before
        }
        do {
            let haul = try await fetch(own: own, talk: talk, before)
            succeed(haul, talk: talk)
            state.withLock { $0.pause = Self.pause(after: clock.steady().timeIntervalSince(now)) }
        } catch {
            // A reader who tries again need not wait, however long it took to fail: an outage makes little work.
            state.withLock { $0.pause = Self.shortestPause }
            guard !Task.isCancelled else { return }
            fail((error as? GitHubFailure) ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)"))
        }
    }

    /// Clicks cannot keep Roost busy with a large inbox: it rests four times as long as a refresh took.
    private static func pause(after seconds: TimeInterval) -> TimeInterval {
        min(30, max(shortestPause, 5 * seconds))
    }
    private static let shortestPause: TimeInterval = 1

    private func fetch(own: [OwnSection], talk: any GitHubClient, _ before: State) async throws
        -> PullFetchResult
    {
        // Whoever clicks may know that it is back.
        let isWished = before.isClicked && talk.blockedUntil("graphql") == nil
        if before.noGraphQLUntil <= clock.steady() || isWished {
            do {
                return try await fetchByGraphQL(own: own, talk: talk, before)
            } catch let lack as PullGraphQL.NotToBeHad {
                try judge(lack)
            }
        }
        return try await fetchByREST(own: own, talk: talk, before)
    }

    /// Throws the failure where GraphQL has answered before, and too few in a row speak against it.
    private func judge(_ lack: PullGraphQL.NotToBeHad) throws {
        let isStray = state.withLock { state in
            state.lacks += 1
            if state.knowsGraphQL, lack.failure != nil, state.lacks < Self.enoughLacks { return true }
            state.noGraphQLUntil = clock.steady() + Self.memoryOfLack
            return false
        }
        if isStray, let failure = lack.failure { throw failure }
        log.info("Pull requests are asked for by REST", metadata: ["why": "\(lack.why)"])
    }

    private func fetchByGraphQL(
        own: [OwnSection], talk: any GitHubClient, _ before: State
    ) async throws -> PullFetchResult {
        var haul = PullFetchResult(host: before.account.host, login: talk.login)
        var extent = before.extent
        extent.pageSize = before.sizing.size
        var graphQL = PullGraphQL(
            talk: talk, priority: before.isClicked ? .click : .background, now: clock.now(),
            extent: extent, isKnown: before.knowsGraphQL)
        let questions = PullSearch.standard.map { PullSearchQuery($0) } + own.map { PullSearchQuery($0) }
        try await graphQL.fetch(questions, into: &haul, old: before.haul)
        let hasTeams = graphQL.extent.hasTeams
        state.withLock { state in
            state.knowsGraphQL = true
            state.lacks = 0
            state.noGraphQLUntil = .distantPast
            state.extent = PullQuery.Extent(hasTeams: hasTeams)
            state.sizing.succeed()
        }
        haul.budget = haul.budget ?? talk.budgets["graphql"]
        return haul
    }

    private func fetchByREST(
        own: [OwnSection], talk: any GitHubClient, _ before: State
    ) async throws -> PullFetchResult {
        var haul = PullFetchResult(host: before.account.host, login: talk.login)
        var rest = PullREST(
            talk: talk, priority: before.isClicked ? .click : .background, now: clock.now(),
            kept: before.kept, got: before.got)
        let questions = PullREST.questions(own, teams: talk.teams, from: before.restStart)
        do {
            try await rest.fetch(questions, into: &haul)
        } catch {
            // A limit is over soon; what lay there through an outage would be old.
            let (kept, got) = (rest.kept, PullREST.isLimit(error) ? rest.used : [])
            state.withLock { ($0.kept, $0.got) = (kept, got) }
            throw error
        }
        let kept = rest.kept
        let next = PullREST.next(own, after: questions, found: haul)
        for section in own where haul.found[.own(section.id)] == nil {
            haul.keep(.own(section.id), of: before.haul)
            if haul.found[.own(section.id)] == nil {
                haul.found[.own(section.id)] = .init(problem: PullREST.waiting)
            }
        }
        state.withLock { state in
            state.kept = kept
            state.got = []
            state.restStart = next
        }
        return haul
    }

    private func succeed(_ haul: PullFetchResult, talk: any GitHubClient) {
        let (now, shift) = (clock.steady(), clock.shift)
        let teams = talk.teams
        let pulls = JudgedPull.all(of: haul, teams: teams)
        tell(haul)
        state.withLock { state in
            // Disconnected meanwhile: its pull requests are gone.
            guard state.account.state != .unauthenticated else { return }
            state.follow(shift)
            state.haul = haul
            state.pulls = pulls
            state.teams = teams
            state.updatedAt = now
            state.error = nil
            state.failures = 0
            state.asking.ask(haul, at: now)
        }
    }

    /// What was wrong with it, for the log.
    private func tell(_ haul: PullFetchResult) {
        for why in haul.refusals.values.sorted().prefix(5) {
            log.warning("A pull request was left out", metadata: ["host": "\(haul.host)", "why": "\(why)"])
        }
        for said in haul.complaints.sorted().prefix(5) {
            log.warning("GitHub answered in part", metadata: ["host": "\(haul.host)", "why": "\(said)"])
        }
        let ahead = haul.facts.values.reduce(0) { $0 + $1.timesAhead }
        if ahead > 0 {
            log.info("GitHub named times ahead of ours; taken as now", metadata: ["count": "\(ahead)"])
        }
    }

    private func fail(_ failure: GitHubFailure) {
        log.warning("Pull requests could not be fetched", metadata: ["why": "\(failure.detail)"])
        let (date, now, shift) = (clock.now(), clock.steady(), clock.shift)
        state.withLock { state in
            state.failures += 1
            let wait = Backoff.gitHub.delay(
                failures: state.failures, failure: failure, jitter: .random(in: 0.8...1.2), at: date)
            state.nextTry = now + wait
            state.follow(shift)
            state.error = failure.error
            // GitHub gives up on a query after ten seconds: the next ones ask for less.
            let isGraphQL = state.noGraphQLUntil <= now
            if isGraphQL, case .serverError(let status) = failure.error, [200, 502, 504].contains(status) {
                state.sizing.shrink()
            }
        }
    }

    /// Asks again whether pull requests can be merged, of which GitHub did not know it yet.
    private func askAgain(_ talk: any GitHubClient) async {
        let now = clock.steady()
        let (ids, before) = state.withLock { ($0.asking.take(at: now), $0) }
        guard !ids.isEmpty else { return }
        let graphQL = PullGraphQL(
            talk: talk, priority: .background, now: clock.now(), extent: before.extent, isKnown: true)
        // What is not answered now comes with the next refresh.
        guard let answers = try? await graphQL.mergeable(ids) else { return }
        state.withLock { state in
            guard var haul = state.haul else { return }
            for (key, facts) in haul.facts {
                guard let id = facts.nodeId, let answer = answers[id], answer != .unknown else { continue }
                haul.facts[key]?.pull.mergeable = answer
            }
            state.haul = haul
            state.pulls = JudgedPull.all(of: haul, teams: state.teams)
            state.asking.settle(answers, at: now)
        }
    }
}
