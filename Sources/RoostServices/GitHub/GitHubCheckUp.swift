import Foundation
import Logging

/// Looks after the accounts in the background: whom each token stands for, once a start, and the teams every hour.
struct GitHubCheckUp: Sendable {
    private static let teamsInterval: TimeInterval = 3_600
    /// After a failure: 5, 10, 20 ... seconds, at most this.
    private static let longestBackOff = 300.0

    let registry: GitHubRegistry
    let clock: WallClock
    let log: Logger

    private var book: GitHubAccountBook { registry.book }

    /// Until cancelled. A host that does not answer keeps nobody else waiting.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = clock.steady()
                for session in book.takeDue(at: now) { group.addTask { await look(after: session) } }
                let wait = book.nextLook.map { min(max($0.timeIntervalSince(now), 0.05), 60) } ?? 60
                await book.bell.wait(atMost: .seconds(wait))
            }
        }
    }

    /// Those whose time has come, once; returns when GitHub has answered for all of them.
    func lookAfterDue() async {
        await withDiscardingTaskGroup { group in
            for session in book.takeDue(at: clock.steady()) { group.addTask { await look(after: session) } }
        }
    }

    private func look(after session: GitHubSession) async {
        var next = clock.steady() + Self.teamsInterval
        do {
            if book.entry(session.account)?.account.state == .authenticating {
                try await authenticate(session)
            }
            let teams = session.teams
            try await session.refreshTeams()
            // Whose pull requests ask through a team shows only now.
            book.change(session) { entry in entry.failures = 0 }
            if session.teams != teams { book.tell(of: session) }
        } catch is CancellationError {
            next = clock.steady()
        } catch {
            next = clock.steady() + wait(after: error, of: session)
        }
        book.looked(session, next: next)
    }

    private func authenticate(_ session: GitHubSession) async throws {
        let (user, scopes) = try await session.user()
        if let login = book.entry(session.account)?.account.login, login != user.login {
            await registry.rename(session, to: user.login)
        }
        book.change(session) { entry in
            entry.account.state = .authenticated
            entry.account.user = user
            entry.account.scopes = scopes ?? []
            entry.account.isFineGrained = scopes == nil
            entry.account.error = nil
            entry.failures = 0
        }
    }

    /// Takes the failure in; answers the seconds until the next try.
    private func wait(after error: any Error, of session: GitHubSession) -> TimeInterval {
        let failure =
            error as? GitHubFailure ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)")
        log.info(
            "GitHub could not be asked about an account",
            metadata: ["account": "\(session.login) at \(session.host.name)", "why": "\(failure.detail)"])
        var failures = 1
        book.change(session) { entry in
            entry.failures += 1
            failures = entry.failures
            if entry.account.state == .authenticating { entry.account.error = failure.error }
        }
        let grown = min(5 * pow(2, Double(min(failures, 10) - 1)), Self.longestBackOff)
        return max(grown * .random(in: 0.8...1.2), failure.retryAfter ?? 0)
    }
}
