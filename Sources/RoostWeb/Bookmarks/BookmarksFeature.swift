import Accounts
import RoostSupport

/// Bookmarked repositories.
struct BookmarksFeature: Feature {
    private let reports = ImportReportStore()

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return BookmarksController(site: site).routes(guarded)
            + BookmarkActionsController(site: site).routes(guarded)
            + BookmarkFileController(site: site, reports: reports).routes(guarded)
            + BookmarksAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await BookmarksController(site: site).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "bookmarks", Topic.bookmarks(user.userId): [Topic.bookmarks(user.userId)]
        default: nil
        }
    }
}
