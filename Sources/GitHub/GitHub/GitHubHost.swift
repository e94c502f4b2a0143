import Foundation
import RoostSupport

/// One GitHub: github.com, or an Enterprise server, with the addresses that it is asked at.
package struct GitHubHost: Equatable, Hashable, Sendable {
    /// In lower case, with a port unless it is the standard one: "github.com", "git.example.org".
    package let name: String
    /// Without a slash at the end: `https://api.github.com`, `https://git.example.org/api/v3`.
    package let apiURL: String
    /// `https://api.github.com/graphql`, `https://git.example.org/api/graphql`.
    let graphQLURL: String
    /// Without a slash at the end: `https://github.com`.
    package let webURL: String
    /// Set by the operator: may lie in the LAN. Any other is asked at public addresses only.
    package let isTrusted: Bool

    package init(name: String, apiURL: String, graphQLURL: String, webURL: String, isTrusted: Bool) {
        self.name = name
        self.apiURL = apiURL
        self.graphQLURL = graphQLURL
        self.webURL = webURL
        self.isTrusted = isTrusted
    }
}

extension GitHubHost: PictureSource {
    /// github.com has a host for its people's pictures; an Enterprise server with subdomain isolation keeps them under
    /// `avatars.HOST` (GitHub's documentation, "Enabling subdomain isolation").
    package var pictureURL: String {
        guard var parts = URLComponents(string: webURL), let host = parts.host?.lowercased() else {
            return webURL
        }
        parts.host = host == "github.com" ? "avatars.githubusercontent.com" : "avatars." + host
        return parts.string ?? webURL
    }
}
