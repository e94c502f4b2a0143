import Foundation
import Logging
import Synchronization

/// The client for users without an account on the standard host. It uses the operator's token until GitHub rejects it,
/// and sends unauthenticated requests after that or if there is no token.
final class FallbackGitHubClient: GitHubClient {
    private let signedIn: GitHubSession?
    private let signedOut: GitHubSession
    private let isRefused = Mutex(false)
    private let log: Logger

    init(host: GitHubHost, token: GitHubToken?, api: GitHubAPI, log: Logger) {
        signedIn = token.map {
            GitHubSession(account: 0, host: host, login: "", token: $0, api: api)
        }
        signedOut = GitHubSession(account: 0, host: host, login: "", token: nil, api: api)
        self.log = log
    }

    var hasToken: Bool { signedIn != nil && !isRefused.withLock { $0 } }

    private var session: GitHubSession { hasToken ? signedIn ?? signedOut : signedOut }

    var login: String { "" }
    var teams: Set<String>? { nil }
    var budgets: [String: RateBudget] { session.budgets }
    var outcomes: GitHubOutcomes { session.outcomes }
    func blockedUntil(_ resource: String) -> Date? { session.blockedUntil(resource) }

    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await send { try await $0.get(path, etag: etag, priority) }
    }

    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await send { try await $0.get(path, accept: accept, etag: etag, priority) }
    }

    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data {
        try await send { try await $0.graphQL(query: query, variables: variables, priority) }
    }

    /// Repeats the request without the token if GitHub rejects it.
    private func send<Value>(_ request: (GitHubSession) async throws -> Value) async throws -> Value {
        guard hasToken, let signedIn else { return try await request(signedOut) }
        do {
            return try await request(signedIn)
        } catch let failure as GitHubFailure where failure.error == .unauthorized {
            rejectToken()
            return try await request(signedOut)
        }
    }

    private func rejectToken() {
        let isFirst = isRefused.withLock { isRefused in
            defer { isRefused = true }
            return !isRefused
        }
        guard isFirst else { return }
        log.warning("GitHub rejected the token of --github-token: requests are anonymous from now on")
    }
}
