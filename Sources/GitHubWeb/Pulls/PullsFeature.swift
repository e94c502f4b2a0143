import Accounts
import Foundation
package import GitHub
import RoostSupport
import RoostWeb

package struct PullsFeature: Feature {
    let tokenArea: TokenArea? = TokenArea("pulls", name: "Pull requests", hasActs: true)
    let navigationEntries: [NavigationEntry]
    let settingsTabs = [SettingsTab("Inbox", at: "/pulls/sections", in: .feature)]
    private let services: GitHubServices

    package init(_ services: GitHubServices) {
        self.services = services
        navigationEntries = [
            NavigationEntry(
                "Pull requests", short: "Pulls", at: "/pulls", icon: "pulls", key: "p",
                count: .init(
                    address: "/pulls/count", topic: "waiting",
                    waiting: { [pulls = services.pulls] in try pulls.waiting($0, for: $1.userId) },
                    lastWaiting: { [pulls = services.pulls] in pulls.lastWaiting(for: $0.userId) }))
        ]
    }

    var webhookEvents: [WebhookEvent] {
        [
            WebhookEvent(.pullWaiting, "A pull request begins to wait for you") {
                [pulls = services.pulls] reads, key, user, _ in
                try pulls.waitingItem(reads, key, of: user).map { ItemJSON($0.item, in: $0.inbox) }
            }
        ]
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return PullsController(site: site, services: services).routes(guarded)
            + PullPageController(site: site, services: services).routes(guarded)
            + PullActionsController(site: site, services: services).routes(guarded)
            + PullActsController(site: site, services: services).routes(guarded)
            + PullSectionsController(site: site, services: services).routes(guarded)
            + PullsAPI(site: site, services: services).routes(guarded)
            + PullSectionsAPI(site: site, services: services).routes(guarded)
    }

    func searchSources(in site: WebContext) -> [SearchSource] {
        [
            SearchSource(
                SearchKind("pulls", "Pull requests", icon: "pulls") { "/pulls?text=\($0.encoded)" }
            ) {
                [pulls = services.pulls] reads, query, user in
                try pulls.search(reads, query.text, for: user.userId, limit: query.limit).map {
                    SearchResult(
                        $0.pull.title, detail: "\($0.pull.id) by \($0.pull.authorLogin)", at: $0.key.page())
                }
            }
        ]
    }

    var tileKind: TileKind? { PullsTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try PullsController(site: site, services: services).tileView(reads, user, scope).tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let inbox = try services.pulls.inbox(reads, of: user.userId)
        let turn = inbox.sections.first { $0.kind == .turn }?.items ?? []
        let new = InboxFilter.sorted(turn.filter { $0.waitingSince > since }, by: .age)
        return new.prefix(TodayLine.limit).map { item in
            let reason = item.reasons.first.map { ": " + $0.label(withoutOwner: item.pull.repositoryOwner) }
            return TodayLine(
                "\(item.pull.title.sanitized) (\(item.pull.repositoryFullName) #\(item.pull.number))"
                    + (reason ?? "") + ".",
                from: PullsTileView.kind.name, at: "/pulls")
        }
    }

    func tileTopics(for user: User) -> [String] { [Topic.pulls(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "pulls", "inbox", Topic.pulls(user.userId): [Topic.pulls(user.userId)]
        case "pull-details": [Topic.pullDetails(user.userId)]
        case "waiting", Topic.waiting(user.userId): [Topic.waiting(user.userId)]
        default: nil
        }
    }

    /// Triggers refreshes, except for pages that follow the topic by its other name, "inbox".
    func requestRefresh(of name: String, for user: User) {
        if name == "pulls" || name == Topic.pulls(user.userId) { services.pulls.watch(user.userId) }
    }
}
