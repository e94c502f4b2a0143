import Foundation
import Logging
import RoostSupport

/// What GitHub is asked for an account's inbox.
enum PullJob: Hashable, Sendable {
    case pulls(GitHubAccountID)
    /// Whether pull requests can be merged, of which GitHub did not know it yet.
    case mergeability(GitHubAccountID)

    var account: GitHubAccountID {
        switch self {
        case .pulls(let id), .mergeability(let id): id
        }
    }
}

/// Has GitHub asked for everybody's pull requests.
struct PullRefreshSource: RefreshSource {
    unowned let service: PullService

    static func refresher(_ clock: WallClock) -> Refresher<PullJob> {
        Refresher(clock: clock, backoff: .gitHub, capacity: .max) { job, running in
            !running.contains { $0.account == job.account }
        }
    }

    private var clock: WallClock { service.clock }
    private var refresher: Refresher<PullJob> { service.refresher }

    func refresh(_ job: PullJob) async throws -> RefreshOutcome {
        guard let pulls = service.pulls(of: job.account), let fetcher = pulls.fetcher else { return .done }
        return switch job {
        case .pulls: try await refresh(job, pulls, fetcher)
        case .mergeability: await askMergeability(pulls, fetcher)
        }
    }

    func ended(_ job: PullJob, _ failure: (any UpstreamFailure)?) async {
        if let failure {
            let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
            service.log.warning("Pull requests could not be fetched", metadata: ["why": "\(detail)"])
        }
        if let user = service.pulls(of: job.account)?.account.userId {
            await service.publishRefresh(of: user)
        }
    }

    private func refresh(_ job: PullJob, _ pulls: AccountPulls, _ fetcher: PullFetcher) async throws
        -> RefreshOutcome
    {
        let (user, start) = (pulls.account.userId, clock.steady())
        let status = refresher.status(of: job)
        if let until = fetcher.blockedUntil {
            // Another job has met the limit since the click: the user is told why nothing comes.
            guard status.isClicked else { return .postponed(until: until) }
            throw GitHubFailure(
                error: .rateLimited(resetDate: clock.date(of: until)),
                retryAfter: until.timeIntervalSince(start), detail: "not asked: GitHub wants to be left alone"
            )
        }
        if !status.isClicked, let until = pulls.pausedUntil {
            // What went wrong last is still said, and a click may try again.
            guard status.failures == 0 else { return .postponed(until: until, unlessClicked: true) }
            let wait = until.timeIntervalSince(start)
            return .again(after: wait, unwatched: wait)
        }
        // Readers see that something happens: nothing is here yet, or an error is shown.
        if status.failures > 0 || !pulls.isLoaded { await service.publishRefresh(of: user) }
        let settings = try await service.settings(of: user)
        let own = settings.sections
        pulls.setBots(settings.choices.botLogins)
        let result: PullFetchResult
        do {
            result = try await fetcher.fetch(own: own, old: pulls.result, isClicked: status.isClicked)
        } catch {
            pulls.noteRefresh(began: start, hasFailed: true)
            throw error
        }
        report(result)
        let wait = try pulls.store(result, by: fetcher)
        pulls.noteRefresh(began: start, hasFailed: false)
        refresher.forget(.mergeability(job.account))
        if let wait { refresher.keep(.mergeability(job.account), notBefore: clock.steady() + wait) }
        await service.release(user)
        return next(
            after: result, own: own, now: try await service.settings(of: user).sections, pulls)
    }

    /// - Parameters:
    ///   - own: the sections that were asked for
    ///   - sections: those that there are now
    private func next(
        after result: PullFetchResult, own: [OwnSection], now sections: [OwnSection], _ pulls: AccountPulls
    ) -> RefreshOutcome {
        let isComplete = sections.allSatisfy { section in
            own.contains { $0.id == section.id && $0.query == section.query }
        }
        // A query that came meanwhile is asked soon.
        guard isComplete else {
            let wait = max(0, pulls.nextClickAt.timeIntervalSince(clock.steady()))
            return .again(after: wait, unwatched: wait)
        }
        let interval = { isWatched in
            PullSchedule.interval(
                isWatched: isWatched, cost: result.nextCost, budget: result.budget, at: clock.now())
        }
        return .again(after: interval(true), unwatched: interval(false))
    }

    /// Logs what was wrong with it.
    private func report(_ result: PullFetchResult) {
        for why in result.refusals.values.sorted().prefix(5) {
            service.log.warning(
                "A pull request was left out", metadata: ["host": "\(result.host)", "why": "\(why)"])
        }
        for said in result.complaints.sorted().prefix(5) {
            service.log.warning(
                "GitHub answered in part", metadata: ["host": "\(result.host)", "why": "\(said)"])
        }
        let ahead = result.facts.values.reduce(0) { $0 + $1.timesAhead }
        if ahead > 0 {
            service.log.info(
                "GitHub named times ahead of ours; taken as now", metadata: ["count": "\(ahead)"])
        }
    }

    private func askMergeability(_ pulls: AccountPulls, _ fetcher: PullFetcher) async -> RefreshOutcome {
        guard pulls.pausedUntil == nil else { return .done }
        let ids = pulls.nextUnknownMergeability()
        // What is not answered now comes with the next refresh.
        guard !ids.isEmpty, let answers = try? await fetcher.mergeable(ids) else { return .done }
        let wait = pulls.record(answers, by: fetcher)
        await service.release(pulls.account.userId)
        return wait.map { .again(after: $0, unwatched: $0) } ?? .done
    }
}
