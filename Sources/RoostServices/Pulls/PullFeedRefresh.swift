import Foundation

extension PullFeed {
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
    func step(own: [OwnSection], isWatched: Bool, talk: any GitHubTalk) async {
        defer { end() }
        let now = clock.now()
        let isRefresh = state.withLock { state in
            guard let asking = state.asking.nextAt else { return true }
            return state.isForced || asking > now
        }
        if isRefresh { await refresh(own: own, talk: talk) } else { await askAgain(talk) }
    }

    private func refresh(own: [OwnSection], talk: any GitHubTalk) async {
        let now = clock.now()
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
        } catch {
            guard !Task.isCancelled else { return }
            fail((error as? GitHubFailure) ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)"))
        }
    }

    private func fetch(own: [OwnSection], talk: any GitHubTalk, _ before: State) async throws -> PullHaul {
        if before.noGraphQLUntil <= clock.now() {
            do {
                return try await fetchByGraphQL(own: own, talk: talk, before)
            } catch let lack as PullGraphQL.NotToBeHad {
                log.info("Pull requests are asked for by REST", metadata: ["why": "\(lack.why)"])
                state.withLock { $0.noGraphQLUntil = clock.now() + Self.memoryOfLack }
            }
        }
        return try await fetchByREST(own: own, talk: talk, before)
    }

    private func fetchByGraphQL(
        own: [OwnSection], talk: any GitHubTalk, _ before: State
    ) async throws -> PullHaul {
        var haul = PullHaul(host: before.account.host, login: talk.login)
        var graphQL = PullGraphQL(
            talk: talk, priority: before.isClicked ? .click : .background, now: clock.now(),
            extent: before.extent, isKnown: before.knowsGraphQL)
        let questions = PullSearch.standard.map { PullQuestion($0) } + own.map { PullQuestion($0) }
        try await graphQL.fetch(questions, into: &haul, old: before.haul)
        let hasTeams = graphQL.extent.hasTeams
        state.withLock { state in
            state.knowsGraphQL = true
            state.extent = PullQuery.Extent(hasTeams: hasTeams)
        }
        haul.budget = haul.budget ?? talk.budgets["graphql"]
        return haul
    }

    private func fetchByREST(
        own: [OwnSection], talk: any GitHubTalk, _ before: State
    ) async throws -> PullHaul {
        var haul = PullHaul(host: before.account.host, login: talk.login)
        var rest = PullREST(
            talk: talk, priority: before.isClicked ? .click : .background, now: clock.now(), kept: before.kept
        )
        try await rest.fetch(
            PullREST.questions(own, teams: talk.teams, turn: before.restTurn), into: &haul)
        for section in own where haul.found[.own(section.id)] == nil {
            haul.keep(.own(section.id), of: before.haul)
        }
        let kept = rest.kept
        state.withLock { state in
            state.kept = kept
            state.restTurn += 1
        }
        return haul
    }

    private func succeed(_ haul: PullHaul, talk: any GitHubTalk) {
        let now = clock.now()
        let teams = talk.teams
        let pulls = JudgedPull.all(of: haul, teams: teams)
        for why in haul.refusals.values.sorted().prefix(5) {
            log.warning("A pull request was left out", metadata: ["host": "\(haul.host)", "why": "\(why)"])
        }
        for said in haul.complaints.sorted().prefix(5) {
            log.warning("GitHub answered in part", metadata: ["host": "\(haul.host)", "why": "\(said)"])
        }
        state.withLock { state in
            // Disconnected meanwhile: its pull requests are gone.
            guard state.account.state != .unauthenticated else { return }
            state.haul = haul
            state.pulls = pulls
            state.teams = teams
            state.updatedAt = now
            state.error = nil
            state.failures = 0
            state.asking.ask(haul, at: now)
        }
    }

    private func fail(_ failure: GitHubFailure) {
        log.warning("Pull requests could not be fetched", metadata: ["why": "\(failure.detail)"])
        let now = clock.now()
        state.withLock { state in
            state.failures += 1
            let wait = PullSchedule.backOff(
                failures: state.failures, failure: failure, jitter: .random(in: 0.8...1.2), at: now)
            state.nextTry = now + wait
            state.error = failure.error
            // GitHub gives up on a query after ten seconds: the next one asks for less.
            if case .serverError = failure.error {
                state.extent.pageSize = max(10, state.extent.pageSize / 2)
            }
        }
    }

    /// Asks again whether pull requests can be merged, of which GitHub did not know it yet.
    private func askAgain(_ talk: any GitHubTalk) async {
        let now = clock.now()
        let (ids, before) = state.withLock { ($0.asking.take(at: now), $0) }
        guard !ids.isEmpty else { return }
        let graphQL = PullGraphQL(
            talk: talk, priority: .background, now: now, extent: before.extent, isKnown: true)
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

/// The pull requests whose mergeability GitHub was still finding out: asked again after 3, 6 and 12
/// seconds, as long as it is unknown.
struct MergeQuestions {
    private static let most = 100
    private static let tries = 3
    /// By id: how often it was asked.
    private var asked: [String: Int] = [:]
    private var unsettled: [String] = []
    private(set) var nextAt: Date?

    mutating func ask(_ haul: PullHaul, at now: Date) {
        let unknown = haul.facts.values.filter { $0.pull.mergeable == .unknown }.compactMap(\.nodeId).sorted()
        asked = asked.filter { unknown.contains($0.key) }
        unsettled = Array(unknown.filter { asked[$0, default: 0] < Self.tries }.prefix(Self.most))
        nextAt = unsettled.isEmpty ? nil : now + 3
    }

    /// The ids to ask about now; counts the try.
    mutating func take(at now: Date) -> [String] {
        defer { nextAt = nil }
        for id in unsettled { asked[id, default: 0] += 1 }
        return unsettled
    }

    mutating func settle(_ answers: [String: PullRequest.Mergeable], at now: Date) {
        for (id, answer) in answers where answer != .unknown { asked[id] = nil }
        unsettled = unsettled.filter { (asked[$0] ?? Self.tries) < Self.tries }
        guard let tries = unsettled.compactMap({ asked[$0] }).max() else { return }
        nextAt = now + 3 * Double(1 << min(tries, 4))
    }
}
