import RoostServices

/// Signing in and up, one's own account, and for owners everybody's.
struct AccountsFeature: Feature {
    let settingsTabs: [SettingsTab] = [
        .profile, .security, .tokens, .members, .invitations, .sessions, .log,
    ]

    let secretWords = ["join", "reset"]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return SetupPages(site: site).routes(guarded) + LoginPages(site: site).routes(guarded)
            + JoinPages(site: site).routes(guarded) + ResetPages(site: site).routes(guarded)
            + ProfilePages(site: site).routes(guarded) + SecurityPages(site: site).routes(guarded)
            + TokensPages(site: site).routes(guarded) + MembersPages(site: site).routes(guarded)
            + InvitationsPages(site: site).routes(guarded) + LogPages(site: site).routes(guarded)
            + AccountAPI(site: site).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case "account", Topic.account(user.userId): [Topic.account(user.userId)]
        case Topic.members where user.role == .owner: [Topic.members]
        default: nil
        }
    }
}

extension SettingsTab {
    static let profile = SettingsTab("Profile", at: "/settings")
    static let security = SettingsTab("Security", at: "/settings/security")
    static let tokens = SettingsTab("Tokens", at: "/settings/tokens")
    static let members = SettingsTab("Members", at: "/members", isForOwners: true)
    static let invitations = SettingsTab("Invitations", at: "/members/invitations", isForOwners: true)
    static let sessions = SettingsTab("Sessions", at: "/members/sessions", isForOwners: true)
    static let log = SettingsTab("Log", at: "/members/log", isForOwners: true)
}
