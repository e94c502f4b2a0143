import Accounts
import HTTPServer
import RoostSupport

/// `/search`: finds everything that the user may see.
package struct SearchController: Sendable {
    package static let path = "/search"

    private let site: WebContext
    private let search: SiteSearch

    init(site: WebContext) {
        self.site = site
        search = SiteSearch(site: site)
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path, page),
            guarded.member(.get, Self.path + "/results", results),
            guarded.member(
                .get, "/api/v1/search",
                query: ["q", .texts("kinds"), .limit(SiteSearch.limit, atMost: SiteSearch.maximumLimit)],
                api: .lists(SearchItemJSON.self, "Searches everything that you may see."), json),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        // A kind that does not exist any more shows all.
        let kind = request.query["kinds"].flatMap { name in search.kinds.first { $0.id == name } }
        let query = SiteSearchQuery(
            request.query["q"] ?? "", limit: kind == nil ? SiteSearch.limit : SiteSearch.maximumLimit)
        let groups = try search.groups(reads, query, for: user, kinds: kind.map { [$0.id] })
        let view = SearchView(
            layout: try site.layout(reads, for: user, request, currentEntry: Self.path), query: query,
            allKinds: search.kinds, kind: kind?.id, groups: groups, isIndexing: try reads.isIndexing())
        return .response(site.html(view))
    }

    /// The options of the dialog.
    private func results(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let query = SiteSearchQuery(request.query["q"] ?? "", limit: SiteSearch.limit)
        let view = SearchOptionsView(query: query, groups: try search.groups(reads, query, for: user))
        var response = Response.html(view.html(in: site.templateContext(for: request)))
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func json(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let limit = try request.limit(default: SiteSearch.limit, maximum: SiteSearch.maximumLimit)
        let query = SiteSearchQuery(request.query["q"] ?? "", limit: limit)
        let groups = try search.groups(reads, query, for: user, kinds: try kinds(of: request))
        return .response(API.json(Page(groups.flatMap(SearchItemJSON.items))))
    }

    /// The kinds of `?kinds=articles,messages`; all except commands without it, since those are forms for browsers.
    private func kinds(of request: Request) throws -> Set<String> {
        let possible = search.kinds.map(\.id).filter { $0 != SiteSearch.commands }
        guard let text = request.query["kinds"], !text.isBlank else { return Set(possible) }
        let kinds = text.splitBytes(at: ",").map { String($0).trimmed }
        guard kinds.allSatisfy(possible.contains) else {
            throw RoostError.invalid(
                field: "kinds",
                why: "“kinds” must name some of \(possible.joined(separator: ", ")), separated by commas.")
        }
        return Set(kinds)
    }
}
