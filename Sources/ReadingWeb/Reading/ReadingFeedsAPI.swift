import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

/// Atom feeds of lists, at secret addresses, as JSON.
struct ReadingFeedsAPI: Sendable {
    private static let path = ArticlesAPI.path + "/feeds"

    let site: WebContext
    let services: ReadingServices
    private var feeds: ReadingFeedService { services.feeds }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: Request.paging,
                api: .lists(FeedJSON.self, "Your lists as Atom feeds."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(FeedJSON.self, "Makes a feed.").withSecret("address").taking(AddRequest.self)
                    .status(201, 200), add),
            guarded.member(.get, one, api: .answers(FeedJSON.self, "One feed."), show),
            guarded.member(
                .post, one + "/renew",
                api: .answers(FeedJSON.self, "Gives a feed another address.").withSecret("address")
            ) { request, user in
                let feed = try await feeds.renew(ReadingAddress.number(request, "feed"), by: user.userId)
                return .response(API.json(json(feed, request)))
            },
            guarded.member(.delete, one, api: .does("Deletes a feed.")) { request, user in
                try await feeds.withdraw(ReadingAddress.number(request, "feed"), by: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private struct AddRequest: Decodable {
        let list: ArticleFilter.List?
        let category, tag, site, text: String?
    }

    private struct FeedJSON: Codable {
        let id, title, address, createdAt: String
        let list: ArticleFilter.List
        let category, tag, site, text: String?
    }

    private func json(_ feed: ReadingFeed, _ request: Request) -> FeedJSON {
        let address = site.link(to: ReadingFeedsController.address(of: feed.token), for: request).address
        let filter = feed.filter
        return FeedJSON(
            id: "\(feed.id)", title: ReadingFeedService.title(filter), address: address,
            createdAt: ISO8601.seconds(feed.createdAt), list: filter.list, category: filter.category,
            tag: filter.tag, site: filter.site, text: filter.text)
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let page = try request.items(of: try feeds.feeds(reads, of: user.userId)) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map { json($0, request) }, next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        func nonBlank(_ text: String?) -> String? { text.flatMap { $0.isBlank ? nil : $0 } }
        let known = try await site.database.read { try feeds.feeds($0, of: user.userId) }.map(\.id)
        let feed = try await feeds.add(
            ArticleFilter(
                list: body.list ?? .all, category: nonBlank(body.category), tag: nonBlank(body.tag),
                site: nonBlank(body.site), text: nonBlank(body.text)),
            by: user.userId)
        var response = API.json(json(feed, request), status: known.contains(feed.id) ? 200 : 201)
        response["Location"] = "\(Self.path)/\(feed.id)"
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try ReadingAddress.number(request, "feed")
        guard let feed = try feeds.feeds(reads, of: user.userId).first(where: { $0.id == id }) else {
            throw RoostError.notFound("There is no such feed.")
        }
        return .response(API.json(json(feed, request)))
    }
}
