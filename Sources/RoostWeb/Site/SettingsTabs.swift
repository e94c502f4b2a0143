package struct SettingsTab: Equatable, Sendable {
    package let name: String
    package let address: String
    package let isForOwners: Bool

    package init(_ name: String, at address: String, isForOwners: Bool = false) {
        self.name = name
        self.address = address
        self.isForOwners = isForOwners
    }
}

package struct SettingsTabs {
    let ownTabs: [Tab]
    let ownerTabs: [Tab]
    package let isOwner: Bool

    package init(_ current: SettingsTab, in layout: LayoutView, isOwner: Bool) {
        self.isOwner = isOwner
        let tabs = layout.settingsTabs.map { Tab(tab: $0, isTabCurrent: $0 == current) }
        ownTabs = tabs.filter { !$0.tab.isForOwners }
        ownerTabs = tabs.filter(\.tab.isForOwners)
    }

    package struct Tab {
        package let tab: SettingsTab
        package let isTabCurrent: Bool
    }
}
