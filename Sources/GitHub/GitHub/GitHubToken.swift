package import Foundation
import RoostSupport
import TextFormats

/// A user's GitHub token. It is sealed in storage, never shown or logged, and only sent to its host.
package struct GitHubToken: Codable, Equatable, Hashable, Sendable, CustomStringConvertible, CustomReflectable
{
    /// In bytes.
    package static let maximumLength = 512

    package let value: String
    package let createdAt: Date
    /// The token's scopes from `X-OAuth-Scopes`; empty for fine-grained tokens, which report none.
    package let scopes: Set<String>

    /// Throws `ValidationError` for a value that is empty, longer than 512 bytes, or not valid in a header.
    ///
    /// - Parameter createdAt: clamped to `now` if it is more than five minutes ahead
    package init(value: String, createdAt: Date, scopes: Set<String>, now: Date = Date()) throws {
        guard !value.isEmpty else { throw ValidationError(field: "token", why: "is empty") }
        guard value.utf8.count <= Self.maximumLength, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ValidationError(field: "token", why: "isn’t a GitHub token")
        }
        if let scope = scopes.first(where: \.isBlank) {
            throw ValidationError(field: "scopes", why: "has an empty one\(scope)")
        }
        self.value = value
        self.createdAt = ClockSkew.clamped(createdAt, now: now).date
        self.scopes = scopes
    }

    package init(from decoder: any Decoder) throws {
        enum Key: String, CodingKey { case value, createdAt, scopes }
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            value: values.decode(String.self, forKey: .value),
            createdAt: values.decode(Date.self, forKey: .createdAt),
            scopes: values.decode(Set<String>.self, forKey: .scopes))
    }

    /// True for one of GitHub's prefixes and at least twenty letters, digits and underscores (GitHub's documentation,
    /// "About authentication to GitHub").
    var hasGitHubFormat: Bool {
        let prefixes = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"]
        guard let prefix = prefixes.first(where: value.hasPrefix) else { return false }
        let rest = value.utf8.dropFirst(prefix.utf8.count)
        return rest.count >= 20
            && rest.allSatisfy { byte in
                byte == UInt8(ascii: "_") || UnicodeScalar(byte).properties.isAlphabetic
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }

    /// Omits the value, so that logs cannot contain it.
    package var description: String { "GitHubToken(scopes: \(scopes.sorted().joined(separator: " ")))" }

    package var customMirror: Mirror { Mirror(self, children: ["scopes": scopes]) }
}
