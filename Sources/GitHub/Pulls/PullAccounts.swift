package import RoostSupport

/// The accounts whose pull requests are shown.
package protocol PullAccounts: Sendable {
    var all: [GitHubAccount] { get }
    func accounts(of user: UserID) -> [GitHubAccount]
    /// Who speaks for an account; nil unless it is authenticated.
    func client(of id: GitHubAccountID) -> (any GitHubClient)?
    /// Calls the listener whenever an account of a user comes, goes or changes.
    func listen(_ listener: @escaping @Sendable (UserID) -> Void)
}

extension GitHubAccountService: PullAccounts {
    package func client(of id: GitHubAccountID) -> (any GitHubClient)? { session(of: id) }
}
