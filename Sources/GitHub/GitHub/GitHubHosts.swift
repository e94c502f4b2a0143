import RoostSupport

/// The GitHubs that this Roost talks to: the standard one, the operator's, and any that a user names.
package struct GitHubHosts: Sendable {
    package let standard: GitHubHost
    /// The operator's others, in his order.
    package let enterprise: [GitHubHost]

    /// - Parameters:
    ///   - apiURL: `--github-api-url`; nil: where the web address has it, or `https://api.github.com`
    ///   - webURL: `--github-url`; nil: where the API's address has it, or `https://github.com`
    ///   - enterprise: `--github-hosts`: "git.example.org", or "http://127.0.0.1:8093" where TLS is not to be had
    package init(apiURL: String? = nil, webURL: String? = nil, enterprise: [String] = []) {
        let web = webURL ?? apiURL.flatMap(Self.webURL) ?? "https://github.com"
        let origin = WebOrigin(web)
        let isStandIn = origin?.isLoopback ?? true
        standard = Self.host(
            isStandIn ? "github.com" : origin?.authority ?? "github.com",
            api: apiURL ?? origin.map(Self.apiURL) ?? "https://api.github.com", web: web, isTrusted: true)
        self.enterprise = enterprise.compactMap { WebOrigin($0) }.map {
            Self.host($0.authority, api: Self.apiURL($0), web: $0.text, isTrusted: true)
        }
    }

    /// Whether an operator's word can be asked: an absolute address over HTTP, without query and user's name.
    package static func isAddress(_ url: String) -> Bool {
        url.hasPrefix("http") && WebOrigin(within: url) != nil
            && !url.utf8.contains(where: "?#@ ".utf8.contains)
    }

    /// Whether it is a host: "git.example.org", or an address without a path.
    package static func isHost(_ text: String) -> Bool { WebOrigin(text) != nil }

    /// The standard one and the operator's, for a choice.
    package var known: [GitHubHost] { [standard] + enterprise }

    /// The host of a user's word for it; nil or empty is the standard one. Throws `RoostError.invalid(field: "host")`.
    ///
    /// What the operator has not named is asked over TLS, and at public addresses only.
    package func host(named name: String?) throws -> GitHubHost {
        let name = (name ?? "").trimmed.lowercased()
        if name.isEmpty || name == standard.name { return standard }
        guard let origin = WebOrigin(name) else { throw Self.refusal }
        let isAddress = name.containsBytes("://")
        if let known = known.first(where: { Self.isMeant($0, by: origin, wholly: isAddress) }) {
            return known
        }
        guard origin.isSecure, origin.port == nil, origin.isDNSName else { throw Self.refusal }
        if origin.host == standard.name { return standard }
        return Self.host(
            origin.host, api: Self.apiURL(origin), web: "https://" + origin.host, isTrusted: false)
    }

    private static let refusal = RoostError.invalid(
        field: "host", why: "A host is a name such as git.example.org; Roost asks it over HTTPS.")

    /// A whole address has to be right in its scheme as well: no token goes out in clear because of a slip.
    private static func isMeant(_ host: GitHubHost, by origin: WebOrigin, wholly: Bool) -> Bool {
        [host.webURL, host.apiURL].compactMap(WebOrigin.init(within:)).contains {
            wholly ? $0 == origin : $0.authority == origin.authority
        }
    }

    private static func host(_ name: String, api: String, web: String, isTrusted: Bool) -> GitHubHost {
        let api = withoutSlash(api)
        let suffix = "/api/v3"
        let graphQL = api.hasSuffix(suffix) ? api.dropLast(suffix.count) + "/api/graphql" : api + "/graphql"
        return GitHubHost(
            name: name, apiURL: api, graphQLURL: String(graphQL), webURL: withoutSlash(web),
            isTrusted: isTrusted)
    }

    /// github.com and `*.ghe.com` have a host of its own for the API; an Enterprise server has a path.
    private static func apiURL(_ web: WebOrigin) -> String {
        let hasHost = web.host == "github.com" || web.host.hasSuffix(".ghe.com")
        return hasHost ? "https://api." + web.host : web.text + "/api/v3"
    }

    /// Nil where the API's address does not tell.
    private static func webURL(_ api: String) -> String? {
        guard let origin = WebOrigin(within: api) else { return nil }
        if withoutSlash(api).hasSuffix("/api/v3") { return origin.text }
        guard origin.host.hasPrefix("api.") else { return nil }
        return (origin.isSecure ? "https://" : "http://") + origin.authority.dropFirst("api.".utf8.count)
    }

    private static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? withoutSlash(String(url.dropLast())) : url
    }
}
