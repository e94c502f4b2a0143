package import RoostSupport

/// Who asks GitHub for repositories.
package protocol RepositoryAccounts: Sendable {
    /// The only host whose repositories are shown.
    var standardHost: GitHubHost { get }
    /// Asks for all users without an account there.
    var shared: any GitHubClient { get }
    /// Whether `shared` is signed in with the server's own token.
    var isSharedSignedIn: Bool { get }
    /// Returns the user's own client, or `shared`.
    func client(for user: UserID) -> any GitHubClient
    /// Returns whether the user has an account there at all, in whatever state.
    func hasAccount(_ user: UserID) -> Bool
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: RepositoryAccounts {
    package var standardHost: GitHubHost { hosts.standard }
    package var isSharedSignedIn: Bool { hasServerToken }

    package func hasAccount(_ user: UserID) -> Bool {
        accounts(of: user).contains { $0.host == hosts.standard.name }
    }
}
