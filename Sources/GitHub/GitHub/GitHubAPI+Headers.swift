import Foundation
import HTTPClient

// What GitHub says in headers beside its answers.

extension RateBudget {
    /// Nil where the headers do not say it: some Enterprise servers send none.
    ///
    /// - Parameter resource: whose limit it is where `x-ratelimit-resource` is missing
    init?(headers: ClientHeaders, resource: String, now: Date) {
        let prefix = "x-ratelimit-"
        guard let limit = headers[prefix + "limit"].flatMap(Int.init), limit >= 0,
            let remaining = headers[prefix + "remaining"].flatMap(Int.init), remaining >= 0,
            let reset = headers[prefix + "reset"].flatMap(Double.init), reset.isFinite, reset > 0
        else { return nil }
        let named = headers[prefix + "resource"].flatMap { name in
            name.utf8.count <= 40 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? name : nil
        }
        self.init(
            resource: named ?? resource, limit: limit, remaining: remaining,
            resetAt: min(Date(timeIntervalSince1970: reset), now + RateBudget.maximumWindow))
    }
}

extension GitHubAPI {
    /// `X-OAuth-Scopes: repo, read:org`; nil where there is no such header.
    static func scopes(_ headers: ClientHeaders) -> Set<String>? {
        headers["x-oauth-scopes"].map { text in
            let names = text.splitBytes(at: ",").map { String($0).trimmed }
            return Set(names.filter { !$0.isEmpty && $0.utf8.count <= 60 }.prefix(100))
        }
    }

    /// What is kept is sent back later: nothing that could not stand in a header.
    static func etag(_ headers: ClientHeaders) -> String? {
        headers["etag"].flatMap { tag in
            tag.utf8.count <= 200 && tag.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? tag : nil
        }
    }

    /// `Link: <https://api.github.com/user/teams?page=2>; rel="next"` (RFC 8288) as paths below the API's root.
    ///
    /// Only path and query count: whatever host a link names, the account's own is asked.
    static func links(_ headers: ClientHeaders, _ host: GitHubHost) -> [String: String] {
        var links: [String: String] = [:]
        for line in headers.all("link").prefix(4)
        // Of ASCII alone, where a sign is a Character of its own.
        where line.utf8.count <= 8_192 && line.utf8.allSatisfy({ $0 < 0x80 }) {
            for match in line.matches(of: #/<([^<>]+)>([^<]*)/#) {
                guard let name = match.2.firstMatch(of: #/rel="?([A-Za-z]+)"?/#),
                    let path = path(of: String(match.1), at: host)
                else { continue }
                links[String(name.1)] = path
            }
        }
        return links
    }

    /// Nil for the templates (`{?since}`) that GitHub also sends as links.
    private static func path(of link: String, at host: GitHubHost) -> String? {
        guard !link.containsBytes("{"), let origin = link.firstMatch(of: #/^https?://[^/?#]+/#) else {
            return nil
        }
        let path = String(link[origin.range.upperBound...])
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let root = host.apiURL.firstMatch(of: #/^https?://[^/]+/#).map { host.apiURL[$0.range.upperBound...] }
        guard let root, !root.isEmpty, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count))
    }
}
