import Foundation
import Synchronization

/// Who asks GitHub for repositories.
package protocol RepositoryAccounts: Sendable {
    /// The only host whose repositories are shown.
    var standardHost: GitHubHost { get }
    /// Asks for all who have no account there.
    var shared: any GitHubClient { get }
    /// Whether `shared` is signed in with the server's own token.
    var isSharedSignedIn: Bool { get }
    /// The user's own, or `shared`.
    func talk(for user: UserID) -> any GitHubClient
    /// Whether the user has an account there at all, in whatever state.
    func hasAccount(_ user: UserID) -> Bool
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: RepositoryAccounts {
    package var standardHost: GitHubHost { hosts.standard }
    package var isSharedSignedIn: Bool { hasServerToken }

    package func hasAccount(_ user: UserID) -> Bool {
        accounts(of: user).contains { $0.host == hosts.standard.name }
    }
}

/// One way to GitHub: an account's, or that of all who have none. One request at a time, what is clicked
/// first.
final class RepositoryRequestQueue: Sendable {
    /// How long GraphQL is taken for absent after it was, in seconds.
    private static let memoryOfLack: TimeInterval = 600

    let talk: any GitHubClient
    /// Nil: what comes this way is for everybody, and must be public.
    let viewer: UserID?
    let isSignedIn: Bool
    private let clock: WallClock
    private let turns = PrioritySemaphore()
    private let noGraphQLUntil = Mutex(Date.distantPast)

    init(talk: any GitHubClient, viewer: UserID?, isSignedIn: Bool, clock: WallClock) {
        self.talk = talk
        self.viewer = viewer
        self.isSignedIn = isSignedIn
        self.clock = clock
    }

    /// How many requests wait behind the one that is on its way.
    var waiting: Int { turns.waiting }

    var hasGraphQL: Bool {
        let now = clock.steady()
        return isSignedIn && noGraphQLUntil.withLock { $0 <= now }
    }

    func noteNoGraphQL() {
        let now = clock.steady()
        noGraphQLUntil.withLock { $0 = now + Self.memoryOfLack }
    }

    /// Until when this kind of work has to wait; nil: it may go ahead.
    func closedUntil(_ use: RateLimitPolicy.Purpose, _ resource: String) -> Date? {
        let now = clock.now()
        if let until = talk.blockedUntil(resource), until > now { return until }
        return RateLimitPolicy.closedUntil(use, talk.budgets[resource], now: now)
    }

    /// What is left before the reset, of what pages show.
    func budget(_ resource: String) -> RateBudget? {
        talk.budgets[resource].flatMap { $0.resetAt > clock.now() ? $0 : nil }
    }

    /// Throws `GitHubFailure`, without having asked where the share of this kind of work is used up.
    func get(
        _ path: String, accept: String? = nil, etag: String? = nil, _ use: RateLimitPolicy.Purpose
    ) async throws -> GitHubSession.Answer {
        try await ask(use, path.hasPrefix("/search/") ? "search" : "core") {
            if let accept {
                try await talk.get(path, accept: accept, etag: etag, use.priority)
            } else {
                try await talk.get(path, etag: etag, use.priority)
            }
        }
    }

    func graphQL(
        _ query: String, _ variables: [String: GraphQLVariable], _ use: RateLimitPolicy.Purpose
    ) async throws -> Data {
        try await ask(use, "graphql") {
            try await talk.graphQL(query: query, variables: variables, use.priority)
        }
    }

    private func ask<Value>(
        _ use: RateLimitPolicy.Purpose, _ resource: String, _ work: () async throws -> Value
    ) async throws -> Value {
        try await turns.take(urgency: use.rawValue) {
            let now = clock.now()
            if let reset = RateLimitPolicy.closedUntil(use, talk.budgets[resource], now: now) {
                throw GitHubFailure(
                    error: .rateLimited(resetDate: reset), retryAfter: reset.timeIntervalSince(now),
                    detail: "not asked: the rest of the limit is kept for clicks")
            }
            return try await work()
        }
    }
}
