import Foundation
import HTTPClient
import RoostSupport
import TextFormats

/// Why GitHub refused a request, for the user whose request it was.
struct GitHubRefusal: Equatable, Sendable {
    private static let maximumLength = 300
    private static let maximumBytes = 65_536

    /// GitHub's words on one line, without tokens; empty if there are none.
    var message = ""
    /// Any one of these scopes would be enough (`X-Accepted-OAuth-Scopes`). Empty if GitHub names none.
    var acceptedScopes: Set<String> = []
    /// The token's scopes (`X-OAuth-Scopes`). Nil for a fine-grained token.
    var tokenScopes: Set<String>?
    /// What a fine-grained token needs (`X-Accepted-GitHub-Permissions`): "pull_requests=write".
    var permissions = ""

    init() {}

    /// - Parameter hiding: removes secrets from text after JSON decoding
    init(_ response: ClientResponse, hiding: (String) -> String) {
        let body = Data(response.body.prefix(Self.maximumBytes))
        if let answer = try? UpstreamJSON.decode(Body.self, from: body) {
            message = Self.line(hiding(answer.text))
        }
        tokenScopes = GitHubAPI.scopes(response.headers)
        acceptedScopes = GitHubAPI.scopes(response.headers, named: "x-accepted-oauth-scopes") ?? []
        permissions = Self.line(response.headers["x-accepted-github-permissions"] ?? "")
    }

    static func line(_ text: String) -> String {
        String(text.sanitized.words.joined(separator: " ").unicodeScalars.prefix(maximumLength))
    }

    /// The scope to add to a classic token, or nil if it has an accepted one or GitHub names none.
    var missingScope: String? {
        guard let tokenScopes, !acceptedScopes.isEmpty, acceptedScopes.isDisjoint(with: tokenScopes) else {
            return nil
        }
        return acceptedScopes.isSuperset(of: ["repo"]) ? "repo" : acceptedScopes.min()
    }

    /// "Validation Failed" and similar say nothing: the errors next to it do.
    private struct Body: Decodable {
        let message: String?
        let errors: Errors?

        var text: String {
            let reasons = errors?.texts ?? []
            return reasons.isEmpty ? message ?? "" : reasons.joined(separator: " ")
        }
    }

    /// A text, or a list of texts and objects (docs.github.com, "Troubleshooting the REST API").
    private struct Errors: Decodable {
        private struct Item: Decodable {
            private struct Fields: Decodable {
                let message, field, code: String?
            }

            let text: String?

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let text = try? value.decode(String.self) {
                    self.text = text
                    return
                }
                let fields = try? value.decode(Fields.self)
                let pair = [fields?.field, fields?.code].compactMap(\.self)
                text = fields?.message ?? (pair.isEmpty ? nil : pair.joined(separator: ": "))
            }
        }

        let texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let found =
                if let text = try? value.decode(String.self) { [text] } else {
                    (try? value.decode([Item].self))?.compactMap(\.text) ?? []
                }
            texts = Array(found.filter { !$0.isBlank }.prefix(5))
        }
    }
}
