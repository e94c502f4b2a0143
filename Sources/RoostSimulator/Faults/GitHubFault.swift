/// What only GitHub does to its callers.
package enum GitHubFault: String, Sendable, CaseIterable {
    /// 403 with `remaining` 0; the number: seconds until the reset.
    case primary = "github-primary"
    /// 403 with `Retry-After`; the number: its seconds.
    case secondary = "github-secondary"
    /// 403 in the words of a secondary limit, without any header of it (recorded).
    case secondaryBare = "github-secondary-bare"
    /// 429 with `Retry-After`; the number: its seconds.
    case tooMany = "github-429"
    /// The token is not good any more.
    case unauthorised = "github-401"
    /// 403 without any sign of a limit.
    case forbidden = "github-403"
    case notFound = "github-404"
    /// 503 with the page for people (recorded).
    case unicorn = "github-503"
    /// 200 with `errors[]` of type RATE_LIMITED; the number: seconds until the reset.
    case graphQLLimit = "graphql-limit"
    /// 404: an old Enterprise server.
    case graphQLMissing = "graphql-missing"
    case graphQLForbidden = "graphql-forbidden"
    /// 200 with JSON that is no answer of GraphQL's.
    case graphQLForeign = "graphql-foreign"
    /// 200 with null for `data`, and "Something went wrong".
    case graphQLBroken = "graphql-broken"
    /// Every third node is null, each beside its error: single sign-on stands before it.
    case graphQLPartial = "graphql-partial"

    /// The paths that it can strike.
    func strikes(_ request: GitHubRequest) -> Bool {
        let isAPI = !["login", "avatars", "_simulator"].contains(request.path.first)
        return rawValue.hasPrefix("graphql") ? request.path == ["graphql"] : isAPI
    }
}
