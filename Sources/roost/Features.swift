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
    static func all(_ services: Services) -> [any Feature] {
        [
            HomeFeature(),
            AccountsFeature(userData: services.userData, keyProblem: services.keyProblem),
            OutgoingWebhooksFeature(services.webhooks),
            GitHubFeature(services.gitHub, clock: services.clock),
            HomeSettingsFeature(),
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
    }
}

extension WebContext {
    init(_ configuration: Configuration, _ services: Services, log: Logger) throws {
        let demo: [any Feature] = configuration.opensToThisMachine ? [ComponentsFeature()] : []
        let features = Features.all(services) + demo
        services.webhooks.register(features.flatMap(\.webhookEvents))
        try self.init(
            configuration, features: features, identity: services.identity,
            feed: services.feed, database: services.database,
            health: SiteHealth(
                database: services.health, storage: services.storage, backups: services.backups, log: log),
            clock: services.clock)
    }
}
