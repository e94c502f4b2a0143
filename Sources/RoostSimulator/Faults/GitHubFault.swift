/// Faults that only GitHub has. Some take a number, explained below.
package enum GitHubFault: String, Sendable, CaseIterable {
    /// 403 with `remaining` 0. The number is the seconds until the reset.
    case primary = "github-primary"
    /// 403 with `Retry-After`. The number is its seconds.
    case secondary = "github-secondary"
    /// 403 with the text of a secondary limit but none of its headers (recorded).
    case secondaryBare = "github-secondary-bare"
    /// 429 with `Retry-After`. The number is its seconds.
    case tooMany = "github-429"
    case unauthorised = "github-401"
    /// 403 without any sign of a limit.
    case forbidden = "github-403"
    case notFound = "github-404"
    /// 503 with an HTML page (recorded).
    case unicorn = "github-503"
    /// 200 with `errors[]` of type RATE_LIMITED. The number is the seconds until the reset.
    case graphQLLimit = "graphql-limit"
    /// 404, as from an old Enterprise server.
    case graphQLMissing = "graphql-missing"
    case graphQLForbidden = "graphql-forbidden"
    /// 200 with JSON that isn't a GraphQL response.
    case graphQLForeign = "graphql-foreign"
    /// 200 with null `data` and "Something went wrong".
    case graphQLBroken = "graphql-broken"
    /// Every third node is null and has an error, as with required single sign-on.
    case graphQLPartial = "graphql-partial"
    /// Acts by REST get 404, as a token without the scope does, with the scope in a header.
    case actScope = "act-scope"
    /// Acts by REST get 405 "not mergeable".
    case actNotAllowed = "act-405"
    /// Acts by REST get 409 "Head branch was modified".
    case actHead = "act-409"
    /// Acts by REST get 422 with a reason.
    case actInvalid = "act-422"

    func applies(to request: GitHubRequest) -> Bool {
        let isAPI = !["login", "avatars", "_simulator"].contains(request.path.first)
        if isAboutActs { return isAPI && request.method != "GET" && request.path.first == "repos" }
        return rawValue.hasPrefix("graphql") ? request.path == ["graphql"] : isAPI
    }

    /// An act that gets this answer does not happen.
    var isAboutActs: Bool { rawValue.hasPrefix("act-") }
}
