package import Foundation

/// Speaks to GitHub for one account: one request at a time, within the limits, with the account's token.
///
/// A 401 disconnects the account; every failure is a `GitHubFailure`.
package final class GitHubSession: Sendable {
    /// A user's click goes before background work.
    package enum Priority: Int, Sendable, Comparable {
        case background, click

        package static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Answer: Sendable {
        package let status: Int
        package let body: Data
        /// "next" and so on of the `Link` header, each a path with its query below the API's root.
        package let links: [String: String]
        package let etag: String?

        package init(status: Int, body: Data, links: [String: String] = [:], etag: String? = nil) {
            self.status = status
            self.body = body
            self.links = links
            self.etag = etag
        }
    }

    package let account: GitHubAccountID
    package let host: GitHubHost

    package init(account: GitHubAccountID, host: GitHubHost) {
        self.account = account
        self.host = host
    }

    /// The login that the token stands for.
    package var login: String { "" }
    /// "org/team" of the user, as far as the token may see them; nil where it may not, or until they are known.
    package var teams: Set<String>? { nil }
    /// The latest headers by resource: "core", "search", "graphql".
    package var budgets: [String: RateBudget] { [:] }
    /// Until when GitHub asked to be left alone with this resource.
    package func blockedUntil(_ resource: String) -> Date? { nil }

    /// A path below the API's root with its query: "/search/issues?q=...". With `etag` a 304 is an answer, with an
    /// empty body. Throws `GitHubFailure`.
    package func get(_ path: String, etag: String? = nil, _ priority: Priority = .background) async throws
        -> Answer
    {
        throw GitHubFailure(error: .unknown("no GitHub yet"))
    }

    /// The whole answer's body: `data` may stand beside `errors`. A limit that GraphQL tells with status 200 is thrown
    /// as such. Throws `GitHubFailure`.
    package func graphQL(query: String, variables: [String: String], _ priority: Priority = .background)
        async throws -> Data
    {
        throw GitHubFailure(error: .unknown("no GitHub yet"))
    }
}

/// GitHub's answer that went wrong, as the reader hears of it, with the wait it asked for and words for the log.
package struct GitHubFailure: Error, Equatable, Sendable {
    package let error: APIError
    /// In seconds.
    package var retryAfter: Double?
    /// The status, 0 where no answer came.
    package var status = 0
    /// What GitHub said, shortened and without any token; `message` of its JSON where there is one.
    package var detail = ""

    package init(error: APIError, retryAfter: Double? = nil, status: Int = 0, detail: String = "") {
        self.error = error
        self.retryAfter = retryAfter
        self.status = status
        self.detail = detail
    }
}
