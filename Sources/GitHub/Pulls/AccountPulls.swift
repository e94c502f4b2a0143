import Foundation
import RoostSupport
import Synchronization

/// One account's pull requests as last fetched, with their reasons. Failures keep them.
final class AccountPulls: Sendable {
    struct Snapshot: Sendable {
        let account: GitHubAccount
        let pulls: [PullKey: InboxItem]
        let found: [PullSearch: PullFetchResult.Found]
        let source: InboxSource
        var isLoaded: Bool { source.updatedAt != nil }
    }

    struct AccountChange {
        /// True if users see a difference.
        var isVisible = false
        var isOtherClient = false
    }

    private struct State {
        var account: GitHubAccount
        /// Nil unless the account is authenticated. A new token gets a new fetcher.
        var fetcher: PullFetcher?
        var result: PullFetchResult?
        var pulls: [PullKey: InboxItem] = [:]
        var teams: Set<String>?
        /// Logins that the user marked as bots, in lower case.
        var bots: Set<String> = []
        var updatedAt: ContinuousClock.Instant?
        /// When the result's budget resets.
        var resetAt: ContinuousClock.Instant?
        var unknownMergeability = UnknownMergeability()
        var nextClickAt = ContinuousClock.Instant.distantPast

        func items(of result: PullFetchResult) -> [PullKey: InboxItem] {
            InboxItem.all(of: result, account: account.id, teams: teams, bots: bots)
        }
    }

    /// A tolerance for clock differences, in seconds.
    private static let afterReset: TimeInterval = 1
    private static let minimumPause = Duration.seconds(1)
    private static let maximumPause = Duration.seconds(30)

    private let clock: WallClock
    private let state: Mutex<State>

    init(_ account: GitHubAccount, clock: WallClock) {
        self.clock = clock
        state = Mutex(State(account: account))
    }

    var account: GitHubAccount { state.withLock { $0.account } }
    var fetcher: PullFetcher? { state.withLock { $0.fetcher } }
    var result: PullFetchResult? { state.withLock { $0.result } }
    var isLoaded: Bool { state.withLock { $0.updatedAt != nil } }

    /// The earliest time for a refresh by click.
    var nextClickAt: ContinuousClock.Instant { state.withLock { $0.nextClickAt } }

    /// When automatic refreshes resume. They pause while only the reserve for the user's other tools is left. Nil if
    /// they are not paused, or if nothing has been fetched yet.
    var pausedUntil: ContinuousClock.Instant? { state.withLock { pausedUntil($0, at: clock.now()) } }

    private func pausedUntil(_ state: State, at now: Date) -> ContinuousClock.Instant? {
        guard let result = state.result else { return nil }
        return PullSchedule.pausedUntil(cost: result.nextCost, budget: budget(state, at: now), at: now)
            .map { clock.instant(of: $0 + Self.afterReset) }
    }

    private func budget(_ state: State, at now: Date) -> RateBudget? {
        var budget = state.fetcher?.budget
        if budget == nil, let resetAt = state.resetAt {
            budget = state.result?.budget?.resetting(at: clock.date(of: resetAt))
        }
        return budget.flatMap { $0.resetAt > now ? $0 : nil }
    }

    /// Updates the account. A disconnected account loses its pull requests.
    ///
    /// - Parameters:
    ///   - client: nil unless the account is authenticated
    ///   - makeFetcher: called for a new token
    func update(
        _ account: GitHubAccount, client: (any GitHubClient)?,
        makeFetcher: (any GitHubClient) -> PullFetcher
    ) -> AccountChange {
        let teams = client?.teams
        return state.withLock { state in
            var change = AccountChange(isVisible: state.account != account)
            state.account = account
            if let result = state.result, client != nil, teams != state.teams {
                // The teams load after the first pull requests.
                state.teams = teams
                state.pulls = state.items(of: result)
                change.isVisible = true
            }
            if account.state == .unauthenticated {
                state.result = nil
                state.pulls = [:]
                state.updatedAt = nil
            }
            change.isOtherClient = state.fetcher?.client !== client
            if change.isOtherClient { state.fetcher = client.map(makeFetcher) }
            return change
        }
    }

