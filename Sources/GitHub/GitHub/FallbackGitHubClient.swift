import Foundation
import Logging
import Synchronization

/// Asks the standard host for all who have no account there: with the operator's token for as long as GitHub
/// takes it, signed out from then on, and without one from the start.
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

    /// True while there is a token and GitHub has not refused it.
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
        try await ask { try await $0.get(path, etag: etag, priority) }
    }

    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await ask { try await $0.get(path, accept: accept, etag: etag, priority) }
    }

    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data {
        try await ask { try await $0.graphQL(query: query, variables: variables, priority) }
    }

    /// A refused token is put away, and the same is asked once more without it.
    private func ask<Value>(_ question: (GitHubSession) async throws -> Value) async throws -> Value {
        guard hasToken, let signedIn else { return try await question(signedOut) }
        do {
            return try await question(signedIn)
        } catch let failure as GitHubFailure where failure.error == .unauthorized {
            putAway()
            return try await question(signedOut)
        }
    }

    /// Several requests may hear of it; one line says so.
    private func putAway() {
        let isNews = isRefused.withLock { isRefused in
            defer { isRefused = true }
            return !isRefused
        }
        guard isNews else { return }
        log.warning("GitHub does not take the token of --github-token: it is asked signed out from now on")
    }
}
