package import RoostSupport

/// The GitHub clients that fetch repositories.
package protocol RepositoryAccounts: Sendable {
    /// The only host whose repositories are shown.
    var standardHost: GitHubHost { get }
    /// The client for users without an account there.
    var shared: any GitHubClient { get }
    /// True if `shared` uses the server's own token.
    var isSharedSignedIn: Bool { get }
    /// The user's own, or `shared`.
    func client(for user: UserID) -> any GitHubClient
    /// In any state.
    func hasAccount(_ user: UserID) -> Bool
    /// True if the user's own account can be used.
    func isSignedIn(_ user: UserID) -> Bool
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: RepositoryAccounts {
    package var standardHost: GitHubHost { hosts.standard }
    package var isSharedSignedIn: Bool { hasServerToken }

    package func hasAccount(_ user: UserID) -> Bool {
        accounts(of: user).contains { $0.host == hosts.standard.name }
    }

    package func isSignedIn(_ user: UserID) -> Bool {
        accounts(of: user).contains { $0.host == hosts.standard.name && $0.state == .authenticated }
    }
}
