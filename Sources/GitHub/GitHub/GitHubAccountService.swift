package import Foundation
package import Logging
package import RoostSupport

/// Users' GitHub accounts: connecting, disconnecting, and who speaks for them.
package final class GitHubAccountService: Service {
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

    /// A visitor whose address nobody named.
    package static let nowhere = ClientInfo(address: "")

    package let hosts: GitHubHosts
    /// Asks the standard host for all who have no account there: with the operator's token, or signed out.
    package var shared: any GitHubClient { sharedClient }
    private let sharedClient: FallbackGitHubClient
    private let connector: GitHubAccountConnector
    private let checkUp: GitHubAccountMonitor
    private let device: GitHubDeviceFlow?
    private let web: GitHubWebFlow?

    /// - Parameter pause: how the device flow sleeps between two questions, in seconds
    package init(
        _ configuration: GitHubConfiguration, api: GitHubAPI, store: GitHubAccountStore,
        tokens: any TokenStorage, audit: AuditLog, feed: ChangeFeed, log: Logger,
        pause: @escaping @Sendable (Double) async throws -> Void
    ) {
        hosts = configuration.hosts
        sharedClient = FallbackGitHubClient(
            host: hosts.standard, token: configuration.token, api: api, log: log)
        let connector = GitHubAccountConnector(
            hosts: hosts, sessionRegistry: GitHubSessionRegistry(feed: feed, clock: api.clock), api: api,
            store: store,
            tokens: tokens,
            audit: audit, log: log)
        self.connector = connector
        checkUp = GitHubAccountMonitor(connector: connector, log: log)
        let signIn = configuration.clientID.map { [hosts] id in
            GitHubSignInAPI(
                api: api, host: hosts.standard, clientID: id, clientSecret: configuration.clientSecret)
        }
        device = signIn.map { signIn in
            GitHubDeviceFlow(api: signIn, feed: feed, clock: api.clock, log: log, pause: pause) {
                _ = try await connector.connect($0, at: nil, for: $1, from: $2)
            }
        }
        let hasSecret = configuration.clientSecret?.isEmpty == false
        web = hasSecret ? signIn.map { GitHubWebFlow(api: $0, clock: api.clock) } : nil
    }

    /// In the order of their connecting, from memory.
    package func accounts(of user: UserID) -> [GitHubAccount] { all.filter { $0.userId == user } }

    /// Whether `--github-client-id` is set: the device flow, and whether the secret is too: the web flow.
    package var offersDeviceFlow: Bool { device != nil }
    package var offersWebFlow: Bool { web != nil }

    /// Asks the host whom the token stands for, and keeps it. Waits for GitHub, 10 s at most.
    ///
    /// Throws `RoostError.invalid(field: "token")` when GitHub does not take it, `.invalid(field: "host")`, and
    /// `.unavailable` when GitHub does not answer.
    ///
    /// - Parameter origin: where the user sits, for the log of what happened
    @discardableResult
    package func connect(token: String, host: String?, for user: UserID, from origin: ClientInfo = nowhere)
        async throws -> GitHubAccount
    {
        try await connector.connect(token, at: host, for: user, from: origin)
    }

    /// Drops the account and its token. Throws `RoostError.notFound`.
    package func disconnect(_ id: GitHubAccountID, of user: UserID, from origin: ClientInfo = nowhere)
        async throws
    {
        try await connector.disconnect(id, of: user, from: origin)
    }

    package func signIn(of user: UserID) -> SignIn { device?.signIn(of: user) ?? .none }

    /// Begins the device flow with the standard host; what becomes of it is told by `signIn` and `Topic.github`. Throws
    /// `RoostError.unavailable` where it is not offered, and `.tooMany`.
    package func beginDeviceFlow(for user: UserID, from origin: ClientInfo = nowhere) throws {
        guard let device else {
            throw RoostError.unavailable("Signing in with a code needs --github-client-id.")
        }
        try device.begin(for: user, from: origin)
    }

    /// Ends the device flow, or takes its end's words away.
    package func dismissSignIn(of user: UserID) { device?.dismiss(user) }

    /// Where the browser goes to sign in at the standard host: with `state` and PKCE (RFC 7636, S256). Throws
    /// `RoostError.unavailable` where it is not offered.
    ///
    /// - Parameters:
    ///   - callback: the address that GitHub sends the browser back to
    ///   - session: names the browser's session: only there the state may come back
    package func webFlowAddress(callback: String, for user: UserID, session: String) throws -> String {
        guard let web else { throw Self.noWebFlow }
        return web.address(callback: callback, for: user, session: session)
    }

    /// What the browser brought back. Throws `RoostError.notAllowed` for a state that is not this session's,
    /// `.invalid(field: "code")` for what GitHub does not take, and what `connect` throws.
    @discardableResult
    package func finishWebFlow(
        code: String, state: String, for user: UserID, session: String, from origin: ClientInfo = nowhere
    ) async throws -> GitHubAccount {
        guard let web else { throw Self.noWebFlow }
        let token = try await web.token(code: code, state: state, for: user, session: session)
        return try await connector.connect(token, at: nil, for: user, from: origin, within: .seconds(5))
    }

    private static let noWebFlow = RoostError.unavailable(
        "Signing in at GitHub needs --github-client-id and --github-client-secret.")

    /// Who speaks for an account; nil unless it is authenticated.
    package func session(of id: GitHubAccountID) -> GitHubSession? {
        connector.sessionRegistry.entry(id).flatMap { $0.account.state == .authenticated ? $0.session : nil }
    }

    /// Who asks the standard host for this user: his own account there, or else `shared`.
    ///
    /// An account speaks for its user from the start on, before GitHub has said whose it is: asked without it, GitHub
    /// would deny that the user's private repositories exist.
    package func client(for user: UserID) -> any GitHubClient {
        let own = accounts(of: user).filter { $0.host == hosts.standard.name }
        return own.lazy.compactMap { self.connector.sessionRegistry.entry($0.id)?.session }.first ?? shared
    }

    /// Whether `--github-token` is set, and GitHub takes it as far as is known: `shared` then has 5,000 requests an hour in
    /// place of 60, and may ask by GraphQL.
    var hasServerToken: Bool { sharedClient.hasToken }

    /// Every account of everybody, for the background work.
    package var all: [GitHubAccount] { connector.sessionRegistry.all }

    /// How GitHub answers each account, in the order of their connecting; first those who have none at the standard host.
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

    /// Tells of every change of a user's accounts, from any thread, after it has happened; must not block.
    package func listen(_ listener: @escaping @Sendable (UserID) -> Void) {
        connector.sessionRegistry.listen(listener)
    }

    /// A reader's wish to try now: accounts that GitHub has not answered for since the start are asked for at once.
    package func retry(for user: UserID) { connector.sessionRegistry.retry(for: user) }

    package var userData: [UserData] {
        [.deleted("GitHub accounts and their tokens", from: ["github_accounts", "sealed_secrets"])]
    }

    /// The user is gone, and the rows with him.
    package func forget(_ user: UserID) {
        device?.dismiss(user)
        web?.forget(user)
        connector.sessionRegistry.removeAll(of: user)
    }

    /// Reads the accounts; their users are asked for in the background.
    package func load() async throws { try await connector.load() }

    /// Looks after the accounts whose time has come, once: for tests, whose clock is their own.
    func lookAfterDue() async { await checkUp.lookAfterDue() }

    /// Looks after the accounts until cancelled; sign-ins that are under way end then.
    package func run() async {
        await checkUp.run()
        await device?.stop()
    }
}

extension Topic {
    /// A person's GitHub accounts and the sign-in that is under way.
    package static func github(_ user: UserID) -> String { "github/\(user)" }
}

/// What the operator says about GitHub.
package struct GitHubConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    package var hosts = GitHubHosts()
    /// Of the OAuth app at the standard host: with it the device flow is offered.
    package var clientID: String?
    /// With it the web flow is offered too.
    package var clientSecret: String?
    /// The operator's, for all who have no account at the standard host.
    package var token: GitHubToken?

    package init() {}

    /// Without secret and token: whatever prints it prints this.
    package var description: String {
        "GitHubConfiguration(\(hosts.known.map(\.name).joined(separator: ", ")))"
    }
    package var customMirror: Mirror { Mirror(self, children: ["hosts": hosts]) }
}
