/// A tab of the settings that a feature adds.
struct SettingsTab: Equatable, Sendable {
    let name: String
    let address: String
    /// Only owners see it.
    let isForOwners: Bool

    init(_ name: String, at address: String, isForOwners: Bool = false) {
        self.name = name
        self.address = address
        self.isForOwners = isForOwners
    }
}

/// The tabs above the settings.
struct SettingsTabs {
    let ownTabs: [Tab]
    let ownerTabs: [Tab]
    let isOwner: Bool

    init(_ current: SettingsTab, in layout: LayoutView, isOwner: Bool) {
        self.isOwner = isOwner
        let tabs = layout.settingsTabs.map { Tab(tab: $0, isTabCurrent: $0 == current) }
        ownTabs = tabs.filter { !$0.tab.isForOwners }
        ownerTabs = tabs.filter(\.tab.isForOwners)
    }

    struct Tab {
        let tab: SettingsTab
        let isTabCurrent: Bool

        var tabName: String { tab.name }
        var tabAddress: String { tab.address }
    }
}
