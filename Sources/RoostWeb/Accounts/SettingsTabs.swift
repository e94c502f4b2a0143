/// The pages about accounts: one's own, and for owners everybody's.
package enum SettingsTab: String, Sendable, CaseIterable {
    case profile, security, tokens, github, members, invitations, sessions, log

    package var address: String {
        switch self {
        case .profile: "/settings"
        case .security, .tokens, .github: "/settings/\(rawValue)"
        case .members: "/members"
        case .invitations, .sessions, .log: "/members/\(rawValue)"
        }
    }

    var isForOwners: Bool { address.hasPrefix("/members") }
}

/// The line of tabs above the pages about accounts.
struct SettingsTabs {
    let ownTabs: [Tab]
    let ownerTabs: [Tab]
    private let isOwner: Bool

    init(current: SettingsTab, isOwner: Bool) {
        self.isOwner = isOwner
        ownTabs = SettingsTab.allCases.filter { !$0.isForOwners }.map { Tab(tab: $0, current: current) }
        ownerTabs = SettingsTab.allCases.filter(\.isForOwners).map { Tab(tab: $0, current: current) }
    }

    var hasOwnerTabs: Bool { isOwner }

    struct Tab {
        let tab, current: SettingsTab

        var tabName: String {
            tab == .github ? "GitHub" : tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst()
        }
        var tabAddress: String { tab.address }
        var isTabCurrent: Bool { tab == current }
    }
}
