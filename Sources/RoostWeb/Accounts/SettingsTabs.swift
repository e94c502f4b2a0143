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
struct SettingsTabs: ViewFields {
    private let own, owners: [Part]
    private let isOwner: Bool

    init(current: SettingsTab, isOwner: Bool) {
        self.isOwner = isOwner
        own = SettingsTab.allCases.filter { !$0.isForOwners }.map { Part(Tab(tab: $0, current: current)) }
        owners = SettingsTab.allCases.filter(\.isForOwners).map { Part(Tab(tab: $0, current: current)) }
    }

    func field(_ name: String) -> Any? {
        switch name {
        case "ownTabs": own
        case "hasOwnerTabs": isOwner
        case "ownerTabs": owners
        default: nil
        }
    }

    private struct Tab: ViewFields {
        let tab, current: SettingsTab

        func field(_ name: String) -> Any? {
            switch name {
            case "tabName":
                tab == .github ? "GitHub" : tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst()
            case "tabAddress": tab.address
            case "isTabCurrent": tab == current
            default: nil
            }
        }
    }
}
