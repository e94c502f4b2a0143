import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

struct SharedItemsAPI: Sendable {
    private static let path = "/api/v1/shared-items"
    private static let pageSize = 100

    let site: WebContext
    let services: ReadingServices
    private var shared: SharedItemService { services.sharedItems }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, Self.path,
                query: [.choice("direction", SharedItemService.Direction.self)]
                    + Request.paging(Self.pageSize, atMost: ReadingService.maximumPage),
                api: .lists(SharedItemJSON.self, "Items shared with you, by you, or saved by you."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(SharedItemJSON.self, "Shares something with a user.").taking(
                    ShareRequest.self, ["url": .text(1...ArticleAddress.maximumEncodedLength)]), share),
            guarded.member(.get, Self.path + "/{id}", api: .answers(SharedItemJSON.self, "One shared item."))
            { reads, request, user in
                let entry = try shared.item(reads, ReadingAddress.sharedItem(request), for: user.userId)
                return .response(API.json(SharedItemJSON(entry)))
            },
            guarded.member(
                .post, Self.path + "/{id}/accept",
                api: .makes(GistaServiceResponse.self, "Saves what was shared with you.").status(201, 200),
                accept),
            guarded.member(
                .delete, Self.path + "/{id}",
                api: .does("Takes back what you shared, or dismisses what was shared with you."), remove),
        ]
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let name = request.query["direction"] ?? SharedItemService.Direction.withMe.rawValue
        guard let direction = SharedItemService.Direction(rawValue: name) else {
            throw RoostError.invalid(field: "direction", why: "“direction” must be “with”, “by” or “own”.")
        }
        let (limit, position) = try request.page(
            ArticlePosition.self, default: Self.pageSize, maximum: ReadingService.maximumPage)
        let page = try shared.list(reads, direction, after: position, limit: limit, of: user.userId)
        return .response(API.json(try Page(page.items.map(SharedItemJSON.init), next: page.next)))
    }

    private struct ShareRequest: Decodable {
        let with: JSONUserID
        let articleId, gistId, url, title: String?
    }

    private func share(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(ShareRequest.self)
        let content: SharedItemService.Content
        if let text = body.articleId {
            content = .article(try ReadingAddress.number(text, "article"))
        } else if let text = body.gistId {
            content = .gist(try ReadingAddress.number(text, "gist"))
        } else if let url = body.url {
            content = .address(url, title: body.title)
        } else {
            throw RoostError.invalid(field: "url", why: "“articleId”, “gistId” or “url” is missing.")
        }
        let entry = try await shared.share(content, with: body.with.id, by: user.userId)
        var response = API.json(SharedItemJSON(entry), status: 201)
        response["Location"] = "\(Self.path)/\(entry.id)"
        return .response(response)
    }

    private func accept(_ request: Request, _ user: User) async throws -> HandlerResult {
        let saved = try await shared.accept(ReadingAddress.sharedItem(request), by: user.userId)
        var response = API.json(try GistaServiceResponse(saved), status: saved.isNew ? 201 : 200)
        response["Location"] = "\(ArticlesAPI.path)/\(saved.item.id)"
        return .response(response)
    }

    /// Withdraws an item that the user has shared, or dismisses one that was shared with them.
    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.sharedItem(request)
        do { try await shared.withdraw(id, by: user.userId) } catch RoostError.notFound {
            try await shared.dismiss(id, by: user.userId)
        }
        return .response(Response(status: 204))
    }
}
