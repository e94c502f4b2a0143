import Foundation
import RoostSupport
import Synchronization

/// The requests to GitHub of one account, or of all users without one: one at a time, clicks first.
final class RepositoryRequestQueue: Sendable {
    /// Seconds during which a missing GraphQL is not asked for again.
    private static let negativeTTL: TimeInterval = 600

    let client: any GitHubClient
    /// Nil: what it fetches is for everybody, and must be public.
    let viewer: UserID?
    let isSignedIn: Bool
    private let clock: WallClock
    private let turns = PrioritySemaphore()
    private let noGraphQLUntil = Mutex(Date.distantPast)

    init(client: any GitHubClient, viewer: UserID?, isSignedIn: Bool, clock: WallClock) {
        self.client = client
        self.viewer = viewer
        self.isSignedIn = isSignedIn
        self.clock = clock
    }

    /// How many requests wait for the one that is under way.
    var waiting: Int { turns.waiting }

    var hasGraphQL: Bool {
        let now = clock.steady()
        return isSignedIn && noGraphQLUntil.withLock { $0 <= now }
    }

    func noteNoGraphQL() {
        let now = clock.steady()
        noGraphQLUntil.withLock { $0 = now + Self.negativeTTL }
    }

    /// Until when this kind of work has to wait; nil: it may go ahead.
    func closedUntil(_ use: RateLimitPolicy.Purpose, _ resource: String) -> Date? {
        let now = clock.now()
        if let until = client.blockedUntil(resource), until > now { return until }
        return RateLimitPolicy.closedUntil(use, client.budgets[resource], now: now)
    }

    /// What is left before the reset, of what pages show.
    func budget(_ resource: String) -> RateBudget? {
        client.budgets[resource].flatMap { $0.resetAt > clock.now() ? $0 : nil }
    }

    /// Throws `GitHubFailure`, without having asked where the share of this kind of work is used up.
    func get(
        _ path: String, accept: String? = nil, etag: String? = nil, _ use: RateLimitPolicy.Purpose
    ) async throws -> GitHubSession.Response {
        try await ask(use, path.hasPrefix("/search/") ? "search" : "core") {
            if let accept {
                try await client.get(path, accept: accept, etag: etag, use.priority)
            } else {
                try await client.get(path, etag: etag, use.priority)
            }
        }
    }

    func graphQL(
        _ query: String, _ variables: [String: GraphQLVariable], _ use: RateLimitPolicy.Purpose
    ) async throws -> Data {
        try await ask(use, "graphql") {
            try await client.graphQL(query: query, variables: variables, use.priority)
        }
    }

    private func ask<Value>(
        _ use: RateLimitPolicy.Purpose, _ resource: String, _ work: () async throws -> Value
    ) async throws -> Value {
        try await turns.take(urgency: use.rawValue) {
            let now = clock.now()
            if let reset = RateLimitPolicy.closedUntil(use, client.budgets[resource], now: now) {
                throw GitHubFailure(
                    error: .rateLimited(resetDate: reset), retryAfter: reset.timeIntervalSince(now),
                    detail: "not asked: the rest of the limit is kept for clicks")
            }
            return try await work()
        }
    }
}
