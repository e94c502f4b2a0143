import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// Repositories as JSON. Requests wait for GitHub if nothing is cached.
struct RepositoriesAPI: Sendable {
    /// The size of GitHub's pages.
    private static let pageSize = 100

    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, "/api/v1/repositories",
                query: [.number("since")] + Request.paging(Self.pageSize, atMost: Self.pageSize),
                api: .lists(RepositoryJSON.self, "All public repositories in GitHub’s order."), list),
            guarded.member(
                .get, "/api/v1/repositories/{owner}/{name}",
                api: .answers(RepositoryJSON.self, "One repository with its detail."), one),
        ]
    }

    private struct Position: Codable {
        let since: RepositoryID
    }

    /// Takes `since` as GitHub does, or the previous page's cursor.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let since = RepositoryID(request.query["since"] ?? "0"), since >= 0 else {
            throw RoostError.invalid(field: "since", why: "Must be a repository’s number, 0 or more.")
        }
        let (limit, position) = try request.page(
            Position.self, default: Self.pageSize, maximum: Self.pageSize)
        let page = try await services.repositories.page(
            since: position?.since ?? since, for: user.userId)
        let items = page.items.prefix(limit)
        let isCut = items.count < page.items.count
        let next = isCut ? items.last?.repository.id : page.hasMorePages ? page.next : nil
        return .response(
            API.json(try Page(items.map(RepositoryJSON.init), next: next.map(Position.init))))
    }

    private func one(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await services.repositoryDetails.item(
            named: RepositoryName(of: request), for: user.userId)
        return .response(API.json(RepositoryJSON(item)))
    }
}
