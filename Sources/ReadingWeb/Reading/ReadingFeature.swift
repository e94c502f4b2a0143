import Accounts
import ArticleText
import Foundation
package import Reading
import RoostSupport
import RoostWeb

package struct ReadingFeature: Feature {
    static let topic = "reading"
    static let draftTopic = "gist-drafts"

    let tokenArea: TokenArea? = TokenArea("reading", name: "Reading")
    let navigationEntries: [NavigationEntry]
    let settingsTabs = [SettingsTab("Reading", at: "/reading/tools", in: .feature)]
    private let services: ReadingServices

    package init(_ services: ReadingServices) {
        self.services = services
        navigationEntries = [
            NavigationEntry(
                "Reading", at: ReadingController.path, icon: "reading", key: "a",
                count: .init(
                    address: "/reading/count", topic: Self.topic,
                    waiting: { [articles = services.articles] in
                        try articles.counts($0, of: $1.userId).unread
                    },
                    lastWaiting: { _ in nil }, isInTitle: false))
        ]
    }

    let shareTarget: ShareTarget? = ShareTarget(
        at: "/reading/share", params: ["title": "title", "text": "text", "url": "url"])

    let secretPathPrefixes = [SharedGistController.pathSegment]

    func metrics(_ reads: Reads) throws -> [MetricFamily] {
        let figures = try services.articles.figures(reads)
        return [
            .gauge("roost_articles", "Articles in all reading lists, by state.")
                .with(figures.unread, ["state": "unread"]).with(figures.archived, ["state": "archived"]),
            .gauge("roost_articles_failed", "Articles whose page could not be fetched.", figures.failed),
            .gauge("roost_articles_queued", "Pages that wait to be fetched.", figures.queued),
            .gauge("roost_gists", "Gists in all reading lists.", figures.gists),
        ]
    }

    var webhookEvents: [WebhookEvent] {
        [
            WebhookEvent(.articleSaved, "You save an article") {
                [articles = services.articles] reads, id, user, _ in
                try ArticleID(id).map { ArticleJSON(try articles.item(reads, $0, for: user)) }
            }
        ]
    }

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
            + ArticleBulkAPI(services: services).routes(guarded)
            + ReadingFeedsAPI(site: site, services: services).routes(guarded)
            + HighlightsAPI(site: site, services: services).routes(guarded)
            + GistsAPI(site: site, services: services).routes(guarded)
            + SharedItemsAPI(site: site, services: services).routes(guarded)
    }

    func queues(_ reads: Reads) throws -> [QueueHealth] {
        let counts = try services.articles.queueCounts(reads)
        return [
            QueueHealth("Pages to fetch", waiting: counts.pages),
            QueueHealth("Gists to make", waiting: counts.gists),
            QueueHealth("Imported articles to add", waiting: counts.imports),
        ]
    }

    let searchCommands = [
        SearchCommand(
            "Save a page", or: "add article address link", at: ReadingController.path, isOffered: true),
        SearchCommand("New gist from text", or: "summary summarise", at: "/gists/new"),
        SearchCommand("Import articles", or: "pocket instapaper omnivore wallabag", at: "/reading/tools"),
    ]

    func searchSources(in site: WebContext) -> [SearchSource] {
        let kinds = [
            SearchKind("articles", "Articles", icon: "reading") {
                "\(ReadingController.path)?list=all&text=\($0.encoded)"
            },
            SearchKind("highlights", "Highlights", icon: "reading"),
            SearchKind("gists", "Gists", icon: "reading"),
        ]
        return [
            SearchSource(kinds) { [articles = services.articles] reads, query, user in
                let found = try articles.search(reads, query.text, of: user.userId, limit: query.limit)
                return [
                    found.articles.map {
                        SearchResult($0.title, detail: $0.site, at: "\(ReadingController.path)/\($0.id)")
                    },
                    found.highlights.map { Self.result($0.highlight, in: $0.title) },
                    found.gists.map {
                        SearchResult($0.title, detail: $0.category ?? "", at: "/gists/\($0.id)")
                    },
                ]
            }
        ]
    }

    private static func result(_ highlight: Highlight, in title: String) -> SearchResult {
        SearchResult(
            String(Substring(highlight.quote.unicodeScalars.prefix(shownQuote))),
            detail: highlight.note.isEmpty ? title : "\(highlight.note) · \(title)",
            at: "\(ReadingController.path)/\(highlight.articleId)#highlight-\(highlight.id)")
    }

    /// In code points.
    private static let shownQuote = 200

    var tileKind: TileKind? { ReadingTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try ReadingController(site: site, services: services).tileView(reads, user, scope).tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let page = try services.articles.list(reads, ArticleFilter(), limit: TodayLine.limit, of: user.userId)
        let new = page.items.filter { $0.savedAt > since && $0.fetchState == .fetched }
        return try new.map { item in
            let row = ArticleRow(item, now: site.clock.now())
            let article = try services.articles.reading(reads, item.id, for: user.userId)
            let summary = Summarizer.summary(
                of: article.gist?.content ?? article.text, title: item.title, language: item.language,
                length: .sentences(1))
            return TodayLine(
                "\(row.title) (\([row.site, row.minutes].compactMap(\.self).joined(separator: ", "))) is ready.",
                from: "Reading", at: row.articlePath, summary: summary.first)
        }
    }

    func tileTopics(for user: User) -> [String] { [Topic.reading(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.reading(user.userId): [Topic.reading(user.userId)]
        case Self.draftTopic: [Topic.gistDrafts(user.userId)]
        default: nil
        }
    }
}
