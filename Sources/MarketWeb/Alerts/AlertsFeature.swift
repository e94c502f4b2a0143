import Accounts
import HTTPServer
package import Market
import RoostSupport
import RoostWeb

package struct AlertsFeature: Feature {
    static let topic = "alerts"

    private let services: MarketServices

    package init(_ services: MarketServices) {
        self.services = services
    }

    let searchCommands = [SearchCommand("Price alerts", or: "notify coin", at: "/alerts")]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return AlertsController(site: site, services: services).routes(guarded)
            + AlertsAPI(site: site, services: services).routes(guarded)
    }

    func tile(_ reads: Reads, for user: User, in site: WebContext) throws -> HomeTile? {
        let view = try AlertsController(site: site, services: services).tileView(reads, user)
        return view.isEmpty ? nil : view.tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.alerts(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.alerts(user.userId): [Topic.alerts(user.userId)]
        default: nil
        }
    }
}
