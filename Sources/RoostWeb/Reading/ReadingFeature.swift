import Accounts
import RoostSupport

/// The reading list and its gists.
struct ReadingFeature: Feature {
    /// The topic of one's articles, gists and shared items, as pages name it.
    static let topic = "reading"

    let places = [
        NavigationPlace(
            "Reading", at: ReadingController.path, icon: "reading",
            count: .init(
                address: "/reading/count", topic: topic,
                waiting: { try await $0.reading.counts(of: $1.userId).unread },
                lastWaiting: { _, _ in nil }, isInTitle: false))
    ]

    let secretWords = [SharedGistController.word]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return ReadingController(site: site).routes(guarded)
            + ReadingActionsController(site: site).routes(guarded)
            + ArticleController(site: site).routes(guarded) + SaveController(site: site).routes(guarded)
            + SharedItemsController(site: site).routes(guarded) + GistsController(site: site).routes(guarded)
            + ReadingToolsController(site: site).routes(guarded)
            + ReadingFeedsController(site: site).routes(guarded)
            + ArticleFilesAPI(site: site).routes(guarded)
            + SharedGistController(site: site).routes(guarded) + AppController(site: site).routes(guarded)
            + ArticlesAPI(site: site).routes(guarded) + HighlightsAPI(site: site).routes(guarded)
            + GistsAPI(site: site).routes(guarded) + SharedItemsAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await ReadingController(site: site).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.reading(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.reading(user.userId): [Topic.reading(user.userId)]
        default: nil
        }
    }
}
