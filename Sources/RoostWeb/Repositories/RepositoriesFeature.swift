import Accounts
import RoostSupport

/// GitHub's repositories.
struct RepositoriesFeature: Feature {
    /// Where readers' saved repositories are looked up.
    let saved: @Sendable (WebContext) -> any SavedRepositories

    let places = [
        NavigationPlace("Repositories", at: "/repositories", icon: "repositories", isFolded: true)
    ]

    init(saved: @escaping @Sendable (WebContext) -> any SavedRepositories) {
        self.saved = saved
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        let saved = saved(site)
        return RepositoriesController(site: site, saved: saved).routes(guarded)
            + RepositoryController(site: site, saved: saved).routes(guarded)
            + RepositoriesAPI(site: site).routes(guarded)
    }

    /// What all know of repositories and what this person alone knows are one thing to a page.
    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Topic.repositories: [Topic.repositories, Topic.repositories(user.userId)]
        case Topic.repositories(user.userId): [Topic.repositories(user.userId)]
        default: nil
        }
    }
}
