import Foundation
import RoostSupport

/// The GitHub hosts of this Roost: the standard one, the operator's others, and any that a user names.
package struct GitHubHosts: Sendable {
    package let standard: GitHubHost
    /// The operator's other hosts, in their order.
    package let enterprise: [GitHubHost]

    /// - Parameters:
    ///   - apiURL: `--github-api-url`; if nil, derived from the web URL, or `https://api.github.com`
    ///   - webURL: `--github-url`; if nil, derived from the API's URL, or `https://github.com`
    ///   - enterprise: `--github-hosts`: "git.example.org", or "http://127.0.0.1:8093" for a host without TLS
    package init(apiURL: String? = nil, webURL: String? = nil, enterprise: [String] = []) {
        let web = webURL ?? apiURL.flatMap(Self.webURL) ?? "https://github.com"
        let origin = WebOrigin(web)
        let isLoopback = origin?.isLoopback ?? true
        standard = Self.host(
            isLoopback ? "github.com" : origin?.authority ?? "github.com",
            api: apiURL ?? origin.map(Self.apiURL) ?? "https://api.github.com", web: web, isTrusted: true)
        self.enterprise = enterprise.compactMap { WebOrigin($0) }.map {
            Self.host($0.authority, api: Self.apiURL($0), web: $0.text, isTrusted: true)
        }
    }

    package static func isAddress(_ url: String) -> Bool {
        url.hasPrefix("http") && WebOrigin(within: url) != nil
            && !url.utf8.contains(where: "?#@ ".utf8.contains)
    }

    package static func isHost(_ text: String) -> Bool { WebOrigin(text) != nil }

    package var configured: [GitHubHost] { [standard] + enterprise }

    /// Returns the host that a user names, or the standard one for nil or empty. Throws `RoostError.invalid(field:
    /// "host")`.
    ///
    /// Hosts that the operator has not set are asked over TLS, and only at public addresses.
    package func host(named name: String?) throws -> GitHubHost {
        let name = (name ?? "").trimmed.lowercased()
        if name.isEmpty || name == standard.name { return standard }
        guard let origin = WebOrigin(name) else { throw Self.refusal }
        let isAddress = name.containsBytes("://")
        if let host = configured.first(where: { Self.matches($0, origin, isExact: isAddress) }) {
            return host
        }
        guard origin.isSecure, origin.port == nil, origin.isDNSName else { throw Self.refusal }
        if origin.host == standard.name { return standard }
        return Self.host(
            origin.host, api: Self.apiURL(origin), web: "https://" + origin.host, isTrusted: false)
    }

    private static let refusal = RoostError.invalid(
        field: "host", why: "Enter a host name such as git.example.org. Roost connects to it over HTTPS.")

    /// A full URL must match in its scheme too, so that a typo never sends a token in clear text.
    private static func matches(_ host: GitHubHost, _ origin: WebOrigin, isExact: Bool) -> Bool {
        [host.webURL, host.apiURL].compactMap(WebOrigin.init(within:)).contains {
            isExact ? $0 == origin : $0.authority == origin.authority
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

    /// github.com and `*.ghe.com` have a separate host for the API; Enterprise servers use a path.
    private static func apiURL(_ web: WebOrigin) -> String {
        let hasHost = web.host == "github.com" || web.host.hasSuffix(".ghe.com")
        return hasHost ? "https://api." + web.host : web.text + "/api/v3"
    }

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

package struct GitHubHost: Equatable, Hashable, Sendable {
    /// In lower case, with a non-standard port: "github.com", "git.example.org".
    package let name: String
    /// Without a trailing slash: `https://api.github.com`, `https://git.example.org/api/v3`.
    package let apiURL: String
    /// `https://api.github.com/graphql`, `https://git.example.org/api/graphql`.
    let graphQLURL: String
    /// Without a trailing slash: `https://github.com`.
    package let webURL: String
    /// True for hosts that the operator has set; they may be in the local network. Others must have public addresses.
    package let isTrusted: Bool
}

extension GitHubHost: PictureSource {
    /// github.com serves avatars from a host of its own; an Enterprise server with subdomain isolation serves them from
    /// `avatars.HOST` (GitHub's documentation, "Enabling subdomain isolation").
    package var pictureURL: String {
        guard var parts = URLComponents(string: webURL), let host = parts.host?.lowercased() else {
            return webURL
        }
        parts.host = host == "github.com" ? "avatars.githubusercontent.com" : "avatars." + host
        return parts.string ?? webURL
    }
}
