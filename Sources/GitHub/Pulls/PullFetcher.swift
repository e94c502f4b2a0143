import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Fetches one account's pull requests with one token, by GraphQL or else by REST.
final class PullFetcher: Sendable {
    /// What earlier fetches showed.
    private struct State {
        var options: PullQuery.Options
        var sizing = AdaptivePageSize()
        var hasGraphQLWorked = false
        /// In a row.
        var graphQLFailures = 0
        var noGraphQLUntil = ContinuousClock.Instant.distantPast
        /// The own section that the next REST round starts with.
        var restStart: Int64?
        var cachedPages: [String: PullREST.CachedPage] = [:]
        /// The paths that a round fetched before it failed; the next round continues after them.
        var fetchedPaths: Set<String> = []
    }

    /// The time until GraphQL is tried again on a host without it.
    private static let graphQLRetryInterval = Duration.seconds(600)
    /// If GraphQL has worked before, this many failures in a row count as its absence.
    private static let maximumGraphQLFailures = 3

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
        let options = PullQuery.Options(hasTeams: !account.missingScopes.contains("read:org"))
        state = Mutex(State(options: options))
    }

    /// Nil for now.
    var blockedUntil: ContinuousClock.Instant? {
        let now = clock.steady()
        let resource = state.withLock { $0.noGraphQLUntil > now ? "search" : "graphql" }
        return client.blockedUntil(resource).map(clock.instant).flatMap { $0 > now ? $0 : nil }
    }

    var budget: RateBudget? {
        let now = clock.steady()
        return client.budgets[state.withLock { $0.noGraphQLUntil > now ? "search" : "graphql" }]
    }

    /// Fetches all sections. Throws `GitHubFailure`.
    ///
    /// - Parameters:
    ///   - old: the previous result, which is kept for searches that GitHub does not answer
    ///   - isClicked: true if the user is waiting
    func fetch(own: [OwnSection], old: PullFetchResult?, isClicked: Bool) async throws -> PullFetchResult {
        let noGraphQLUntil = state.withLock { $0.noGraphQLUntil }
        // A user who clicks may know that GraphQL works again.
        let isRequested = isClicked && client.blockedUntil("graphql") == nil
        if noGraphQLUntil <= clock.steady() || isRequested {
            do {
                return try await fetchByGraphQL(own: own, old: old, isClicked: isClicked)
            } catch let error as PullGraphQL.Unavailable {
                try handleUnavailable(error)
            } catch let failure as GitHubFailure {
                // GitHub gives up on a query after ten seconds: request smaller pages.
                if case .serverError(let status) = failure.error, [200, 502, 504].contains(status) {
                    state.withLock { $0.sizing.shrink() }
                }
                throw failure
            }
        }
        return try await fetchByREST(own: own, old: old, isClicked: isClicked)
    }

    func mergeable(_ ids: [String]) async throws -> [String: PullRequest.Mergeable] {
        let graphQL = PullGraphQL(
            client: client, priority: .background, now: clock.now(), options: state.withLock { $0.options },
            hasWorked: true)
        return try await graphQL.mergeable(ids)
    }

    /// Throws the failure if GraphQL has worked before and has not failed too often in a row.
    private func handleUnavailable(_ error: PullGraphQL.Unavailable) throws {
        let isTransient = state.withLock { state in
            state.graphQLFailures += 1
            if state.hasGraphQLWorked, error.failure != nil,
                state.graphQLFailures < Self.maximumGraphQLFailures
            {
                return true
            }
            state.noGraphQLUntil = clock.steady() + Self.graphQLRetryInterval
            return false
        }
        if isTransient, let failure = error.failure { throw failure }
        log.info("Pull requests are fetched over REST", metadata: ["why": "\(error.why)"])
    }

    private func fetchByGraphQL(
        own: [OwnSection], old: PullFetchResult?, isClicked: Bool
    ) async throws -> PullFetchResult {
        let before = state.withLock { $0 }
        var result = PullFetchResult(host: host, login: client.login)
        var options = before.options
        options.pageSize = before.sizing.size
        var graphQL = PullGraphQL(
            client: client, priority: isClicked ? .click : .background, now: clock.now(), options: options,
            hasWorked: before.hasGraphQLWorked)
        let questions = PullSearch.standard.map { PullSearchQuery($0) } + own.map { PullSearchQuery($0) }
        try await graphQL.fetch(questions, into: &result, old: old)
        let finalOptions = graphQL.options
        state.withLock { state in
            state.hasGraphQLWorked = true
            state.graphQLFailures = 0
            state.noGraphQLUntil = .distantPast
            state.options = PullQuery.Options(
                hasTeams: finalOptions.hasTeams, hasMergeState: finalOptions.hasMergeState)
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
            fetchedPaths: before.fetchedPaths)
        let questions = PullREST.questions(own, teams: client.teams, from: before.restStart)
        do {
            try await rest.fetch(questions, into: &result)
        } catch {
            // Keep pages after a rate limit, which ends soon. After an outage they would be outdated.
            let (cachedPages, fetchedPaths) = (rest.cachedPages, PullREST.isLimit(error) ? rest.used : [])
            state.withLock { ($0.cachedPages, $0.fetchedPaths) = (cachedPages, fetchedPaths) }
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
            state.fetchedPaths = []
            state.restStart = next
        }
        return result
    }
}

/// The number of pull requests per GraphQL page. It is halved when GitHub gives up on a query, and slowly grows again.
struct AdaptivePageSize: Equatable {
    private static let (minimum, maximum, step) = (20, 100, 20)
    private static let maximumRequiredSuccesses = 96

    private(set) var size = AdaptivePageSize.maximum
    private var successes = 0
    /// The successes required before a larger size is tried. Each failure doubles it, so that impossible sizes are
    /// tried rarely.
    private var requiredSuccesses = 3

    mutating func shrink() {
        size = max(Self.minimum, size / 2)
        successes = 0
        requiredSuccesses = min(requiredSuccesses * 2, Self.maximumRequiredSuccesses)
    }

    mutating func succeed() {
        guard size < Self.maximum else { return }
        successes += 1
        guard successes >= requiredSuccesses else { return }
        size = min(Self.maximum, size + Self.step)
        successes = 0
    }
}

package protocol PullAccounts: Sendable {
    var all: [GitHubAccount] { get }
    func accounts(of user: UserID) -> [GitHubAccount]
    /// Nil unless the account is authenticated.
    func client(of id: GitHubAccountID) -> (any GitHubClient)?
    /// Nil unless the account is authenticated.
    func actClient(of id: GitHubAccountID) -> (any GitHubActClient)?
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: PullAccounts {
    package func client(of id: GitHubAccountID) -> (any GitHubClient)? { session(of: id) }
    package func actClient(of id: GitHubAccountID) -> (any GitHubActClient)? { session(of: id) }
}
