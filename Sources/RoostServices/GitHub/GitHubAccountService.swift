package import Foundation

/// Users' GitHub accounts: connecting, disconnecting, and who speaks for them.
package final class GitHubAccountService: Sendable {
    /// A device that waits for its code to be typed in at GitHub.
    package struct DeviceCode: Equatable, Sendable {
        /// "WDJB-MJHT".
        package let userCode: String
        package let verificationURI: String
        package let expiresAt: Date

        package init(userCode: String, verificationURI: String, expiresAt: Date) {
            self.userCode = userCode
            self.verificationURI = verificationURI
            self.expiresAt = expiresAt
        }
    }

    /// How a user's present sign-in stands; there is one at a time.
    package enum SignIn: Equatable, Sendable {
        case none
        /// GitHub is being asked for a code.
        case starting
        case waiting(DeviceCode)
        /// Why it ended without an account, in words; stays until the next one begins or it is dismissed.
        case ended(String)
    }

    package let hosts: GitHubHosts

    package init(hosts: GitHubHosts) {
        self.hosts = hosts
    }

    /// In the order of their connecting, from memory.
    package func accounts(of user: UserID) -> [GitHubAccount] { [] }

    /// Whether `--github-client-id` is set: the device flow, and whether the secret is too: the web flow.
    package var offersDeviceFlow: Bool { false }
    package var offersWebFlow: Bool { false }

    /// Asks the host whom the token stands for, and keeps it. Waits for GitHub, 10 s at most.
    ///
    /// Throws `RoostError.invalid(field: "token")` when GitHub does not take it, `.invalid(field: "host")`, and
    /// `.unavailable` when GitHub does not answer.
    package func connect(token: String, host: String?, for user: UserID) async throws -> GitHubAccount {
        throw RoostError.unavailable("GitHub cannot be connected yet.")
    }

    /// Drops the account and its token. Throws `RoostError.notFound`.
    package func disconnect(_ id: GitHubAccountID, of user: UserID) async throws {}

    package func signIn(of user: UserID) -> SignIn { .none }
    /// Begins the device flow with the standard host; what becomes of it is told by `signIn` and `Topic.github`.
    package func beginDeviceFlow(for user: UserID) throws {}
    /// Ends the device flow, or takes its end's words away.
    package func dismissSignIn(of user: UserID) {}

    /// Where the browser goes to sign in at the standard host: with `state` and PKCE (RFC 7636, S256).
    ///
    /// - Parameters:
    ///   - callback: the address that GitHub sends the browser back to
    ///   - session: names the browser's session: only there the state may come back
    package func webFlowAddress(callback: String, for user: UserID, session: String) throws -> String { "" }
    /// What the browser brought back. Throws `RoostError.notAllowed` for a state that is not this session's.
    package func finishWebFlow(code: String, state: String, for user: UserID, session: String) async throws
        -> GitHubAccount
    {
        throw RoostError.unavailable("GitHub cannot be connected yet.")
    }

    /// Who speaks for an account; nil unless it is authenticated.
    package func session(of id: GitHubAccountID) -> GitHubSession? { nil }
    /// Every account of everybody, for the background work.
    package var all: [GitHubAccount] { [] }
    /// The user is gone, and the rows with him.
    package func forget(_ user: UserID) {}
    /// Reads the accounts; their users are asked for in the background.
    package func load() async throws {}
    package func run() async {}
}
