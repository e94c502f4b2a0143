package import Foundation

/// What the inbox needs of GitHub for one account; `GitHubSession` is the one that really speaks to it.
package protocol GitHubClient: AnyObject, Sendable {
    var login: String { get }
    /// "org/team" of the user; nil where the token may not see them.
    var teams: Set<String>? { get }
    /// By resource: "core", "search", "graphql".
    var budgets: [String: RateBudget] { get }
    func blockedUntil(_ resource: String) -> Date?
    /// Throws `GitHubFailure`.
    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    /// In another form than the usual JSON: "application/vnd.github.html". Throws `GitHubFailure`.
    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    /// Throws `GitHubFailure`.
    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data
}

extension GitHubSession: GitHubClient {}

/// The value of a variable of a GraphQL document.
package enum GraphQLVariable: Encodable, Equatable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case list([String])

    package init(stringLiteral text: String) { self = .text(text) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        }
    }
}
