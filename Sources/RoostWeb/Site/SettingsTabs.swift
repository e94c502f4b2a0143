/// A link at the top of every settings page.
package struct SettingsTab: Equatable, Sendable {
    /// Whose settings these are: the user's account, a feature as the user sees it, or the whole Roost.
    package enum Group: String, Sendable, CaseIterable {
        case account, feature, owner

        var title: String {
            switch self {
            case .account: "Your account"
            case .feature: "Features"
            case .owner: "This Roost"
            }
        }
    }

    package let name: String
    package let address: String
    package let group: Group

    package init(_ name: String, at address: String, in group: Group = .account) {
        self.name = name
        self.address = address
        self.group = group
    }
}

/// The tabs of the settings pages in groups. Only owners see those of the whole Roost.
package struct SettingsTabs {
    /// The address of the first settings page, which is also the address of the navigation's entry.
    package static let path = "/settings"

    let groups: [Group]

    package init(_ current: SettingsTab, in layout: LayoutView, isOwner: Bool) {
        groups = SettingsTab.Group.allCases.compactMap { group in
            guard isOwner || group != .owner else { return nil }
            let tabs = layout.settingsTabs.filter { $0.group == group }
            return Group(
                titleID: "settings-\(group.rawValue)", title: group.title,
                tabs: tabs.map { Tab(tab: $0, isTabCurrent: $0 == current) })
        }
    }

    package struct Group {
        package let titleID: String
        package let title: String
        package let tabs: [Tab]
    }

    package struct Tab {
        package let tab: SettingsTab
        package let isTabCurrent: Bool
    }
}
