import Accounts
package import GitHub
import RoostSupport
import RoostWeb

package struct BookmarksFeature: Feature {
    private let services: GitHubServices
    private let reports = ImportReportStore()

    package init(_ services: GitHubServices) {
        self.services = services
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return BookmarksController(site: site, services: services).routes(guarded)
            + BookmarkActionsController(site: site, services: services).routes(guarded)
            + BookmarkFileController(site: site, services: services, reports: reports).routes(guarded)
            + BookmarksAPI(site: site, services: services).routes(guarded)
    }

    func searchSources(in site: WebContext) -> [SearchSource] {
        [
            SearchSource(
                SearchKind("bookmarks", "Bookmarks", icon: "repositories") {
                    "/bookmarks?text=\($0.encoded)"
                }
            ) { [bookmarks = services.bookmarks] reads, query, user in
                try bookmarks.search(reads, query.text, of: user.userId, limit: query.limit).map { bookmark in
                    let facts = [bookmark.tags.joined(separator: ", "), bookmark.about ?? "", bookmark.note]
                    return SearchResult(
                        bookmark.fullName, detail: facts.filter { !$0.isEmpty }.joined(separator: " · "),
                        at: "/repositories/\(bookmark.fullName)")
                }
            }
        ]
    }

    func tile(_ reads: Reads, for user: User, in site: WebContext) throws -> HomeTile? {
        try BookmarksController(site: site, services: services).tileView(reads, user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "bookmarks", Topic.bookmarks(user.userId): [Topic.bookmarks(user.userId)]
        default: nil
        }
    }
}
