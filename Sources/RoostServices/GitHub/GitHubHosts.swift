/// The GitHubs that this Roost talks to: the standard one, the operator's, and any that a user names.
package struct GitHubHosts: Sendable {
    package let standard: GitHubHost

    /// - Parameters:
    ///   - apiURL: `--github-api-url`; nil: `https://api.github.com`
    ///   - webURL: `--github-url`; nil: `https://github.com`
    ///   - enterprise: `--github-hosts`: "git.example.org", or "http://127.0.0.1:8093" where TLS is not to be had
    package init(apiURL: String? = nil, webURL: String? = nil, enterprise: [String] = []) {
        standard = GitHubHost(
            name: "github.com", apiURL: apiURL ?? "https://api.github.com",
            graphQLURL: (apiURL ?? "https://api.github.com") + "/graphql",
            webURL: webURL ?? "https://github.com", isTrusted: true)
    }

    /// The standard one and the operator's, for a choice.
    package var known: [GitHubHost] { [standard] }

    /// The host of a user's word for it; nil or empty is the standard one. Throws `RoostError.invalid(field: "host")`.
    package func host(named name: String?) throws -> GitHubHost { standard }
}
