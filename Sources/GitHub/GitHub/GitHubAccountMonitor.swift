import Foundation
import Logging
package import RoostSupport

/// Checks accounts in the background: each token's user once after a start, and their teams every hour.
///
/// A host that does not answer does not delay the others.
struct GitHubAccountMonitor: RefreshSource {
    private static let teamsInterval = Duration.seconds(3_600)

    let connector: GitHubAccountConnector
    let log: Logger

    private var sessionRegistry: GitHubSessionRegistry { connector.sessionRegistry }

    func run() async { await sessionRegistry.refresher.run(self) }

    func refreshDue() async { await sessionRegistry.refresher.runUntilIdle(self) }

    func refresh(_ session: GitHubSession) async throws -> RefreshOutcome {
        if sessionRegistry.entry(session.account)?.account.state == .authenticating {
            try await authenticate(session)
        }
        let teams = session.teams
        try await session.refreshTeams()
        // The teams decide which pull requests ask this user for a review.
        if session.teams != teams { sessionRegistry.publish(of: session) }
        return .again(after: Self.teamsInterval, unwatched: Self.teamsInterval)
    }

    func ended(_ session: GitHubSession, _ failure: (any UpstreamFailure)?) {
        guard let failure else { return }
        let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
        log.info(
            "GitHub could not be asked about an account",
            metadata: ["account": "\(session.login) at \(session.host.name)", "why": "\(detail)"])
        sessionRegistry.change(session) { entry in
            if entry.account.state == .authenticating { entry.account.error = failure.error }
        }
    }

    private func authenticate(_ session: GitHubSession) async throws {
        let (user, scopes) = try await session.user()
        if let login = sessionRegistry.entry(session.account)?.account.login, login != user.login {
            await connector.rename(session, to: user.login)
        }
        sessionRegistry.change(session) { entry in
            entry.account.state = .authenticated
            entry.account.user = user
            entry.account.scopes = scopes ?? []
            entry.account.isFineGrained = scopes == nil
            entry.account.error = nil
        }
    }
}

extension GitHubSession: Hashable {
    package static func == (left: GitHubSession, right: GitHubSession) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The state of one account's requests to GitHub for monitoring, without its login.
package struct GitHubAccountReport: Equatable, Sendable {
    package let host: String
    /// Zero for `GitHubAccountService.shared`.
    package let number: GitHubAccountID
    package let authentication: AuthenticationState
    package var error: APIError?
    package var outcomes = GitHubOutcomes()
    /// By resource. Some may be past their reset.
    package var budgets: [String: RateBudget] = [:]
}
