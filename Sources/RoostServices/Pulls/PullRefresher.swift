import Foundation
import Logging
import Synchronization

/// The one refresher of an account's pull requests: single flight, within the budget, backing off with jitter.
///
/// It keeps the last good haul through failures. Whoever owns it says when: `dueAt`, then `step`.
final class PullRefresher: Sendable {
    /// What the inbox is made of: the haul, judged.
    struct Snapshot: Sendable {
        let account: GitHubAccount
        let pulls: [PullKey: JudgedPull]
        let found: [PullSearch: PullFetchResult.Found]
        let source: InboxSource
        var isLoaded: Bool { source.updatedAt != nil }
    }

    /// Its times are the steady clock's, but for those within the haul and an error's.
    struct State {
        var account: GitHubAccount
        var haul: PullFetchResult?
        var pulls: [PullKey: JudgedPull] = [:]
        /// With which they were judged.
        var teams: Set<String>?
        var updatedAt: Date?
        var error: APIError?
        /// By which the dates of the error and the budget are to be read.
        var shift: TimeInterval = 0
        var failures = 0
        /// After a failure: not before.
        var nextTry = Date.distantPast
        var lastRefresh = Date.distantPast
        /// Seconds from the last refresh's beginning to the next one that somebody may have by a click.
        var pause: TimeInterval = 1
        var isRunning = false
        /// Somebody clicked, or something is new: at once.
        var isForced = true
        var isClicked = false
        var extent: PullQuery.Extent
        var sizing = AdaptivePageSize()
        var knowsGraphQL = false
        /// Answers in a row that looked as if there were no GraphQL.
        var lacks = 0
        /// Only REST until then.
        var noGraphQLUntil = Date.distantPast
        /// The own section that the next search by REST begins with.
        var restStart: Int64?
        var kept: [String: PullREST.CachedPage] = [:]
        /// The paths that a round got before it failed: the next one goes on after them.
        var got: Set<String> = []
        var asking = MergeabilityPoller()
        /// Whose answers these are: another one is another token. Held, so that no later one is taken for it.
        var talker: (any GitHubClient)?

        /// The clock may have been set: the dates of errors and budgets move with it.
        mutating func follow(_ shift: TimeInterval) {
            guard shift != self.shift else { return }
            error = error?.moved(by: shift - self.shift)
            let budget = haul?.budget?.moved(by: shift - self.shift)
            haul?.budget = budget
            self.shift = shift
        }
    }

    /// How long a host without GraphQL is taken for one, in seconds.
    static let memoryOfLack: TimeInterval = 600
    /// So many lacks in a row make one of a GraphQL that has answered before.
    static let enoughLacks = 3

    let id: GitHubAccountID
    let clock: WallClock
    let log: Logger
    let state: Mutex<State>

    init(_ account: GitHubAccount, clock: WallClock, log: Logger) {
        id = account.id
        self.clock = clock
        self.log = log
        let extent = PullQuery.Extent(hasTeams: !account.missingScopes.contains("read:org"))
        state = Mutex(State(account: account, extent: extent))
    }

    /// Takes over how the account stands; true when a reader would see a difference.
    func update(_ account: GitHubAccount, talk: (any GitHubClient)?) -> Bool {
        let teams = talk?.teams
        return state.withLock { state in
            var differs = state.account != account
            state.account = account
            if let haul = state.haul, talk != nil, teams != state.teams {
                // The teams are known later than the first pull requests.
                state.teams = teams
                state.pulls = JudgedPull.all(of: haul, teams: teams)
                differs = true
            }
            if account.state == .unauthenticated {
                state.haul = nil
                state.pulls = [:]
                state.updatedAt = nil
                state.talker = nil
            }
            if let talk, talk !== state.talker {
                state.talker = talk
                state.isForced = true
                state.failures = 0
                state.nextTry = .distantPast
                state.kept = [:]
                state.got = []
                state.sizing = AdaptivePageSize()
                state.knowsGraphQL = false
                state.lacks = 0
                state.noGraphQLUntil = .distantPast
                state.extent = PullQuery.Extent(hasTeams: !account.missingScopes.contains("read:org"))
            }
            return differs
        }
    }

