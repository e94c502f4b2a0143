import Accounts
package import RoostSupport
import RoostWeb

package struct AccountsFeature: Feature {
    let settingsTabs: [SettingsTab] = [
        .profile, .formats, .security, .tokens, .members, .invitations, .sessions, .log,
    ]

    let tokenArea: TokenArea? = TokenArea("account", name: "Account")
    let secretPathPrefixes = ["join", "reset"]

    private let userData: [UserData]
    private let keyProblem: String?

    /// - Parameters:
    ///   - userData: the data that each feature stores about a user
    ///   - keyProblem: why Roost has no key for its stored secrets, or nil if it has one
    package init(userData: [UserData], keyProblem: String?) {
        self.userData = userData
        self.keyProblem = keyProblem
    }

    let searchCommands = [
        SearchCommand("Change your password", or: "security", at: SettingsTab.security.address),
        SearchCommand("Change your name or picture", or: "profile avatar", at: SettingsTab.profile.address),
        SearchCommand(
            "Change the time zone", or: "date format clock week decimal", at: SettingsTab.formats.address),
        SearchCommand("Create a token", or: "api", at: SettingsTab.tokens.address),
        SearchCommand(
            "Invite someone", or: "join link user member", at: SettingsTab.invitations.address,
            isForOwners: true),
        SearchCommand("Sign out", or: "log out", at: "/logout", posting: .init("from", "search")),
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return SetupController(site: site).routes(guarded) + LoginController(site: site).routes(guarded)
            + JoinController(site: site).routes(guarded) + ResetController(site: site).routes(guarded)
            + ProfileController(site: site).routes(guarded)
            + FormatsController(site: site).routes(guarded)
            + SecurityController(site: site, userData: userData).routes(guarded)
            + TokensController(site: site).routes(guarded)
            + MembersController(site: site, userData: userData).routes(guarded)
            + InvitationsController(site: site).routes(guarded) + LogController(site: site).routes(guarded)
            + AccountAPI(site: site).routes(guarded)
    }

    var sources: [String: SourceHealth] {
        guard let problem = keyProblem else { return [:] }
        return [
            "secretKey": SourceHealth(
                title: "Secret key", state: "failed", error: problem,
                remedy: "Start Roost with the right key; roost doctor says which one it finds.")
        ]
    }

    var metrics: [MetricFamily] {
        [
            .gauge(
                "roost_secret_key_up", "1 while Roost has the key of its stored secrets.",
                keyProblem == nil ? 1 : 0)
        ]
    }

    /// Done if there is another user, or an open join link for one.
    func firstStep(_ reads: Reads, for user: User, in site: WebContext) throws -> FirstStep? {
        guard user.role == .owner else { return nil }
        var isDone = try site.identity.accounts.users(reads).count > 1
        if !isDone {
            let now = site.clock.now()
            isDone = try site.identity.invitations.links(reads).contains { $0.link.state(at: now) == .open }
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
    static let profile = SettingsTab("Profile", at: SettingsTabs.path)
    static let formats = SettingsTab("Dates and numbers", at: "/settings/formats")
    static let security = SettingsTab("Security", at: "/settings/security")
    static let tokens = SettingsTab("Tokens", at: "/settings/tokens")
    static let members = SettingsTab("Members", at: "/members", in: .owner)
    static let invitations = SettingsTab("Invitations", at: "/members/invitations", in: .owner)
    static let sessions = SettingsTab("Sessions", at: "/members/sessions", in: .owner)
    static let log = SettingsTab("Log", at: "/members/log", in: .owner)
}

/// The entry of the settings. It is a feature of its own because it comes last in the navigation.
package struct SettingsFeature: Feature {
    let navigationEntries = [
        NavigationEntry("Settings", at: SettingsTabs.path, icon: "settings", key: "s", isFolded: true)
    ]

    package init() {}
}

/// A token or link that its creator sees once.
struct NewSecret: Sendable {
    static let lifetime = Duration.seconds(300)

    let name: String
    let text: String
}
