import AccountsWeb
import ChatWeb
import GitHubWeb
import Logging
import MarketWeb
import ReadingWeb
import RoostServices
import RoostWeb

/// Every feature of the site. A new feature is named here.
enum Features {
    /// In the order of the navigation, the first steps and the settings' tabs.
    ///
    /// - Parameter status: nil without a server, as in commands
    static func all(_ services: Services, status: ServerStatus? = nil) -> [any Feature] {
        let account: [any Feature] = [
            HomeFeature(),
            AccountsFeature(userData: services.userData, keyProblem: services.keyProblem),
            OutgoingWebhooksFeature(services.webhooks),
            GitHubFeature(services.gitHub, clock: services.clock),
            AllDataFeature(jobs: services.transferJobs),
            HomeSettingsFeature(),
        ]
        let server: [any Feature] = status.map { [StatusFeature(services, status: $0)] } ?? []
        let parts: [any Feature] = [
            PicturesFeature(services.pictures),
            PullsFeature(services.gitHub),
            RepositoriesFeature(services.gitHub),
            BookmarksFeature(services.gitHub),
            WatchlistFeature(services.market),
            CoinsFeature(services.market),
            AlertsFeature(services.market),
            ReadingFeature(services.reading),
            ChatFeature(services.chat, links: services.chatLinks),
            DisplaysFeature(services.market, pulls: WallTeamPulls(service: services.gitHub.pulls)),
            SettingsFeature(),
        ]
        return account + server + parts
    }
}

extension WebContext {
    init(
        _ configuration: Configuration, _ services: Services, status: ServerStatus, log: Logger
    ) throws {
        let health = SiteHealth(
            database: services.health, storage: services.storage, backups: services.backups,
            certificateWarning: { status.certificateWarning }, log: log)
        health.program.add { ServiceMetrics(services: services).families + ProcessMetrics.families }
        let demo: [any Feature] = configuration.opensToThisMachine ? [ComponentsFeature()] : []
        let features = Features.all(services, status: status) + demo
        services.webhooks.register(features.flatMap(\.webhookEvents))
        try self.init(
            configuration, features: features, identity: services.identity, feed: services.feed,
            database: services.database, health: health,
            clock: services.clock)
    }
}
