import Accounts
import RoostSupport

/// Screens on walls.
struct DisplaysFeature: Feature {
    let places = [NavigationPlace("Displays", at: "/displays", icon: "displays", isFolded: true)]

    let secretWords = ["display"]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return DisplaysController(site: site).routes(guarded)
            + DisplaySettingsController(site: site).routes(guarded)
            + WallController(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await DisplaysController(site: site).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.displays(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "displays", Topic.displays(user.userId): [Topic.displays(user.userId)]
        default: nil
        }
    }
}
