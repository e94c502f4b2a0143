import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// Repositories as JSON; a program waits for GitHub where Roost has no answer yet.
struct RepositoriesAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/api/v1/repositories", list),
            guarded.member(.get, "/api/v1/repositories/{owner}/{name}", one),
        ]
    }

    /// `since` as GitHub has it, or the `cursor` of the page before, which is the same.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        var since: RepositoryID = 0
        for field in ["since", "cursor"] {
            guard let text = request.query[field] else { continue }
            guard let number = RepositoryID(text), number >= 0 else {
                throw RoostError.invalid(
                    field: field, why: "This is the number of a repository, from 0 on.")
            }
            since = number
        }
        let page = try await site.services.repositories.page(since: since, for: user.userId)
        let next = page.hasMorePages ? page.next.map { "\($0)" } : nil
        return .response(API.json(API.List(page.items.map(RepositoryJSON.init), next: next)))
    }

    private func one(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await site.services.repositoryDetails.item(
            named: RepositoryName(of: request), for: user.userId)
        return .response(API.json(RepositoryJSON(item)))
    }
}
