import Foundation
import RoostSupport
import Synchronization

/// One account's pull requests as they were last fetched, judged; failures keep them.
final class AccountPulls: Sendable {
    /// What the inbox is made of.
    struct Snapshot: Sendable {
        let account: GitHubAccount
        let pulls: [PullKey: ClassifiedPull]
        let found: [PullSearch: PullFetchResult.Found]
        let source: InboxSource
        var isLoaded: Bool { source.updatedAt != nil }
    }

    /// What an account's change comes to.
    struct AccountChange {
        /// Readers see a difference.
        var isVisible = false
        /// There is a token where there was none or another, or none any more.
        var isOtherClient = false
    }

    /// Its times are the steady clock's, but for those within the fetch result.
    private struct State {
        var account: GitHubAccount
        /// Nil unless the account is authenticated; with another token it is another one.
        var fetcher: PullFetcher?
        var result: PullFetchResult?
        var pulls: [PullKey: ClassifiedPull] = [:]
        /// With which they were judged.
        var teams: Set<String>?
        /// The bots of its user's list, in lower case.
        var bots: Set<String> = []
        var updatedAt: Date?
        /// By which the budget's date is to be read.
        var shift: TimeInterval = 0
        var unknownMergeability = UnknownMergeability()
        var nextClickAt = Date.distantPast

        /// The clock may have been set: the budget's date moves with it.
        mutating func follow(_ shift: TimeInterval) {
            guard shift != self.shift else { return }
            let budget = result?.budget?.moved(by: shift - self.shift)
            result?.budget = budget
            self.shift = shift
        }

        /// What was left before its reset says nothing any more.
        func budget(at now: Date) -> RateBudget? {
            (fetcher?.budget ?? result?.budget).flatMap { $0.resetAt > now ? $0 : nil }
        }

        /// The date from which it is asked by itself again; nil while it is.
        func pausedUntil(at now: Date) -> Date? {
            guard let result else { return nil }
            return PullSchedule.pausedUntil(cost: result.nextCost, budget: budget(at: now), at: now)
                .map { $0 + AccountPulls.afterReset }
        }
    }

    /// Seconds after a budget's reset until it is asked again, for the clocks.
    private static let afterReset: TimeInterval = 1
    private static let minimumPause: TimeInterval = 1
    private static let maximumPause: TimeInterval = 30

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

    /// The earliest time for a refresh that somebody clicks for, by the steady clock.
    var nextClickAt: Date { state.withLock { $0.nextClickAt } }

    /// Until when nothing is asked by itself, by the steady clock, since only the fifth for the user's other tools is left;
    /// nil while it is asked, and until something has been fetched.
    var pausedUntil: Date? {
        let (now, shift) = (clock.now(), clock.shift)
        return state.withLock { state in
            state.follow(shift)
            return state.pausedUntil(at: now).map { $0 - shift }
        }
    }

