import Accounts
import HTTPServer
import Reading
import RoostSupport

/// `/reading`: the lists of articles as a page and as fragments.
struct ReadingController: Sendable {
    static let path = "/reading"
    static let pageSize = 50
    private static let suggestionCount = 20

    let site: WebContext
    private var reading: ReadingService { site.services.reading }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(Self.path, topics: { topics($1) }, { try await shown($0, $1) }),
            guarded.member(.get, "/reading/list", list),
            guarded.member(.get, "/reading/tile", tile),
            guarded.member(.get, "/reading/count", count),
        ]
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = ReadingQuery(request.query)
        // Taken before the articles are read, so that a change meanwhile is fetched again.
        let tag = "\(site.tag(of: topics(user), for: user))-\(query.address)"
        return .response(site.fragment(try await listView(query, user), version: tag, for: request))
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.reading(user.userId)], for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }

    private func count(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.reading(user.userId)], for: user)
        let unread = try await reading.counts(of: user.userId).unread
        var response = Response.html(unread > 0 ? "\(unread)" : "")
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(tag)-\(unread)\""
        return .response(response)
    }
}

/// How the views are filled.
extension ReadingController {
    private func topics(_ user: User) -> [String] { [Topic.reading(user.userId), Topic.pictures] }

    /// - Parameters:
    ///   - saving, many: forms that were refused
    func shown(
        _ request: Request, _ user: User, query: ReadingQuery? = nil, saving: FormState = .empty,
        many: FormState = .empty, status: Int = 200
    ) async throws -> RenderedPage {
        // The layout's cursor is taken before the articles are read, so that a change meanwhile is noticed.
        let cursor = site.services.feed.cursor
        let query = query ?? ReadingQuery(request.query)
        let list = try await listView(query, user)
        let shared = try await site.services.sharedItems.counts(of: user.userId).withMe
        let layout = try await site.layout(for: user, request, place: Self.path, cursor: cursor)
        return site.rendered(
            ReadingView(
                layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, query: query,
                shared: shared, saving: saving, many: many),
            status: status)
    }

    func tileView(_ user: User) async throws -> ReadingTileView {
        let page = try await reading.list(ArticleFilter(), limit: ReadingTileView.limit, of: user.userId)
        return ReadingTileView(
            page.items, counts: try await reading.counts(of: user.userId), now: site.services.clock.now())
    }

    private func listView(_ query: ReadingQuery, _ user: User) async throws -> ReadingListView {
        let id = user.userId
        let now = site.services.clock.now()
        let rows: [ArticleRow]
        let page: ArticlePage
        if query.list == .suggested, !query.isFiltering {
            let suggested = try await reading.suggestions(for: id, limit: Self.suggestionCount)
            rows = suggested.map { ArticleRow($0.item, reason: $0.reason, now: now) }
            page = ArticlePage(items: [], next: nil, total: rows.count)
        } else {
            page = try await reading.list(
                query.filter, cursor: query.cursor, limit: Self.pageSize * query.pages, of: id)
            rows = page.items.map { ArticleRow($0, now: now) }
        }
        let counts = try await reading.counts(of: id)
        let chips = ReadingChips(
            counts: counts, categories: try await reading.categories(of: id),
            tags: try await reading.tags(of: id), sites: try await reading.sites(of: id), query: query)
        return ReadingListView(
            rows: rows, total: page.total, next: page.next, counts: counts, chips: chips, query: query)
    }
}
