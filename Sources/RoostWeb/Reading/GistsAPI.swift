import Accounts
import HTTPServer
import Reading
import RoostSupport

/// Gists as JSON.
struct GistsAPI: Sendable {
    static let path = "/api/v1/gists"
    private static let pageSize = 100
    private static let textLimit = 1_300_000

    let site: WebContext
    private var gists: GistService { site.services.gists }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(.get, Self.path, list),
            guarded.member(.post, Self.path, bodyLimit: Self.textLimit, make),
            guarded.member(.get, one) { request, user in
                let item = try await gists.gist(ReadingAddress.gist(request), for: user.userId)
                return .response(API.json(GistJSON(item)))
            },
            guarded.member(.patch, one, bodyLimit: Self.textLimit, change),
            guarded.member(.delete, one) { request, user in
                _ = try await gists.delete(ReadingAddress.gist(request), by: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private struct MakeRequest: Decodable {
        let text: String
        let title, category, length: String?
    }

    private struct ChangeRequest: Codable {
        let title, content, category, updatedAt: String?
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let limit = try request.limit(Self.pageSize, most: ReadingService.maximumPage)
        let page = try await gists.list(
            cursor: request.query["cursor"].flatMap { $0.isEmpty ? nil : $0 }, limit: limit, of: user.userId)
        return .response(API.json(API.List(page.items.map(GistJSON.init), next: page.next)))
    }

    private func make(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.model(MakeRequest.self)
        let made = try await gists.makeOfText(
            title: body.title ?? "", text: body.text, category: body.category,
            length: GistLengthChoice.read(body.length), by: user.userId)
        var response = API.json(GistJSON(made), status: 201)
        response["Location"] = "\(Self.path)/\(made.id)"
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.gist(request)
        let item = try await gists.gist(id, for: user.userId)
        guard item.owner == user.userId else { throw RoostError.notFound("There is no such gist.") }
        let body = try request.model(ChangeRequest.self)
        do {
            let changed = try await gists.edit(
                id, title: body.title, content: body.content, category: body.category,
                ifUpdatedAt: ReadingAddress.updatedAt(body.updatedAt), by: user.userId)
            return .response(API.json(GistJSON(changed)))
        } catch let error as RoostError where error.isStaleEdit {
            let current = GistJSON(try await gists.gist(id, for: user.userId))
            return .response(API.json(EditConflictJSON(error, yours: body, current: current), status: 409))
        }
    }
}
