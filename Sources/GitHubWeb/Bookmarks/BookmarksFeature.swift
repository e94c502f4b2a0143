import Accounts
import Foundation
package import GitHub
import RoostSupport
import RoostWeb

package struct BookmarksFeature: Feature {
    let navigationEntries = [
        NavigationEntry("Bookmarks", at: "/bookmarks", icon: "bookmarks", key: "b", isFolded: true)
    ]

    let tokenArea: TokenArea? = TokenArea("bookmarks", name: "Bookmarks")
    let settingsTabs = [SettingsTab("Bookmarks", at: "/bookmarks/import", in: .feature)]

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
            + BookmarksBulkAPI(site: site, services: services).routes(guarded)
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

    var tileKind: TileKind? { BookmarksTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try BookmarksController(site: site, services: services).tileView(reads, user, scope).tile
    }

    /// Changes have no time; those that the user has seen are left out.
    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        try services.bookmarks.changedLatest(reads, TodayLine.limit, of: user.userId).items.map {
            TodayLine(
                "\($0.fullName): \($0.changes.map(BookmarkChangeText.text).joined(separator: ", ")).",
                from: "Bookmarks", at: "/repositories/\($0.shownName.path)?in=bookmarks")
        }
    }

    func tileTopics(for user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "bookmarks", Topic.bookmarks(user.userId): [Topic.bookmarks(user.userId)]
        default: nil
        }
    }
}