    /// Takes the account over; a disconnected one loses its pull requests.
    ///
    /// - Parameters:
    ///   - client: nil unless the account is authenticated
    ///   - makeFetcher: called where the token is new
    func update(
        _ account: GitHubAccount, client: (any GitHubClient)?,
        makeFetcher: (any GitHubClient) -> PullFetcher
    ) -> AccountChange {
        let teams = client?.teams
        return state.withLock { state in
            var change = AccountChange(isVisible: state.account != account)
            state.account = account
            if let result = state.result, client != nil, teams != state.teams {
                // The teams are known later than the first pull requests.
                state.teams = teams
                state.pulls = ClassifiedPull.all(of: result, teams: teams, bots: state.bots)
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

    /// Takes a fetch result in. Returns seconds until unknown mergeability is asked for again, nil for none.
    ///
    /// Throws `CancellationError`, and changes nothing, where the account was disconnected or has another token.
    func store(_ result: PullFetchResult, by fetcher: PullFetcher) throws -> TimeInterval? {
        let (now, shift) = (clock.steady(), clock.shift)
        let teams = fetcher.client.teams
        let (old, bots) = state.withLock { ($0.result, $0.bots) }
        let known = result.keepingMergeability(of: old)
        let pulls = ClassifiedPull.all(of: known, teams: teams, bots: bots)
        return try state.withLock { state in
            guard state.fetcher === fetcher else { throw CancellationError() }
            state.shift = shift
            let wait = state.unknownMergeability.update(from: result)
            state.result = known
            // The list of bots may have been changed meanwhile.
            state.pulls =
                state.bots == bots ? pulls : ClassifiedPull.all(of: known, teams: teams, bots: state.bots)
            state.teams = teams
            state.updatedAt = now
            return wait
        }
    }

    /// Sets the logins of further accounts that are bots.
    func setBots(_ logins: [String]) {
        let bots = Set(logins.map { $0.lowercased() })
        state.withLock { state in
            guard state.bots != bots else { return }
            state.bots = bots
            guard let result = state.result else { return }
            state.pulls = ClassifiedPull.all(of: result, teams: state.teams, bots: bots)
        }
    }

    /// Clicks cannot keep Roost busy with a large inbox: it rests four times as long as a refresh took. After a failure
    /// a reader who tries again need not wait, however long it took: an outage makes little work.
    func noteRefresh(began: Date, hasFailed: Bool) {
        let seconds = clock.steady().timeIntervalSince(began)
        let pause = hasFailed ? 0 : min(Self.maximumPause, 5 * seconds)
        state.withLock { $0.nextClickAt = began + max(Self.minimumPause, pause) }
    }

    /// Returns the ids whose mergeability is to be asked for now.
    func nextUnknownMergeability() -> [String] { state.withLock { $0.unknownMergeability.next() } }

    /// Takes answers about mergeability in. Returns seconds until the rest is asked for; nil for none.
    func record(_ answers: [String: PullRequest.Mergeable], by fetcher: PullFetcher) -> TimeInterval? {
        state.withLock { state in
            guard state.fetcher === fetcher, var result = state.result else { return nil }
            for (key, facts) in result.facts {
                guard let id = facts.nodeId, let answer = answers[id], answer != .unknown else { continue }
                result.facts[key]?.pull.mergeable = answer
            }
            state.result = result
            state.pulls = ClassifiedPull.all(of: result, teams: state.teams, bots: state.bots)
            return state.unknownMergeability.record(answers)
        }
    }

    /// - Parameters:
    ///   - account: as it is now, which may be news: a disconnected one has nothing to show
    ///   - status: of its refreshing
    func snapshot(as account: GitHubAccount, status: Refresher<PullJob>.Status) -> Snapshot {
        let isGone = account.state == .unauthenticated
        let (now, shift) = (clock.now(), clock.shift)
        return state.withLock { state in
            state.follow(shift)
            let result = isGone ? nil : state.result
            let updatedAt = isGone ? nil : state.updatedAt.map { $0 + shift }
            let error = account.error ?? status.failure?.error
            var nextTryAt = isGone || status.isRunning ? nil : status.nextTryAt
            if let next = nextTryAt, let until = state.fetcher?.blockedUntil { nextTryAt = max(next, until) }
            let budget = result == nil ? nil : state.budget(at: now)
            if let next = nextTryAt, !status.isClicked, let until = state.pausedUntil(at: now) {
                nextTryAt = max(next, until - shift)
            }
            var source = InboxSource(
                accountId: account.id, host: account.host, login: account.login,
                authentication: account.state,
                error: error, updatedAt: updatedAt, nextTryAt: nextTryAt.map { $0 + shift },
                budget: budget,
                hasLessDetail: result?.hasLessDetail ?? false, refused: result?.refusals.count ?? 0,
                isIncomplete: result?.isIncomplete ?? false, hiddenByGitHub: result?.hidden ?? 0)
            if let result { source.pace = PullSchedule.pace(cost: result.nextCost, budget: budget, at: now) }
            source.loading =
                if status.isRunning && (error != nil || updatedAt == nil) { .loading } else if let error {
                    .failed(error)
                } else if let time = updatedAt { .loaded(time) } else {
                    isGone ? .idle : .loading
                }
            return Snapshot(
                account: account, pulls: isGone ? [:] : state.pulls, found: result?.found ?? [:],
                source: source
            )
        }
    }
}
