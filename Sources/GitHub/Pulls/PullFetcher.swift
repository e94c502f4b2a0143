import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Fetches one account's pull requests with one token: by GraphQL, or by REST where there is none.
final class PullFetcher: Sendable {
    /// What earlier fetches taught; times are the steady clock's.
    private struct State {
        var extent: PullQuery.Extent
        var sizing = AdaptivePageSize()
        var knowsGraphQL = false
        /// Answers in a row that looked as if there were no GraphQL.
        var lacks = 0
        /// Only REST until then.
        var noGraphQLUntil = Date.distantPast
        /// The own section that the next search by REST begins with.
        var restStart: Int64?
        var cachedPages: [String: PullREST.CachedPage] = [:]
        /// The paths that a round got before it failed: the next one goes on after them.
        var got: Set<String> = []
    }

    /// How long a host without GraphQL is taken for one, in seconds.
    private static let memoryOfLack: TimeInterval = 600
    /// So many lacks in a row make one of a GraphQL that has answered before.
    private static let enoughLacks = 3

    let client: any GitHubClient
    private let host: String
    private let clock: WallClock
    private let log: Logger
    private let state: Mutex<State>

    init(_ client: any GitHubClient, for account: GitHubAccount, clock: WallClock, log: Logger) {
        self.client = client
        host = account.host
        self.clock = clock
        self.log = log
        let extent = PullQuery.Extent(hasTeams: !account.missingScopes.contains("read:org"))
        state = Mutex(State(extent: extent))
    }

    /// When GitHub takes requests again, by the steady clock; nil for now.
    var blockedUntil: Date? {
        let now = clock.steady()
        let resource = state.withLock { $0.noGraphQLUntil > now ? "search" : "graphql" }
        return client.blockedUntil(resource).map(clock.steady(of:)).flatMap { $0 > now ? $0 : nil }
    }

    /// What GitHub said last of the limit that these requests count against.
    var budget: RateBudget? {
        let now = clock.steady()
        return client.budgets[state.withLock { $0.noGraphQLUntil > now ? "search" : "graphql" }]
    }

    /// Fetches all sections.
    ///
    /// Throws `GitHubFailure`.
    ///
    /// - Parameters:
    ///   - old: of which searches that GitHub does not answer keep what they had
    ///   - isClicked: somebody waits for it
    func fetch(own: [OwnSection], old: PullFetchResult?, isClicked: Bool) async throws -> PullFetchResult {
        let noGraphQLUntil = state.withLock { $0.noGraphQLUntil }
        // The user who clicks may know that it is back.
        let isRequested = isClicked && client.blockedUntil("graphql") == nil
        if noGraphQLUntil <= clock.steady() || isRequested {
            do {
                return try await fetchByGraphQL(own: own, old: old, isClicked: isClicked)
            } catch let lack as PullGraphQL.NotToBeHad {
                try judge(lack)
            } catch let failure as GitHubFailure {
                // GitHub gives up on a query after ten seconds: the next ones ask for less.
                if case .serverError(let status) = failure.error, [200, 502, 504].contains(status) {
                    state.withLock { $0.sizing.shrink() }
                }
                throw failure
            }
        }
        return try await fetchByREST(own: own, old: old, isClicked: isClicked)
    }

    /// Asks whether pull requests can be merged, of which GitHub did not know it yet.
    func mergeable(_ ids: [String]) async throws -> [String: PullRequest.Mergeable] {
        let graphQL = PullGraphQL(
            client: client, priority: .background, now: clock.now(), extent: state.withLock { $0.extent },
            isKnown: true)
        return try await graphQL.mergeable(ids)
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
        own: [OwnSection], old: PullFetchResult?, isClicked: Bool
    ) async throws -> PullFetchResult {
        let before = state.withLock { $0 }
        var result = PullFetchResult(host: host, login: client.login)
        var extent = before.extent
        extent.pageSize = before.sizing.size
        var graphQL = PullGraphQL(
            client: client, priority: isClicked ? .click : .background, now: clock.now(), extent: extent,
            isKnown: before.knowsGraphQL)
        let questions = PullSearch.standard.map { PullSearchQuery($0) } + own.map { PullSearchQuery($0) }
        try await graphQL.fetch(questions, into: &result, old: old)
        let extentNow = graphQL.extent
        state.withLock { state in
            state.knowsGraphQL = true
            state.lacks = 0
            state.noGraphQLUntil = .distantPast
            state.extent = PullQuery.Extent(
                hasTeams: extentNow.hasTeams, hasMergeState: extentNow.hasMergeState)
            state.sizing.succeed()
        }
        result.budget = result.budget ?? client.budgets["graphql"]
        return result
    }

    private func fetchByREST(
        own: [OwnSection], old: PullFetchResult?, isClicked: Bool
    ) async throws -> PullFetchResult {
        let before = state.withLock { $0 }
        var result = PullFetchResult(host: host, login: client.login)
        var rest = PullREST(
            client: client, priority: isClicked ? .click : .background, now: clock.now(),
            cachedPages: before.cachedPages,
            got: before.got)
        let questions = PullREST.questions(own, teams: client.teams, from: before.restStart)
        do {
            try await rest.fetch(questions, into: &result)
        } catch {
            // A limit is over soon; what lay there through an outage would be old.
            let (cachedPages, got) = (rest.cachedPages, PullREST.isLimit(error) ? rest.used : [])
            state.withLock { ($0.cachedPages, $0.got) = (cachedPages, got) }
            throw error
        }
        let cachedPages = rest.cachedPages
        let next = PullREST.next(own, after: questions, found: result)
        for section in own where result.found[.own(section.id)] == nil {
            result.keep(.own(section.id), of: old)
            if result.found[.own(section.id)] == nil {
                result.found[.own(section.id)] = .init(problem: PullREST.waiting)
            }
        }
        state.withLock { state in
            state.cachedPages = cachedPages
            state.got = []
            state.restStart = next
        }
        return result
    }
}

/// How many pull requests a page of GraphQL holds: halved when GitHub gives up on a query, and grown again slowly.
struct AdaptivePageSize: Equatable {
    private static let (minimum, maximum, step) = (20, 100, 20)
    /// A size stays for at most as many good refreshes.
    private static let maximumRequiredSuccesses = 96

    private(set) var size = AdaptivePageSize.maximum
    private var good = 0
    /// Good refreshes before more is tried; each failure doubles them, so that what GitHub cannot do is tried seldom.
    private var requiredSuccesses = 3

    mutating func shrink() {
        size = max(Self.minimum, size / 2)
        good = 0
        requiredSuccesses = min(requiredSuccesses * 2, Self.maximumRequiredSuccesses)
    }

    mutating func succeed() {
        guard size < Self.maximum else { return }
        good += 1
        guard good >= requiredSuccesses else { return }
        size = min(Self.maximum, size + Self.step)
        good = 0
    }
}

/// The accounts whose pull requests are shown.
package protocol PullAccounts: Sendable {
    var all: [GitHubAccount] { get }
    func accounts(of user: UserID) -> [GitHubAccount]
    /// Who speaks for an account; nil unless it is authenticated.
    func client(of id: GitHubAccountID) -> (any GitHubClient)?
    /// Calls the listener whenever an account of a user comes, goes or changes.
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: PullAccounts {
    package func client(of id: GitHubAccountID) -> (any GitHubClient)? { session(of: id) }
}
