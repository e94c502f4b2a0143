import RoostWeb

/// `/settings/github`: the user's GitHub accounts, and the ways to connect one.
struct GitHubView: PageView, Sendable {
    static let scripts = ["accounts", "github"]

    struct Host: Equatable, Sendable {
        let name: String
        let webURL: String

        /// The page that creates a classic token with the scopes that the inbox needs.
        var classicTokenPage: String {
            webURL + "/settings/tokens/new?scopes=repo,read:org&description=Roost"
        }

        var fineGrainedTokenPage: String { webURL + "/settings/personal-access-tokens/new" }
    }

    let layout: LayoutView
    let isOwner: Bool
    let accounts: GitHubAccountsView
    let hosts: [Host]
    let callback: String?
    let form: FormState
    let tabs: SettingsTabs
    let gitHubForm: FormView

    /// - Parameters:
    ///   - hosts: the standard one first
    ///   - callback: nil if the web flow is not set up
    init(
        layout: LayoutView, isOwner: Bool, accounts: GitHubAccountsView, hosts: [Host], callback: String?,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.isOwner = isOwner
        self.accounts = accounts
        self.hosts = hosts
        self.callback = callback
        self.form = form
        tabs = SettingsTabs(.github, in: layout, isOwner: isOwner)
        var host = FieldView("host", "GitHub server", in: form)
        host.placeholder = hosts.first?.name
        host.isRequired = false
        host.choices = hosts.map(\.name)
        host.hint = "Only for another GitHub server, such as your company’s git.example.org."
        var token = FieldView(GitHubController.tokenField, "Token", .password, in: form)
        token.limit = 1_024
        token.hint = "Stored encrypted, sent only to this GitHub server and never shown again."
        gitHubForm = FormView([token, host], form)
    }

    var offersWebFlow: Bool { callback != nil }
    var shownCallback: String? { isOwner ? callback : nil }
    var isNotSetUp: Bool { !accounts.offersDeviceFlow || callback == nil }
    var offersSignIn: Bool { accounts.offersDeviceFlow || callback != nil }
}
