package import Foundation
package import Logging
package import RoostSupport

/// Connects and disconnects users' GitHub accounts, and provides their clients.
package final class GitHubAccountService: Service {
    package struct DeviceCode: Equatable, Sendable {
        /// Such as "WDJB-MJHT".
        package let userCode: String
        package let verificationURI: String
        package let expiresAt: Date
    }

    package enum SignIn: Equatable, Sendable {
        case none
        case starting
        case waiting(DeviceCode)
        /// The message that explains why no account was connected. Stays until dismissed or until the next sign-in.
        case ended(String)
    }

    package static let unknownClient = ClientInfo(address: "")

    package let hosts: GitHubHosts
    /// Uses the operator's token, or none.
    package var shared: any GitHubClient { sharedClient }
    private let sharedClient: FallbackGitHubClient
    private let connector: GitHubAccountConnector
    private let monitor: GitHubAccountMonitor
    private let device: GitHubDeviceFlow?
    private let web: GitHubWebFlow?

    package init(
        _ configuration: GitHubConfiguration, api: GitHubAPI, database: Database, sealer: Sealer,
        audit: AuditLog, feed: ChangeFeed, log: Logger
    ) {
        hosts = configuration.hosts
        sharedClient = FallbackGitHubClient(
            host: hosts.standard, token: configuration.token, api: api, log: log)
        let connector = GitHubAccountConnector(
            hosts: hosts, sessionRegistry: GitHubSessionRegistry(feed: feed, clock: api.clock), api: api,
            database: database, sealer: sealer, audit: audit, log: log)
        self.connector = connector
        monitor = GitHubAccountMonitor(connector: connector, log: log)
        let signIn = configuration.clientID.map { [hosts] id in
            GitHubSignInAPI(
                api: api, host: hosts.standard, clientID: id, clientSecret: configuration.clientSecret)
        }
        device = signIn.map { signIn in
            GitHubDeviceFlow(
                api: signIn, connector: connector, feed: feed, clock: api.clock, log: log,
                pause: configuration.signInPause)
        }
        let hasSecret = configuration.clientSecret?.isEmpty == false
        web = hasSecret ? signIn.map { GitHubWebFlow(api: $0, clock: api.clock) } : nil
    }

    /// In the order in which they were connected, from memory.
    package func accounts(of user: UserID) -> [GitHubAccount] { all.filter { $0.userId == user } }

    /// The device flow needs `--github-client-id`; the web flow needs the client secret too.
    package var offersDeviceFlow: Bool { device != nil }
    package var offersWebFlow: Bool { web != nil }

    /// Asks the host for the token's user, and stores the account. Waits for GitHub for up to 10 s.
    ///
    /// Throws `RoostError.invalid(field: "token")` if GitHub rejects the token, `.invalid(field: "host")`, and
    /// `.unavailable` if GitHub does not answer.
    ///
    /// - Parameter origin: the user's client, for the audit log
    @discardableResult
    package func connect(
        token: String, host: String?, for user: UserID, from origin: ClientInfo = unknownClient
    )
        async throws -> GitHubAccount
    {
        try await connector.connect(token, at: host, for: user, from: origin)
    }

    /// Removes the account and its token. Throws `RoostError.notFound`.
    package func disconnect(_ id: GitHubAccountID, of user: UserID, from origin: ClientInfo = unknownClient)
        async throws
    {
        try await connector.disconnect(id, of: user, from: origin)
    }

    package func signIn(of user: UserID) -> SignIn { device?.signIn(of: user) ?? .none }

    /// Starts the device flow on the standard host; `signIn` and `Topic.github` report its progress. Throws
    /// `RoostError.unavailable` if it is not set up, and `.tooMany`.
    package func beginDeviceFlow(for user: UserID, from origin: ClientInfo = unknownClient) throws {
        guard let device else {
            throw RoostError.unavailable("Signing in with a code needs --github-client-id.")
        }
        try device.begin(for: user, from: origin)
    }

    package func dismissSignIn(of user: UserID) { device?.dismiss(user) }

    /// Returns the URL for signing in on the standard host, with `state` and PKCE (RFC 7636, S256). Throws
    /// `RoostError.unavailable` if the web flow is not set up.
    ///
    /// - Parameters:
    ///   - callback: the URL that GitHub redirects the browser to
    ///   - session: identifies the browser session, which must be the same when the browser returns
    package func webFlowAddress(callback: String, for user: UserID, session: String) throws -> String {
        guard let web else { throw Self.noWebFlow }
        return web.address(callback: callback, for: user, session: session)
    }

    /// Connects the account once GitHub has redirected the browser back. Throws `RoostError.notAllowed` for another
    /// session's state, `.invalid(field: "code")` if GitHub rejects the code, and the errors of `connect`.
    @discardableResult
    package func finishWebFlow(
        code: String, state: String, for user: UserID, session: String,
        from origin: ClientInfo = unknownClient
    ) async throws -> GitHubAccount {
        guard let web else { throw Self.noWebFlow }
        let token = try await web.token(code: code, state: state, for: user, session: session)
        return try await connector.connect(token, at: nil, for: user, from: origin, within: .seconds(5))
    }

    private static let noWebFlow = RoostError.unavailable(
        "Signing in with GitHub needs --github-client-id and --github-client-secret.")

    /// Nil unless the account is authenticated.
    package func session(of id: GitHubAccountID) -> GitHubSession? {
        connector.sessionRegistry.entry(id).flatMap { $0.account.state == .authenticated ? $0.session : nil }
    }

    /// The client for this user's requests to the standard host: their own account there, or else `shared`.
    ///
    /// Uses an account from the start, before GitHub has confirmed it: without it, GitHub would deny that the user's
    /// private repositories exist.
    package func client(for user: UserID) -> any GitHubClient {
        let own = accounts(of: user).filter { $0.host == hosts.standard.name }
        return own.lazy.compactMap { self.connector.sessionRegistry.entry($0.id)?.session }.first ?? shared
    }

    /// True if `--github-token` is set and GitHub has not rejected it. `shared` then has 5,000 requests an hour instead
    /// of 60, and can use GraphQL.
    var hasServerToken: Bool { sharedClient.hasToken }

    package var all: [GitHubAccount] { connector.sessionRegistry.all }

    /// In the order in which they were connected, after one for `shared`.
    package var reports: [GitHubAccountReport] {
        let shared = GitHubAccountReport(
            host: hosts.standard.name, number: 0,
            authentication: hasServerToken ? .authenticated : .unauthenticated,
            outcomes: sharedClient.outcomes, budgets: sharedClient.budgets)
        return [shared]
            + all.map { account in
                let session = connector.sessionRegistry.entry(account.id)?.session
                return GitHubAccountReport(
                    host: account.host, number: account.id, authentication: account.state,
                    error: account.error, outcomes: session?.outcomes ?? GitHubOutcomes(),
                    budgets: session?.budgets ?? [:])
            }
    }

    /// Calls the listener after every change of a user's accounts, from any thread. The listener must not block.
    package func listen(_ listener: @escaping @Sendable (UserID) -> Void) {
        connector.sessionRegistry.listen(listener)
    }

    /// Asks GitHub at once about the user's accounts that it has not confirmed since the start.
    package func retry(for user: UserID) { connector.sessionRegistry.retry(for: user) }

    package var userData: [UserData] {
        [.deleted("GitHub accounts and their tokens", from: ["github_accounts", "sealed_secrets"])]
    }

    /// Called after the user's rows have been deleted.
    package func forget(_ user: UserID) {
        device?.dismiss(user)
        web?.forget(user)
        connector.sessionRegistry.removeAll(of: user)
    }

    /// GitHub confirms them in the background.
    package func load() async throws { try await connector.load() }

    /// Checks the accounts that are due, once. For tests, which set their own clock.
    func refreshDue() async { await monitor.refreshDue() }

    /// Checks accounts until cancelled, then ends all sign-ins.
    package func run() async {
        await monitor.run()
        await device?.stop()
    }
}

extension Topic {
    package static func github(_ user: UserID) -> String { "github/\(user)" }
}

package struct GitHubConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    package var hosts = GitHubHosts()
    /// The OAuth app's id on the standard host; enables the device flow.
    package var clientID: String?
    /// With it, the web flow is offered too.
    package var clientSecret: String?
    package var token: GitHubToken?
    /// Sleeps between two requests of the device flow, in seconds; replaced only in tests.
    var signInPause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    package init() {}

    /// Omits the secret and the token, so that logs cannot contain them.
    package var description: String {
        "GitHubConfiguration(\(hosts.configured.map(\.name).joined(separator: ", ")))"
    }
    package var customMirror: Mirror { Mirror(self, children: ["hosts": hosts]) }
}
