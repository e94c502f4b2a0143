package import RoostSupport

/// How GitHub answers one account, without its login.
package struct GitHubAccountReport: Equatable, Sendable {
    package let host: String
    /// Zero: all who have no account at the standard host.
    package let number: GitHubAccountID
    package let authentication: AuthenticationState
    /// Why it is not authenticated.
    package let error: APIError?
    package let outcomes: GitHubOutcomes
    /// By resource, as far as they hold.
    package let budgets: [String: RateBudget]

    package init(
        host: String, number: GitHubAccountID, authentication: AuthenticationState, error: APIError? = nil,
        outcomes: GitHubOutcomes = GitHubOutcomes(), budgets: [String: RateBudget] = [:]
    ) {
        self.host = host
        self.number = number
        self.authentication = authentication
        self.error = error
        self.outcomes = outcomes
        self.budgets = budgets
    }
}
