import Foundation
import Logging
import RoostSupport

enum PullJob: Hashable, Sendable {
    case pulls(GitHubAccountID)
    /// For pull requests whose mergeability GitHub had not determined.
    case mergeability(GitHubAccountID)

    var account: GitHubAccountID {
        switch self {
        case .pulls(let id), .mergeability(let id): id
        }
    }
}

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
        case .mergeability: await fetchMergeability(pulls, fetcher)
        }
    }

    func ended(_ job: PullJob, _ failure: (any UpstreamFailure)?) async {
        if let failure {
            let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
            service.log.warning("Pull requests could not be fetched", metadata: ["why": "\(detail)"])
        }
        if let user = service.pulls(of: job.account)?.account.userId {
            await service.publishRefresh(of: user)
            await service.queueWebhooks(of: user)
        }
    }

    private func refresh(_ job: PullJob, _ pulls: AccountPulls, _ fetcher: PullFetcher) async throws
        -> RefreshOutcome
    {
        let (user, start) = (pulls.account.userId, clock.steady())
        let status = refresher.status(of: job)
        if let until = fetcher.blockedUntil {
            // Another job reached the limit since the click: show the user why nothing loads.
            guard status.isClicked else { return .postponed(until: until) }
            throw GitHubFailure(
                error: .rateLimited(resetDate: clock.date(of: until)),
                retryAfter: (until - start).inSeconds, detail: "not sent: GitHub asked Roost to wait"
            )
        }
        if !status.isClicked, let until = pulls.pausedUntil {
            // The last failure stays visible, and a click may try again.
            guard status.failures == 0 else { return .postponed(until: until, unlessClicked: true) }
            let wait = until - start
            return .again(after: wait, unwatched: wait)
        }
        // Show that a refresh has started, if nothing is loaded or an error is shown.
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
    ///   - own: the sections that were fetched
    ///   - sections: the current sections
    private func next(
        after result: PullFetchResult, own: [OwnSection], now sections: [OwnSection], _ pulls: AccountPulls
    ) -> RefreshOutcome {
        let isComplete = sections.allSatisfy { section in
            own.contains { $0.id == section.id && $0.query == section.query }
        }
        // A query that was added during the refresh is fetched soon.
        guard isComplete else {
            let wait = max(.zero, pulls.nextClickAt - clock.steady())
            return .again(after: wait, unwatched: wait)
        }
        let interval = { isWatched in
            Duration.seconds(
                PullSchedule.interval(
                    isWatched: isWatched, cost: result.nextCost, budget: result.budget, at: clock.now()))
        }
        return .again(after: interval(true), unwatched: interval(false))
    }

    private func report(_ result: PullFetchResult) {
        for why in result.refusals.values.sorted().prefix(5) {
            service.log.warning(
                "A pull request was skipped", metadata: ["host": "\(result.host)", "why": "\(why)"])
        }
        for warning in result.warnings.sorted().prefix(5) {
            service.log.warning(
                "GitHub sent an incomplete answer", metadata: ["host": "\(result.host)", "why": "\(warning)"])
        }
        let count = result.facts.values.reduce(0) { $0 + $1.futureDateCount }
        if count > 0 {
            service.log.info(
                "Times from GitHub are in the future; replaced by now", metadata: ["count": "\(count)"])
        }
    }

    private func fetchMergeability(_ pulls: AccountPulls, _ fetcher: PullFetcher) async -> RefreshOutcome {
        guard pulls.pausedUntil == nil else { return .done }
        let ids = pulls.nextUnknownMergeability()
        // Failures wait for the next refresh.
        guard !ids.isEmpty, let answers = try? await fetcher.mergeable(ids) else { return .done }
        let wait = pulls.record(answers, by: fetcher)
        await service.release(pulls.account.userId)
        return wait.map { .again(after: $0, unwatched: $0) } ?? .done
    }
}
