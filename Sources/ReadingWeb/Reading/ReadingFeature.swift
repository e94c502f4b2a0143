import Accounts
package import Reading
import RoostSupport
import RoostWeb

package struct ReadingFeature: Feature {
    static let topic = "reading"

    let navigationEntries: [NavigationEntry]
    private let services: ReadingServices

    package init(_ services: ReadingServices) {
        self.services = services
        navigationEntries = [
            NavigationEntry(
                "Reading", at: ReadingController.path, icon: "reading",
                count: .init(
                    address: "/reading/count", topic: Self.topic,
                    waiting: { [articles = services.articles] in
                        try articles.counts($0, of: $1.userId).unread
                    },
                    lastWaiting: { _ in nil }, isInTitle: false))
        ]
    }

    let secretPathPrefixes = [SharedGistController.pathSegment]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return ReadingController(site: site, services: services).routes(guarded)
            + ReadingActionsController(site: site, services: services).routes(guarded)
            + ArticleController(site: site, services: services).routes(guarded)
            + SaveController(site: site, services: services).routes(guarded)
            + SharedItemsController(site: site, services: services).routes(guarded)
            + GistsController(site: site, services: services).routes(guarded)
            + ReadingToolsController(site: site, services: services).routes(guarded)
            + ReadingFeedsController(site: site, services: services).routes(guarded)
            + ArticleFilesAPI(site: site, services: services).routes(guarded)
            + SharedGistController(site: site, services: services).routes(guarded)
            + AppController(site: site, services: services).routes(guarded)
            + ArticlesAPI(site: site, services: services).routes(guarded)
            + HighlightsAPI(site: site, services: services).routes(guarded)
            + GistsAPI(site: site, services: services).routes(guarded)
            + SharedItemsAPI(site: site, services: services).routes(guarded)
    }

    let searchCommands = [
        SearchCommand("Save a page", or: "add article address link", at: ReadingController.path),
        SearchCommand("New gist from text", or: "summary summarise", at: "/gists/new"),
        SearchCommand("Import articles", or: "pocket instapaper omnivore wallabag", at: "/reading/tools"),
    ]

    func searchSources(in site: WebContext) -> [SearchSource] {
        [articleSource, highlightSource, gistSource]
    }

    /// In code points.
    private static let shownQuote = 200

    private var articleSource: SearchSource {
        SearchSource(
            "articles", "Articles", icon: "reading",
            allAddress: { "\(ReadingController.path)?list=all&text=\($0.encoded)" }
        ) { [articles = services.articles] reads, query, user in
            try articles.search(reads, query.text, of: user.userId, limit: query.limit).map {
                SearchResult($0.title, detail: $0.site, at: "\(ReadingController.path)/\($0.id)")
            }
        }
    }

    private var highlightSource: SearchSource {
        SearchSource("highlights", "Highlights", icon: "reading") {
            [articles = services.articles] reads, query, user in
            try articles.highlights(reads, matching: query.text, of: user.userId, limit: query.limit).map {
                let (highlight, title) = $0
                return SearchResult(
                    String(Substring(highlight.quote.unicodeScalars.prefix(Self.shownQuote))),
                    detail: highlight.note.isEmpty ? title : "\(highlight.note) · \(title)",
                    at: "\(ReadingController.path)/\(highlight.articleId)#highlight-\(highlight.id)")
            }
        }
    }

    private var gistSource: SearchSource {
        SearchSource("gists", "Gists", icon: "reading") { [gists = services.gists] reads, query, user in
            try gists.search(reads, query.text, of: user.userId, limit: query.limit).map {
                SearchResult($0.title, detail: $0.category ?? "", at: "/gists/\($0.id)")
            }
        }
    }

    func tile(_ reads: Reads, for user: User, in site: WebContext) throws -> HomeTile? {
        try ReadingController(site: site, services: services).tileView(reads, user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.reading(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.reading(user.userId): [Topic.reading(user.userId)]
        default: nil
        }
    }
}
