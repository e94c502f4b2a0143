import Accounts
import HTTPServer
import RoostSupport

/// Alerts of prices.
struct AlertsFeature: Feature {
    /// The topic of one's alerts, as pages name it.
    static let topic = "alerts"

    /// How many fired and were not seen: the navigation's place of the watchlist shows it.
    static let count = NavigationPlace.Count(
        address: "/alerts/count", topic: topic, waiting: { try await $0.alerts.newCount(of: $1.userId) },
        lastWaiting: { _, _ in nil })

    /// The bells of a user's coins that have alerts, by coin: the watchlist's rows show them.
    static let bells: @Sendable (User, WebContext) async throws -> [String: RenderedView] = { user, site in
        let context = TemplateContext(assets: site.assets)
        let counts = try await site.services.alerts.counts(of: user.userId)
        return counts.reduce(into: [:]) { bells, count in
            bells[count.key] = AlertBell(count.value, coinId: count.key).map {
                RenderedView($0, in: context, capacity: 256)
            }
        }
    }

    /// The part of a coin's page about its alerts.
    static let panel: @Sendable (String, String, Request, User, WebContext) async throws -> RenderedView = {
        coinId, name, request, user, site in
        site.part(
            try await AlertsController(site: site).coinView(coinId, name: name, user), for: request)
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return AlertsController(site: site).routes(guarded) + AlertsAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        let view = try await AlertsController(site: site).tileView(user)
        // Who uses no alerts has no tile of them.
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
