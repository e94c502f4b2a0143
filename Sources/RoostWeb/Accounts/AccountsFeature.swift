import Accounts
import RoostServices
import RoostSupport

/// Signing in and up, one's own account, and for owners everybody's.
struct AccountsFeature: Feature {
    let settingsTabs: [SettingsTab] = [
        .profile, .security, .tokens, .members, .invitations, .sessions, .log,
    ]

    let secretWords = ["join", "reset"]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return SetupController(site: site).routes(guarded) + LoginController(site: site).routes(guarded)
            + JoinController(site: site).routes(guarded) + ResetController(site: site).routes(guarded)
            + ProfileController(site: site).routes(guarded) + SecurityController(site: site).routes(guarded)
            + TokensController(site: site).routes(guarded) + MembersController(site: site).routes(guarded)
            + InvitationsController(site: site).routes(guarded) + LogController(site: site).routes(guarded)
            + AccountAPI(site: site).routes(guarded)
    }

    func sources(in services: Services) -> [String: SourceHealth] {
        guard let problem = services.keyProblem else { return [:] }
        return [
            "secretKey": SourceHealth(
                state: "failed", error: problem, updatedAt: nil, nextTryAt: nil, callsLeft: nil)
        ]
    }

    func metrics(in services: Services) -> [String] {
        ["# TYPE roost_secret_key_up gauge", "roost_secret_key_up \(services.keyProblem == nil ? 1 : 0)"]
    }

    /// Done once someone else is here, or a join link is open for them.
    func firstStep(for user: User, in site: WebContext) async throws -> FirstStep? {
        guard user.role == .owner else { return nil }
        var isDone = try await site.services.accounts.users.count > 1
        if !isDone {
            let now = site.services.clock.now()
            isDone = try await site.services.invitations.links().contains { $0.link.state(at: now) == .open }
        }
        return FirstStep(
            "Invite someone", "Chat, and share pages with them.", at: SettingsTab.invitations.address,
            topic: Topic.members, isDone: isDone)
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
