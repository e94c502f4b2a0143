import Accounts
import RoostServices
import RoostSupport

/// One's GitHub accounts.
struct GitHubFeature: Feature {
    let settingsTabs: [SettingsTab] = [.github]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return GitHubController(site: site).routes(guarded)
            + GitHubSignInController(site: site).routes(guarded)
            + GitHubAccountAPI(site: site).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "github", Topic.github(user.userId): [Topic.github(user.userId)]
        default: nil
        }
    }
}

extension GitHubFeature {
    func sources(in services: Services) -> [String: SourceHealth] { monitoring(services).sources }

    func metrics(in services: Services) -> [String] { monitoring(services).metrics }

    private func monitoring(_ services: Services) -> GitHubMonitoring {
        GitHubMonitoring(services.gitHub.reports, now: services.clock.now())
    }
}

extension SettingsTab {
    static let github = SettingsTab("GitHub", at: GitHubController.path)
}
