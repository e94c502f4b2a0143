import Foundation
import RoostSupport
import Synchronization

/// The requests of one account, or of all users without one: one at a time, clicks first.
final class RepositoryRequestQueue: Sendable {
    /// The time until GraphQL is tried again on a host without it.
    private static let negativeTTL = Duration.seconds(600)

    let client: any GitHubClient
    /// Nil for the shared queue, which may only return public data.
    let viewer: UserID?
    let isSignedIn: Bool
    private let clock: WallClock
    private let turns = PrioritySemaphore()
    private let noGraphQLUntil = Mutex(ContinuousClock.Instant.distantPast)

    init(client: any GitHubClient, viewer: UserID?, isSignedIn: Bool, clock: WallClock) {
        self.client = client
        self.viewer = viewer
        self.isSignedIn = isSignedIn
        self.clock = clock
    }

    var waiting: Int { turns.waiting }

    var hasGraphQL: Bool {
        let now = clock.steady()
        return isSignedIn && noGraphQLUntil.withLock { $0 <= now }
    }

    func noteNoGraphQL() {
        let now = clock.steady()
        noGraphQLUntil.withLock { $0 = now + Self.negativeTTL }
    }

    /// When requests for this purpose may continue, or nil for now.
    func closedUntil(_ use: RateLimitPolicy.Purpose, _ resource: String) -> Date? {
        let now = clock.now()
        if let until = client.blockedUntil(resource), until > now { return until }
        return RateLimitPolicy.closedUntil(use, client.budgets[resource], now: now)
    }

    /// Nil after the reset.
    func budget(_ resource: String) -> RateBudget? {
        client.budgets[resource].flatMap { $0.resetAt > clock.now() ? $0 : nil }
    }

    /// Throws `GitHubFailure`, without a request if the purpose's share is used up.
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
        try await turns.run(urgency: use.rawValue) {
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

/// The request queues: one for each user with an account, and one for all others.
final class RepositoryRequestQueues: Sendable {
    private let accounts: any RepositoryAccounts
    private let clock: WallClock
    private let queues = Mutex<[UserID?: RepositoryRequestQueue]>([:])

    init(accounts: any RepositoryAccounts, clock: WallClock) {
        self.accounts = accounts
        self.clock = clock
    }

    func queue(for user: UserID) -> RepositoryRequestQueue {
        let client = accounts.client(for: user)
        return queue(client === accounts.shared ? nil : user, client)
    }

    /// Returns nil if the viewer no longer has an account.
    func queue(of viewer: UserID?) -> RepositoryRequestQueue? {
        guard let viewer else { return queue(nil, accounts.shared) }
        let queue = queue(for: viewer)
        return queue.viewer == viewer ? queue : nil
    }

    private func queue(_ viewer: UserID?, _ client: any GitHubClient) -> RepositoryRequestQueue {
        let isSignedIn = viewer != nil || accounts.isSharedSignedIn
        return queues.withLock { queues in
            if let queue = queues[viewer], queue.client === client, queue.isSignedIn == isSignedIn {
                return queue
            }
            let queue = RepositoryRequestQueue(
                client: client, viewer: viewer, isSignedIn: isSignedIn, clock: clock)
            queues[viewer] = queue
            return queue
        }
    }

    func forget(_ user: UserID) { queues.withLock { $0[user] = nil } }
}
