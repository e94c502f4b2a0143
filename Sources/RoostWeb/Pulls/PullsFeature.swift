import Accounts
import RoostServices
import RoostSupport

/// The inbox of pull requests.
struct PullsFeature: Feature {
    let places = [
        NavigationPlace(
            "Pull requests", short: "Pulls", at: "/pulls", icon: "pulls",
            count: .init(
                address: "/pulls/count", topic: "waiting",
                waiting: { try await $0.pulls.waiting(for: $1.userId) },
                lastWaiting: { $0.pulls.lastWaiting(for: $1.userId) }))
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return PullsController(site: site).routes(guarded) + PullActionsController(site: site).routes(guarded)
            + PullSectionsController(site: site).routes(guarded) + PullsAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await PullsController(site: site).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.pulls(user.userId), Topic.pictures] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "pulls", "inbox", Topic.pulls(user.userId): [Topic.pulls(user.userId)]
        case "waiting", Topic.waiting(user.userId): [Topic.waiting(user.userId)]
        default: nil
        }
    }

    /// Under its other name, "inbox", the topic is only overheard.
    func want(_ name: String, for user: User, in services: Services) {
        if name == "pulls" || name == Topic.pulls(user.userId) { services.pulls.want(user.userId) }
    }
}
