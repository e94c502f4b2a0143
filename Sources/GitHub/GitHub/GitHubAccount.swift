package import Foundation
package import RoostSupport
import TextFormats

package typealias GitHubAccountID = Int64

/// A GitHub account that a user of Roost has connected. A user may have several, on several hosts.
package struct GitHubAccount: Equatable, Sendable, Identifiable {
    package let id: GitHubAccountID
    package let userId: UserID
    /// `GitHubHost.name`.
    package let host: String
    package var login: String
    package var state: AuthenticationState
    /// The token's user, or nil until GitHub has confirmed it since the start.
    package var user: AuthenticatedUser?
    /// Empty for fine-grained tokens.
    package var scopes: Set<String> = []
    /// True if GitHub reported no scopes: only a refused request shows what such a token may not do.
    package var isFineGrained = false
    package var connectedAt: Date
    package var error: APIError?

    /// The scopes that a classic token lacks for the whole inbox: `repo` for private repositories, `read:org` for
    /// teams. `admin:org` and `write:org` include `read:org`. Empty if there is no token, since its scopes are gone
    /// too.
    package var missingScopes: [String] {
        guard !isFineGrained, state != .unauthenticated || !scopes.isEmpty else { return [] }
        let hasOrg = !scopes.isDisjoint(with: ["read:org", "write:org", "admin:org"])
        return (scopes.contains("repo") ? [] : ["repo"]) + (hasOrg ? [] : ["read:org"])
    }
}

/// The state of an account's sign-in. It returns to unauthenticated when the user disconnects or GitHub answers 401.
package enum AuthenticationState: String, Codable, Equatable, Hashable, Sendable, CaseIterable {
    case unauthenticated, authenticating, authenticated
}

/// The user that a token belongs to, from `/user`. Kept in memory; fetched again at start and after connecting.
package struct AuthenticatedUser: Codable, Equatable, Hashable, Sendable {
    /// Letters, digits and hyphens; Enterprise adds underscores (`octocat_corp`).
    package let login: String
    package let name: String?
    package let avatarURL: String?

    enum CodingKeys: String, CodingKey {
        case login, name
        case avatarURL = "avatar_url"
    }

    package init(login: String, name: String? = nil, avatarURL: String? = nil) throws {
        try ValidationError.check(["login": login])
        guard login.utf8.allSatisfy(Self.isLoginByte) else {
            throw ValidationError(
                field: "login", why: "has characters other than letters, digits and hyphens")
        }
        self.login = login
        self.name = name.map(\.sanitized).flatMap { $0.isBlank || $0.utf8.count > 400 ? nil : $0 }
        self.avatarURL = avatarURL.flatMap { Self.isWebAddress($0) ? $0 : nil }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        text.utf8.count <= 2_000 && (text.hasPrefix("https://") || text.hasPrefix("http://"))
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            login: values.decode(String.self, forKey: .login),
            name: values.decodeIfPresent(String.self, forKey: .name),
            avatarURL: values.decodeIfPresent(String.self, forKey: .avatarURL))
    }

    private static func isLoginByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
