import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

struct ReadingController: Sendable {
    static let path = "/reading"
    static let pageSize = 50
    private static let suggestionCount = 20

    let site: WebContext
    let services: ReadingServices
    private var reading: ReadingService { services.articles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(Self.path, topics: { topics($1) }) { try view($0, $1, $2) },
            guarded.fragment(
                "/reading/list", topics: { topics($1) },
                variant: { "-\(ReadingQuery($0.query).address)" }
            ) { try listView($0, ReadingQuery($1.query), $2) },
            guarded.tile(ReadingTileView.kind, topics: { [Topic.reading($0.userId)] }, tileView),
        ]
    }
}

extension ReadingController {
    private func topics(_ user: User) -> [String] { [Topic.reading(user.userId), Topic.pictures] }

    func view(
        _ reads: Reads, _ request: Request, _ user: User, query: ReadingQuery? = nil,
        saving: FormState = .empty,
        many: FormState = .empty, bulk: BulkFormView.Refused = .init()
    ) throws -> ReadingView {
        let query = query ?? ReadingQuery(request.query)
        let list = try listView(reads, query, user, bulk: bulk)
        let shared = try services.sharedItems.counts(reads, of: user.userId).withMe
        let layout = try site.layout(reads, for: user, request, currentEntry: Self.path)
        return ReadingView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, query: query,
            shared: shared, saving: saving, many: many)
    }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> ReadingTileView {
        let page = try reading.list(reads, ArticleFilter(), limit: scope.rows, of: user.userId)
        let ready = try scope.previousVisit.map {
            try reading.readyCount(reads, since: $0, of: user.userId)
        }
        return ReadingTileView(
            page.items, counts: try reading.counts(reads, of: user.userId), ready: ready ?? 0,
            now: site.clock.now(), limit: scope.rows)
    }

    func listView(
        _ reads: Reads, _ query: ReadingQuery, _ user: User, bulk: BulkFormView.Refused = .init()
    ) throws -> ReadingListView {
        let id = user.userId
        let now = site.clock.now()
        let rows: [ArticleRow]
        let page: ArticlePage
        if query.list == .suggested, !query.isFiltering {
            let suggested = try reading.suggestions(reads, for: id, limit: Self.suggestionCount)
            rows = suggested.map { ArticleRow($0.item, reason: $0.reason, now: now) }
            page = ArticlePage(items: [], next: nil, total: rows.count)
        } else {
            page = try reading.list(
                reads, query.filter, after: try query.cursor.map { try Cursor.position($0) },
                limit: Self.pageSize * query.pages, of: id)
            rows = page.items.map { ArticleRow($0, now: now) }
        }
        let counts = try reading.counts(reads, of: id)
        let chips = ReadingChips(
            counts: counts, categories: try reading.categories(reads, of: id),
            tags: try reading.tags(reads, of: id), sites: try reading.sites(reads, of: id), query: query)
        return ReadingListView(
            rows: rows, total: page.total, next: try page.next.map { try Cursor.text($0) }, counts: counts,
            chips: chips, query: query,
            isIndexing: try query.text.isBlank ? false : reads.isIndexing(), refused: bulk)
    }
}
