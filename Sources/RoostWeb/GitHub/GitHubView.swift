/// `/settings/github`: one's GitHub accounts, and the ways to connect one.
struct GitHubView: PageView, Sendable {
    /// A GitHub that this Roost knows by name.
    struct Place: Equatable, Sendable {
        let name: String
        let webURL: String

        /// The page that makes a classic token with the scopes that the inbox needs.
        var tokenPage: String {
            webURL + "/settings/tokens/new?scopes=repo,read:org&description=Roost"
        }

        var placeOfTokens: String { self.name }
        var fineTokenPage: String { webURL + "/settings/personal-access-tokens/new" }
    }

    let layout: LayoutView
    let isOwner: Bool
    let accounts: GitHubAccountsView
    let hosts: [Place]
    let callback: String?
    let form: FormState
    let tabs: SettingsTabs
    let gitHubForm: FormView

    /// - Parameters:
    ///   - hosts: the standard one first
    ///   - callback: where GitHub sends the browser back to; nil where one cannot sign in there
    ///   - form: fields githubToken, host
    init(
        layout: LayoutView, isOwner: Bool, accounts: GitHubAccountsView, hosts: [Place], callback: String?,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.isOwner = isOwner
        self.accounts = accounts
        self.hosts = hosts
        self.callback = callback
        self.form = form
        tabs = SettingsTabs(.github, in: layout, isOwner: isOwner)
        var host = FieldView("host", "GitHub’s address", in: form)
        host.placeholder = hosts.first?.name
        host.isRequired = false
        host.choices = hosts.map(\.name)
        host.hint = "Only for another GitHub, such as your company’s: git.example.org."
        var token = FieldView(GitHubController.tokenField, "Token", .password, in: form)
        token.limit = 1_024
        token.hint = "It is kept sealed, sent to this GitHub alone, and never shown again."
        gitHubForm = FormView([token, host], form)
    }

    var offersWebFlow: Bool { callback != nil }
    var shownCallback: String? { isOwner ? callback : nil }
    var isNotSetUp: Bool { !accounts.offersDeviceFlow || callback == nil }
    var hasOtherWays: Bool { accounts.offersDeviceFlow || callback != nil }
}
