package import Foundation

/// Requests to GitHub on behalf of one account. `GitHubSession` is the real one.
package protocol GitHubClient: AnyObject, Sendable {
    var login: String { get }
    /// As "org/team". Nil if the token may not see them.
    var teams: Set<String>? { get }
    /// By resource: "core", "search", "graphql".
    var budgets: [String: RateBudget] { get }
    func blockedUntil(_ resource: String) -> Date?
    /// Throws `GitHubFailure`.
    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    /// Fetches another media type than the usual JSON, such as "application/vnd.github.html". Throws `GitHubFailure`.
    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    /// Throws `GitHubFailure`.
    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data
}

/// A client that also changes things on GitHub: only an account's own, never the shared one.
package protocol GitHubActClient: GitHubClient {
    /// Sends a request that changes something, with a JSON body. Never repeats it. Throws `GitHubFailure`.
    func act(_ method: String, _ path: String, body: Data) async throws -> GitHubSession.Response
}

extension GitHubSession: GitHubActClient {}

package enum GraphQLVariable: Encodable, Equatable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case list([String])
    case number(Int)

    package init(stringLiteral text: String) { self = .text(text) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        case .number(let number): try container.encode(number)
        }
    }
}
