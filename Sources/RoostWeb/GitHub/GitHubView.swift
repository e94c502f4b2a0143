/// `/settings/github`: one's GitHub accounts, and the ways to connect one.
package struct GitHubView: PageView, Sendable {
    /// A GitHub that this Roost knows by name.
    package struct Place: Equatable, Sendable {
        package let name: String
        package let webURL: String

        package init(name: String, webURL: String) {
            self.name = name
            self.webURL = webURL
        }

        /// The page that makes a classic token with the scopes that the inbox needs.
        package var tokenPage: String {
            webURL + "/settings/tokens/new?scopes=repo,read:org&description=Roost"
        }

        var placeOfTokens: String { self.name }
        var fineTokenPage: String { webURL + "/settings/personal-access-tokens/new" }
    }

    package let layout: LayoutView
    package let isOwner: Bool
    package let accounts: GitHubAccountsView
    package let hosts: [Place]
    package let callback: String?
    package let form: FormState
    let tabs: SettingsTabs
    let gitHubForm: FormView

    /// - Parameters:
    ///   - hosts: the standard one first
    ///   - callback: where GitHub sends the browser back to; nil where one cannot sign in there
    ///   - form: fields githubToken, host
    package init(
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

    package static let sample = GitHubView(
        layout: .settingsSample, isOwner: true, accounts: .sample,
        hosts: [
            Place(name: "github.com", webURL: "https://github.com"),
            Place(name: "git.example.org", webURL: "https://git.example.org"),
        ],
        callback: "https://roost.example.org/settings/github/callback",
        form: FormState(
            typed: ["host": "git.example.org"],
            fieldErrors: [GitHubController.tokenField: "GitHub does not take this token."]))

    var offersWebFlow: Bool { callback != nil }
    var shownCallback: String? { isOwner ? callback : nil }
    var isNotSetUp: Bool { !accounts.offersDeviceFlow || callback == nil }
    var hasOtherWays: Bool { accounts.offersDeviceFlow || callback != nil }
}