    var account: GitHubAccount { state.withLock { $0.account } }

    /// A reader is told when the next step begins: nothing is here yet, or an error is shown.
    var isTroubled: Bool { state.withLock { $0.failures > 0 || $0.updatedAt == nil } }

    /// Until when GitHub asked to be left alone, a date; past for not at all.
    func blockedUntil(talk: (any GitHubClient)?) -> Date {
        let (now, shift) = (clock.steady(), clock.shift)
        return state.withLock { state in
            state.follow(shift)
            let asked = talk?.blockedUntil(state.noGraphQLUntil > now ? "search" : "graphql") ?? .distantPast
            guard state.failures > 0, case .rateLimited(let reset) = state.error else { return asked }
            return max(asked, reset)
        }
    }

    /// When it wants to be stepped, by the steady clock; nil while it runs or nobody speaks for the account.
    func dueAt(isWatched: Bool, talk: (any GitHubClient)?) -> Date? {
        guard let talk else { return nil }
        let (now, shift) = (clock.steady(), clock.shift)
        return state.withLock { state in
            guard !state.isRunning else { return nil }
            state.follow(shift)
            let refresh = Self.refreshDue(state, isWatched: isWatched, talk, now, shift)
            return min(refresh, state.asking.nextAt ?? .distantFuture)
        }
    }

    private static func refreshDue(
        _ state: State, isWatched: Bool, _ talk: any GitHubClient, _ now: Date, _ shift: TimeInterval
    ) -> Date {
        let isLess = state.noGraphQLUntil > now
        let blocked = talk.blockedUntil(isLess ? "search" : "graphql").map { $0 - shift } ?? .distantPast
        if state.isForced { return max(blocked, state.lastRefresh + state.pause) }
        if state.failures > 0 { return max(blocked, state.nextTry) }
        let interval = PullSchedule.interval(
            isWatched: isWatched, cost: state.haul?.cost ?? 1, budget: state.haul?.budget,
            at: state.lastRefresh + shift)
        return max(blocked, state.lastRefresh + interval)
    }

    /// Has the next refresh come at once; `isClicked`: somebody waits for it.
    func force(isClicked: Bool) {
        state.withLock { state in
            state.isForced = true
            state.isClicked = state.isClicked || isClicked
        }
    }

    /// - Parameter account: how it stands now, which may be news to the feed: a disconnected one has nothing to show
    func snapshot(as account: GitHubAccount, isWatched: Bool, talk: (any GitHubClient)?) -> Snapshot {
        let next = dueAt(isWatched: isWatched, talk: talk)
        let isGone = account.state == .unauthenticated
        let (now, shift) = (clock.now(), clock.shift)
        return state.withLock { state in
            state.follow(shift)
            let haul = isGone ? nil : state.haul
            let updatedAt = isGone ? nil : state.updatedAt.map { $0 + shift }
            let error = account.error ?? state.error
            var source = InboxSource(
                accountId: account.id, host: account.host, login: account.login,
                authentication: account.state,
                error: error, updatedAt: updatedAt, nextTryAt: next.map { $0 + shift },
                // What was left before its reset says nothing any more.
                budget: haul?.budget.flatMap { $0.resetAt > now ? $0 : nil },
                hasLessDetail: haul?.hasLessDetail ?? false, refused: haul?.refusals.count ?? 0,
                isIncomplete: haul?.isIncomplete ?? false, hiddenByGitHub: haul?.hidden ?? 0)
            source.loading =
                if state.isRunning && (error != nil || updatedAt == nil) { .loading } else if let error {
                    .failed(error)
                } else if let time = updatedAt { .loaded(time) } else {
                    isGone ? .idle : .loading
                }
            return Snapshot(
                account: account, pulls: isGone ? [:] : state.pulls, found: haul?.found ?? [:], source: source
            )
        }
    }
}
