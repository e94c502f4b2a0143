/// A tab of the settings that a feature adds.
package struct SettingsTab: Equatable, Sendable {
    package let name: String
    package let address: String
    /// Only owners see it.
    package let isForOwners: Bool

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
    private let isOwner: Bool

    init(_ current: SettingsTab, in layout: LayoutView, isOwner: Bool) {
        self.isOwner = isOwner
        let tabs = layout.settingsTabs.map { Tab(tab: $0, isTabCurrent: $0 == current) }
        ownTabs = tabs.filter { !$0.tab.isForOwners }
        ownerTabs = tabs.filter(\.tab.isForOwners)
    }

    var hasOwnerTabs: Bool { isOwner }

    struct Tab {
        let tab: SettingsTab
        let isTabCurrent: Bool

        var tabName: String { tab.name }
        var tabAddress: String { tab.address }
    }
}