    /// Stores a fetch result. Returns the time until unknown mergeability is requested again, or nil.
    ///
    /// Throws `CancellationError` and changes nothing if the account was disconnected or has another token.
    func store(_ result: PullFetchResult, by fetcher: PullFetcher) throws -> Duration? {
        let now = clock.steady()
        let teams = fetcher.client.teams
        let (old, account, bots) = state.withLock { ($0.result, $0.account.id, $0.bots) }
        let merged = result.keepingMergeability(of: old)
        let pulls = InboxItem.all(of: merged, account: account, teams: teams, bots: bots)
        return try state.withLock { state in
            guard state.fetcher === fetcher else { throw CancellationError() }
            let wait = state.unknownMergeability.update(from: result)
            state.result = merged
            state.resetAt = merged.budget.map { clock.instant(of: $0.resetAt) }
            state.teams = teams
            state.pulls = state.bots == bots ? pulls : state.items(of: merged)
            state.updatedAt = now
            return wait
        }
    }

    func setBots(_ logins: [String]) {
        let bots = Set(logins.map { $0.lowercased() })
        state.withLock { state in
            guard state.bots != bots else { return }
            state.bots = bots
            guard let result = state.result else { return }
            state.pulls = state.items(of: result)
        }
    }

    /// Limits clicks, so that they cannot keep Roost busy with a large inbox: the pause is four times as long as the
    /// refresh took. Failures cost little work and have no such pause.
    func noteRefresh(began: ContinuousClock.Instant, hasFailed: Bool) {
        let pause = hasFailed ? .zero : min(Self.maximumPause, (clock.steady() - began) * 5)
        state.withLock { $0.nextClickAt = began + max(Self.minimumPause, pause) }
    }

    func nextUnknownMergeability() -> [String] { state.withLock { $0.unknownMergeability.next() } }

    /// Stores mergeability. Returns the time until the rest is requested, or nil.
    func record(_ answers: [String: PullRequest.Mergeable], by fetcher: PullFetcher) -> Duration? {
        state.withLock { state in
            guard state.fetcher === fetcher, var result = state.result else { return nil }
            for (key, facts) in result.facts {
                guard let id = facts.nodeId, let answer = answers[id], answer != .unknown else { continue }
                result.facts[key]?.pull.mergeable = answer
            }
            state.result = result
            state.pulls = state.items(of: result)
            return state.unknownMergeability.record(answers)
        }
    }

    /// - Parameters:
    ///   - account: the current account, which may be disconnected and then has nothing to show
    ///   - status: of its refreshes
    func snapshot(as account: GitHubAccount, status: Refresher<PullJob>.Status) -> Snapshot {
        let isDisconnected = account.state == .unauthenticated
        let now = clock.now()
        return state.withLock { state in
            let result = isDisconnected ? nil : state.result
            let updatedAt = isDisconnected ? nil : state.updatedAt.map(clock.date)
            let error = account.error ?? status.error
            var nextTryAt = isDisconnected || status.isRunning ? nil : status.nextTryAt
            if let next = nextTryAt, let until = state.fetcher?.blockedUntil { nextTryAt = max(next, until) }
            let budget = result == nil ? nil : budget(state, at: now)
            if let next = nextTryAt, !status.isClicked, let until = pausedUntil(state, at: now) {
                nextTryAt = max(next, until)
            }
            var source = InboxSource(
                accountId: account.id, host: account.host, login: account.login,
                authentication: account.state,
                error: error, updatedAt: updatedAt, nextTryAt: nextTryAt.map(clock.date),
                budget: budget,
                hasLessDetail: result?.hasLessDetail ?? false, refused: result?.refusals.count ?? 0,
                isIncomplete: result?.isIncomplete ?? false, hiddenByGitHub: result?.hidden ?? 0)
            if let result { source.pace = PullSchedule.pace(cost: result.nextCost, budget: budget, at: now) }
            source.loading =
                if status.isRunning && (error != nil || updatedAt == nil) { .loading } else if let error {
                    .failed(error)
                } else if let time = updatedAt { .loaded(time) } else {
                    isDisconnected ? .idle : .loading
                }
            return Snapshot(
                account: account, pulls: isDisconnected ? [:] : state.pulls, found: result?.found ?? [:],
                source: source
            )
        }
    }
}
