import Accounts
package import GitHub
package import RoostSupport
import RoostWeb

package struct GitHubFeature: Feature {
    private let services: GitHubServices
    private let clock: WallClock

    package init(_ services: GitHubServices, clock: WallClock) {
        self.services = services
        self.clock = clock
    }

    let tokenArea: TokenArea? = TokenArea("github", name: "GitHub accounts")
    let settingsTabs: [SettingsTab] = [.github]

    let searchCommands = [SearchCommand("Connect a GitHub account", at: GitHubController.path)]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return GitHubController(site: site, services: services).routes(guarded)
            + GitHubSignInController(site: site, services: services).routes(guarded)
            + GitHubAccountAPI(site: site, services: services).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "github", Topic.github(user.userId): [Topic.github(user.userId)]
        default: nil
        }
    }
}

extension GitHubFeature {
    var sources: [String: SourceHealth] { monitoring.sources }

    var metrics: [MetricFamily] { monitoring.metrics }

    private var monitoring: GitHubMonitoring {
        GitHubMonitoring(services.accounts.reports, now: clock.now())
    }
}

extension SettingsTab {
    static let github = SettingsTab("GitHub", at: GitHubController.path)
}
