/// Every feature of the site; a new one is named here, and nowhere else in this target.
package enum Features {
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
    package static var places: [NavigationPlace] { all.flatMap(\.places) }
    /// All tabs of the settings.
    package static var settingsTabs: [SettingsTab] { all.flatMap(\.settingsTabs) }
}

extension LayoutView {
    /// The frame of every sample: with all features in it.
    package static let sample = LayoutView(
        assets: "/static/0123abcd", version: "0.1.0-0123abcd", cursor: "boot.7", now: .sample,
        path: "/watchlist", person: .sample,
        navigation: NavigationItem.all(
            Features.places, current: "/watchlist", counts: ["/repositories": 8]),
        settingsTabs: Features.settingsTabs)

    /// The same on the pages among the settings.
    static let settingsSample = LayoutView(
        assets: sample.assets, version: sample.version, cursor: sample.cursor, now: sample.now,
        path: "/settings", formToken: "sample-token", person: .sample,
        navigation: NavigationItem.all(Features.places, current: nil, counts: ["/repositories": 8]),
        settingsTabs: Features.settingsTabs)
}
