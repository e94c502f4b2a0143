import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

struct GistsAPI: Sendable {
    static let path = "/api/v1/gists"
    private static let pageSize = 100
    private static let textLimit = 1_300_000

    let site: WebContext
    let services: ReadingServices
    private var gists: GistService { services.gists }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: Request.paging(Self.pageSize, atMost: ReadingService.maximumPage),
                api: .lists(GistJSON.self, "Your gists, the newest first."), list),
            guarded.member(
                .post, Self.path, bodyLimit: Self.textLimit,
                api: .makes(GistJSON.self, "Makes a gist of a text.").taking(
                    MakeRequest.self,
                    [
                        "text": .text(1...GistService.maximumTextBytes),
                        "title": .text(atMost: ArticleRules.maximumTitleLength),
                        "category": .text(atMost: ArticleRules.maximumCategoryLength),
                    ]), make),
            guarded.member(.get, one, api: .answers(GistJSON.self, "One gist.")) { reads, request, user in
                let item = try gists.gist(reads, ReadingAddress.gist(request), for: user.userId)
                return Self.answer(item)
            },
            guarded.member(
                .patch, one, bodyLimit: Self.textLimit, checksVersion: true,
                api: .answers(GistJSON.self, "Changes a gist.").taking(
                    ChangeRequest.self,
                    [
                        "title": .text(1...ArticleRules.maximumTitleLength),
                        "content": .text(1...ArticleRules.maximumGistLength),
                        "category": .text(atMost: ArticleRules.maximumCategoryLength),
                    ]), change),
            guarded.member(.delete, one, api: .does("Deletes a gist.")) { request, user in
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
        let title, content, category: String?
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let (limit, position) = try request.page(
            ArticlePosition.self, default: Self.pageSize, maximum: ReadingService.maximumPage)
        let page = try gists.list(reads, after: position, limit: limit, of: user.userId)
        return .response(API.json(try Page(page.items.map(GistJSON.init), next: page.next)))
    }

    private func make(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(MakeRequest.self)
        let created = try await gists.makeOfText(
            title: body.title ?? "", text: body.text, category: body.category,
            length: GistLengthChoice.read(body.length), by: user.userId)
        var response = API.json(GistJSON(created), status: 201)
        response["Location"] = "\(Self.path)/\(created.id)"
        return .response(response)
    }

    private static func answer(_ item: GistItem) -> HandlerResult {
        .response(API.json(GistJSON(item), version: ReadingAddress.version(item.updatedAt)))
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.gist(request)
        let item = try await gists.gist(id, for: user.userId)
        guard item.owner == user.userId else { throw RoostError.notFound("There is no such gist.") }
        let body = try request.body(ChangeRequest.self)
        do {
            let changed = try await gists.edit(
                id, title: body.title, content: body.content, category: body.category,
                ifUpdatedAt: ReadingAddress.editedVersion(request), by: user.userId)
            return Self.answer(changed)
        } catch let error as RoostError where error.isStaleEdit {
            let current = GistJSON(try await gists.gist(id, for: user.userId))
            return .response(
                API.json(EditConflictJSON(error, submitted: body, current: current), status: 409))
        }
    }
}
