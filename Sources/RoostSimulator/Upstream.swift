/// A service that the simulator imitates.
package enum Upstream: String, Sendable, CaseIterable {
    case coinGecko = "coingecko"
    case gitHub = "github"
    case sites

    /// Chooses by the fault, if only one upstream has it, or by the path, which is a full URL for the sites.
    /// Falls back to CoinGecko.
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
