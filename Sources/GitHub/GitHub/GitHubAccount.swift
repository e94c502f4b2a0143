package import Foundation
package import RoostSupport

/// A connected account's number in this database.
package typealias GitHubAccountID = Int64

/// A GitHub account that a user of Roost has connected; one user may have several, on several hosts.
package struct GitHubAccount: Equatable, Sendable, Identifiable {
    package let id: GitHubAccountID
    package let userId: UserID
    /// `GitHubHost.name`.
    package let host: String
    package var login: String
    package var state: AuthenticationState
    /// Whom the token stands for, once GitHub has said so since the start.
    package var user: AuthenticatedUser?
    /// Of its token; empty for fine-grained ones.
    package var scopes: Set<String>
    /// True when GitHub named no scopes at all: a fine-grained token, whose rights only its refusals tell.
    package var isFineGrained: Bool
    package var connectedAt: Date
    /// Why it is not authenticated, such as after GitHub's 401.
    package var error: APIError?

    package init(
        id: GitHubAccountID, userId: UserID, host: String, login: String, state: AuthenticationState,
        user: AuthenticatedUser? = nil, scopes: Set<String> = [], isFineGrained: Bool = false,
        connectedAt: Date, error: APIError? = nil
    ) {
        self.id = id
        self.userId = userId
        self.host = host
        self.login = login
        self.state = state
        self.user = user
        self.scopes = scopes
        self.isFineGrained = isFineGrained
        self.connectedAt = connectedAt
        self.error = error
    }

    /// What a classic token lacks for the whole inbox: `repo` for private repositories, `read:org` for teams.
    /// Wider scopes (`admin:org`, `write:org`) count as theirs. None without a token: its scopes went with it.
    package var missingScopes: [String] {
        guard !isFineGrained, state != .unauthenticated || !scopes.isEmpty else { return [] }
        let hasOrg = !scopes.isDisjoint(with: ["read:org", "write:org", "admin:org"])
        return (scopes.contains("repo") ? [] : ["repo"]) + (hasOrg ? [] : ["read:org"])
    }
}

/// How far an account's sign-in has come. Back to unauthenticated by disconnecting, or when GitHub answers 401.
package enum AuthenticationState: String, Codable, Equatable, Hashable, Sendable, CaseIterable {
    case unauthenticated, authenticating, authenticated
}
