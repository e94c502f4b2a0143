import Accounts
import Foundation
package import Market
import RoostSupport
import RoostWeb

package struct DisplaysFeature: Feature {
    let navigationEntries = [
        NavigationEntry("Displays", at: "/displays", icon: "displays", key: "d", isFolded: true)
    ]

    let tokenArea: TokenArea? = TokenArea("displays", name: "Displays")
    let settingsTabs = [SettingsTab("Displays", at: "/displays", in: .feature)]

    private let services: MarketServices
    private let pulls: any WallPulls

    package init(_ services: MarketServices, pulls: any WallPulls) {
        self.services = services
        self.pulls = pulls
    }

    let secretPathPrefixes = ["display"]

    let searchCommands = [SearchCommand("Pair a display", or: "screen wall kiosk", at: "/displays")]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return DisplaysController(site: site, services: services).routes(guarded)
            + DisplaySettingsController(site: site, services: services, pulls: pulls).routes(guarded)
            + WallController(site: site, services: services, pulls: pulls).routes(guarded)
            + DisplaysAPI(site: site, services: services).routes(guarded)
    }

    var tileKind: TileKind? { DisplaysTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try DisplaysController(site: site, services: services).tileView(reads, user, scope).tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let now = site.clock.now()
        let stopped = try services.displays.displays(reads, of: user.userId).filter {
            !$0.isOnline(at: now) && ($0.lastSeenAt ?? .distantPast) > since
        }
        return stopped.prefix(TodayLine.limit).map {
            TodayLine("The display “\($0.name)” has stopped.", from: "Displays", at: "/displays/\($0.id)")
        }
    }

    func tileTopics(for user: User) -> [String] { [Topic.displays(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "displays", Topic.displays(user.userId): [Topic.displays(user.userId)]
        default: nil
        }
    }
}
