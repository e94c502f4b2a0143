import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

/// `/reading/feeds/TOKEN.atom`: Atom feeds of lists, at secret addresses.
struct ReadingFeedsController: Sendable {
    private static let ending = ".atom"

    let site: WebContext
    let services: ReadingServices
    private var feeds: ReadingFeedService { services.feeds }

    static func address(of token: String) -> String { "/reading/feeds/\(PathSegment(token))\(ending)" }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/feeds/{id}"
        return [
            guarded.link(.get, "/reading/feeds/{token}", .async(document)),
            guarded.member(.post, "/reading/feeds", add),
            guarded.member(.post, one + "/renew") { request, user in
                _ = try await feeds.renew(ReadingAddress.number(request, "feed"), by: user.userId)
                return answer(
                    request, "The feed has a new address. The old address no longer works.", user)
            },
            guarded.member(.post, one + "/delete") { request, user in
                try await feeds.withdraw(ReadingAddress.number(request, "feed"), by: user.userId)
                return answer(request, "Feed deleted.", user)
            },
        ]
    }

    private func document(_ request: Request) async throws -> HandlerResult {
        let (token, isAtom) = ReadingAddress.parts(of: request.parameters["token"], ending: Self.ending)
        guard isAtom else { throw RoostError.notFound("There is no such feed.") }
        let base = site.link(to: "", for: request).address
        let found = try await feeds.document(token: token, base: base)
        var response = Response.content(found.body, type: ReadingFeedDocument.mediaType)
        response["Cache-Control"] = "private, no-cache"
        response["X-Robots-Tag"] = "noindex, nofollow"
        response.etag = found.entityTag
        return .response(response)
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            func nonBlank(_ name: String) -> String? { form[name].flatMap { $0.isBlank ? nil : $0 } }
            guard let list = ArticleFilter.List(rawValue: form["list"] ?? "all") else {
                throw RoostError.invalid(field: "list", why: "Choose a list.")
            }
            _ = try await feeds.add(
                ArticleFilter(
                    list: list, category: nonBlank("category"), tag: nonBlank("tag"), site: nonBlank("site")),
                by: user.userId)
            return .response(.redirect(to: "/reading/tools#feeds"))
        } catch {
            let refused = try FormError(error, form, keeping: ["list", "category", "tag"])
            return refused.answer(
                try await site.html {
                    try ReadingToolsController(site: site, services: services).shown(
                        $0, request, user, feedForm: refused.form)
                })
        }
    }

    private func answer(_ request: Request, _ message: String, _ user: User) -> HandlerResult {
        site.answer(request, page: "/reading/tools#feeds", showing: NoticeView(text: message), to: user)
    }
}
