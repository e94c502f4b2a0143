import RoostServices

/// Bookmarked repositories.
struct BookmarksFeature: Feature {
    private let reports = ImportReports()

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return BookmarksPages(site: site).routes(guarded) + BookmarkActsPages(site: site).routes(guarded)
            + BookmarkFilePages(site: site, reports: reports).routes(guarded)
            + BookmarksAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: Site) async throws -> HomeTile? {
        try await BookmarksPages(site: site).tileForHome(user)?.tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "bookmarks", Topic.bookmarks(user.userId): [Topic.bookmarks(user.userId)]
        default: nil
        }
    }
}
