import Accounts
package import Market
import RoostSupport
import RoostWeb

package struct DisplaysFeature: Feature {
    let navigationEntries = [NavigationEntry("Displays", at: "/displays", icon: "displays", isFolded: true)]

    private let services: MarketServices

    package init(_ services: MarketServices) {
        self.services = services
    }

    let secretPathPrefixes = ["display"]

    let searchCommands = [SearchCommand("Pair a display", or: "screen wall kiosk", at: "/displays")]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return DisplaysController(site: site, services: services).routes(guarded)
            + DisplaySettingsController(site: site, services: services).routes(guarded)
            + WallController(site: site, services: services).routes(guarded)
    }

    func tile(_ reads: Reads, for user: User, in site: WebContext) throws -> HomeTile? {
        try DisplaysController(site: site, services: services).tileView(reads, user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.displays(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "displays", Topic.displays(user.userId): [Topic.displays(user.userId)]
        default: nil
        }
    }
}
