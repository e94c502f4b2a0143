import Accounts
package import GitHub
import RoostSupport
import RoostWeb

package struct RepositoriesFeature: Feature {
    private let services: GitHubServices

    let tokenArea: TokenArea? = TokenArea("repositories", name: "Repositories")
    let navigationEntries = [
        NavigationEntry(
            "Repositories", at: "/repositories", icon: "repositories", key: "r", isFolded: true)
    ]

    package init(_ services: GitHubServices) {
        self.services = services
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return RepositoriesController(site: site, services: services).routes(guarded)
            + RepositoryController(site: site, services: services).routes(guarded)
            + RepositoriesAPI(site: site, services: services).routes(guarded)
    }

    func searchSources(in site: WebContext) -> [SearchSource] {
        [
            SearchSource(
                SearchKind("repositories", "Repositories", icon: "repositories") {
                    "/repositories?q=\($0.encoded)"
                }
            ) { [details = services.repositoryDetails] reads, query, user in
                try details.search(reads, query.text, for: user.userId, limit: query.limit).map {
                    SearchResult(
                        $0.fullName, detail: $0.about ?? "", at: "/repositories/\($0.fullName)")
                }
            }
        ]
    }

    /// Pages follow the shared topic and the user's own together.
    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Topic.repositories: [Topic.repositories, Topic.repositories(user.userId)]
        case Topic.repositories(user.userId): [Topic.repositories(user.userId)]
        default: nil
        }
    }
}
