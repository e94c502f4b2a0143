import Foundation
import RoostSupport

/// The teams of a token's user, page by page (`GET /user/teams`).
enum GitHubTeams {
    /// One page as it was last sent.
    struct Page: Sendable, Equatable {
        let etag: String?
        /// "org/team"
        let teams: Set<String>
        let next: String?
    }

    private struct Item: Decodable, Sendable {
        struct Organization: Decodable, Sendable { let login: String }
        let slug: String
        let organization: Organization
    }

    private static let first = "/user/teams?per_page=100"
    private static let maximumPages = 20

    /// Every page by its path; what has not changed is taken from `known`. Throws what `get` throws, and
    /// `GitHubFailure` for an answer that is no list.
    static func pages(
        known: [String: Page], get: (_ path: String, _ etag: String?) async throws -> GitHubSession.Response
    ) async throws -> [String: Page] {
        var pages: [String: Page] = [:]
        var path: String? = first
        while let here = path, pages[here] == nil, pages.count < maximumPages {
            let answer = try await get(here, known[here]?.etag)
            let page = answer.status == 304 ? known[here] : try page(of: answer)
            pages[here] = page
            path = page?.next
        }
        return pages
    }

    private static func page(of answer: GitHubSession.Response) throws -> Page {
        guard let list = try? JSONDecoder().decode(LossyArray<Item>.self, from: answer.body) else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "no list of teams")
        }
        let teams = list.items.map { "\($0.organization.login)/\($0.slug)" }.filter { $0.utf8.count <= 300 }
            .prefix(100)
        return Page(etag: answer.etag, teams: Set(teams), next: answer.links["next"])
    }
}
