/// Every feature of the site; a new one is named here, and nowhere else in this target.
enum Features {
    /// In the order of the navigation, the first steps and the settings' tabs.
    static var all: [any Feature] {
        [
            HomeFeature(),
            AccountsFeature(),
            GitHubFeature(),
            PicturesFeature(),
            PullsFeature(),
            RepositoriesFeature(saved: BookmarksController.init(site:)),
            BookmarksFeature(),
            WatchlistFeature(count: AlertsFeature.count, bells: AlertsFeature.bells),
            CoinsFeature(alerts: AlertsFeature.panel),
            AlertsFeature(),
            ReadingFeature(),
            ChatFeature(),
            DisplaysFeature(),
        ]
    }

    /// All places of the navigation.
    static var places: [NavigationPlace] { all.flatMap(\.places) }
    /// All tabs of the settings.
    static var settingsTabs: [SettingsTab] { all.flatMap(\.settingsTabs) }
}
