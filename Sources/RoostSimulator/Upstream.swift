/// Whose place the simulator takes.
package enum Upstream: String, Sendable, CaseIterable {
    case coinGecko = "coingecko"
    case gitHub = "github"
    /// The web sites with articles.
    case sites

    /// By a fault that only one of them knows, or by a path that only one of them has, which is a whole address
    /// for the sites; CoinGecko's otherwise.
    init(of fault: Fault, path: String) {
        if case .gitHub = fault {
            self = .gitHub
        } else if path.hasPrefix("http://") {
            self = .sites
        } else {
            self = Self.gitHubPaths.contains { path.hasPrefix($0) } ? .gitHub : .coinGecko
        }
    }

    private static let gitHubPaths = [
        "/user", "/search/issues", "/graphql", "/api/graphql", "/login", "/rate_limit", "/repos", "/avatars",
    ]
}
