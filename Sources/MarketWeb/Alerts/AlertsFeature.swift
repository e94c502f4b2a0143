import Accounts
import Foundation
import HTTPServer
package import Market
import RoostSupport
import RoostWeb

package struct AlertsFeature: Feature {
    static let topic = "alerts"

    let tokenArea: TokenArea? = TokenArea("alerts", name: "Price alerts")
    let settingsTabs = [SettingsTab("Alerts", at: "/alerts", in: .feature)]

    private let services: MarketServices

    package init(_ services: MarketServices) {
        self.services = services
    }

    let searchCommands = [SearchCommand("Price alerts", or: "notify coin", at: "/alerts")]

    var webhookEvents: [WebhookEvent] {
        [
            WebhookEvent(.alertFired, "A price alert fires") {
                [alerts = services.alerts] reads, id, user, _ in
                try CoinAlertID(id).map { CoinAlertJSON(try alerts.alert(reads, $0, of: user)) }
            }
        ]
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return AlertsController(site: site, services: services).routes(guarded)
            + AlertsAPI(site: site, services: services).routes(guarded)
    }

    var tileKind: TileKind? { AlertsTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        let view = try AlertsController(site: site, services: services).tileView(reads, user, scope)
        return view.isEmpty ? nil : view.tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let fired = try services.alerts.alerts(reads, of: user.userId)
            .filter { ($0.firedAt ?? .distantPast) > since }
            .sorted { ($0.firedAt ?? .distantPast) > ($1.firedAt ?? .distantPast) }
        return fired.prefix(TodayLine.limit).map {
            TodayLine(
                $0.firedText ?? "\($0.name): \($0.condition)", from: "Alerts",
                at: "/coins/\(PathSegment($0.coinId))")
        }
    }

    func tileTopics(for user: User) -> [String] { [Topic.alerts(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.alerts(user.userId): [Topic.alerts(user.userId)]
        default: nil
        }
    }
}
