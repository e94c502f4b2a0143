import Foundation
import Logging
import RoostSupport

/// Looks after the accounts in the background: whom each token stands for, once a start, and the teams every hour.
///
/// A host that does not answer does not delay the others.
struct GitHubAccountMonitor: RefreshSource {
    /// Seconds.
    private static let teamsInterval: TimeInterval = 3_600

    let connector: GitHubAccountConnector
    let log: Logger

    private var sessionRegistry: GitHubSessionRegistry { connector.sessionRegistry }

    /// Until cancelled.
    func run() async { await sessionRegistry.refresher.run(self) }

    /// Those whose time has come, once.
    func lookAfterDue() async { await sessionRegistry.refresher.runUntilIdle(self) }

    func refresh(_ session: GitHubSession) async throws -> RefreshOutcome {
        if sessionRegistry.entry(session.account)?.account.state == .authenticating {
            try await authenticate(session)
        }
        let teams = session.teams
        try await session.refreshTeams()
        // Whose pull requests ask through a team shows only now.
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
