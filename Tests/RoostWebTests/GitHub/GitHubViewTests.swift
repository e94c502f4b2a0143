import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct GitHubViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    private func account(
        _ state: AuthenticationState = .authenticated, name: String? = nil,
        scopes: Set<String> = ["repo", "read:org"],
        isFineGrained: Bool = false, error: APIError? = nil
    ) throws -> GitHubAccount {
        GitHubAccount(
            id: 7, userId: 1, host: "git.example.org", login: "octo", state: state,
            user: try AuthenticatedUser(login: "octo", name: name), scopes: scopes,
            isFineGrained: isFineGrained, connectedAt: now - 86_400, error: error)
    }

    private func list(
        _ accounts: [GitHubAccount] = [], signIn: GitHubAccountService.SignIn = .none,
        offersCode: Bool = true,
        budgets: [String: RateBudget] = [:], picture: String? = nil
    ) -> GitHubAccountsView {
        GitHubAccountsView(
            rows: accounts.map { GitHubAccountRow($0, picture: picture, budgets: budgets, now: now) },
            signIn: signIn, offersDeviceFlow: offersCode, trusted: "https://github.com",
            now: now)
    }

    private func page(
        _ accounts: GitHubAccountsView, isOwner: Bool = true, callback: String? = nil,
        form: FormState = .empty
    ) -> String {
        rendered(
            GitHubView(
                layout: GitHubView.sample.layout, isOwner: isOwner, accounts: accounts,
                hosts: GitHubView.sample.hosts, callback: callback, form: form))
    }

    private func device(_ address: String) -> GitHubAccountService.SignIn {
        .waiting(.init(userCode: "WDJB-MJHT", verificationURI: address, expiresAt: now + 840))
    }

    @Test func `without an account the page says what to do`() {
        let text = rendered(list())
        #expect(text.contains("No GitHub account yet. Connect one below"))
        #expect(!text.contains("<ul") && text.contains("0 accounts are connected."))
    }

    @Test func `an account shows its user, its token's scopes and its budget`() throws {
        let budget = RateBudget(resource: "graphql", limit: 5_000, remaining: 4_812, resetAt: now + 600)
        let view = list(
            [try account(name: "Ada <3", scopes: ["gist", "read:org", "repo"])], budgets: ["graphql": budget],
            picture: "/pictures/abc")
        let text = rendered(view)
        #expect(text.contains("Ada &lt;3") && text.contains("octo at git.example.org"))
        #expect(text.contains("scopes repo, read:org, gist") && text.contains(">connected</span>"))
        #expect(
            text.contains(
                "Budget: 4,812 of 5,000 left, resets <time data-clock datetime=\"2025-11-20T09:51:00Z\">"))
        #expect(text.contains("<img class=avatar src=\"/pictures/abc\""))
        #expect(text.contains("One account is connected.") && !text.contains("class=\"lack\""))
    }

    @Test func `an expired budget is not shown`() throws {
        let budget = RateBudget(resource: "core", limit: 60, remaining: 0, resetAt: now)
        #expect(!rendered(list([try account()], budgets: ["core": budget])).contains("Budget"))
    }

    @Test(arguments: [
        (Set(["repo", "read:org"]), [String]()), (Set(["repo", "admin:org"]), []),
        (Set(["read:org"]), ["Without the repo scope, Roost sees only public repositories."]),
        (Set(["repo"]), ["Without the read:org scope, Roost cannot tell which team was asked for a review."]),
        (
            Set([]),
            [
                "Without the repo scope, Roost sees only public repositories.",
                "Without the read:org scope, Roost cannot tell which team was asked for a review.",
            ]
        ),
    ])
    func `missing scopes are reported with their consequences`(scopes: Set<String>, sentences: [String])
        throws
    {
        let text = rendered(list([try account(scopes: scopes)]))
        #expect(text.components(separatedBy: "class=\"lack\"").count - 1 == sentences.count)
        for sentence in sentences { #expect(text.contains(sentence)) }
    }

    @Test func `a fine-grained token gets no warning about scopes`() throws {
        let text = rendered(list([try account(scopes: [], isFineGrained: true)]))
        #expect(text.contains("· fine-grained token") && text.contains("that it cannot read are missing"))
        #expect(!text.contains("Without"))
    }

    @Test(arguments: [
        (
            AuthenticationState.unauthenticated, APIError?.some(.unauthorized), "signed out", "Remove",
            "Connect it again"
        ),
        (.authenticating, nil, "checking …", "Disconnect", ""),
        (
            .authenticating, .networkUnavailable, "not reached yet", "Disconnect",
            "Roost tries again automatically."
        ),
        (.authenticated, .forbidden, "connected", "Disconnect", "Check what the token may read."),
    ])
    func `every state is described, with its error and what to do`(
        state: AuthenticationState, error: APIError?, word: String, action: String, advice: String
    ) throws {
        let text = rendered(list([try account(state, error: error)]))
        #expect(text.contains(">\(word)</span>") && text.contains("<summary>\(action)<"))
        #expect(advice.isEmpty || text.contains(advice))
        #expect(text.contains("class=\"lack\"") == (error != nil))
        if let error { #expect(text.contains("<b>\(error.message(source: "GitHub"))</b>")) }
    }

    @Test func `disconnecting takes two steps without scripts`() throws {
        let text = rendered(list([try account()]), formToken: "tok")
        let step =
            #/<details class="sure">\s*<summary>.*?</summary>\s*<form method="post" action="/settings/github/7/disconnect"/#
        #expect(text.firstMatch(of: step.dotMatchesNewlines()) != nil)
        #expect(text.contains("name=\"token\" value=\"tok\""))
    }

    @Test(arguments: [
        (GitHubAccountService.SignIn.none, "Get a code"), (.starting, "Asking GitHub for a code …"),
        (.ended("You <b>denied</b> it."), "You &lt;b&gt;denied&lt;/b&gt; it."),
    ])
    func `a sign-in shows its current state only`(
        signIn: GitHubAccountService.SignIn, message: String
    ) {
        let all = ["Get a code<", "Asking GitHub", "WDJB-MJHT", "role=\"alert\""]
        let text = rendered(list(signIn: signIn))
        #expect(text.contains(message))
        #expect(all.filter(text.contains).count == 1)
    }

    @Test func `the code is large, can be copied, and shows its expiry`() {
        let text = rendered(list(signIn: device("https://github.com/login/device")))
        #expect(text.contains("<code class=\"address\">WDJB-MJHT</code>") && text.contains("data-copy-live"))
        #expect(
            text.contains(
                "<a href=\"https://github.com/login/device\" target=\"_blank\" rel=\"noopener noreferrer\">"))
        #expect(text.contains("<time data-until datetime=\"2025-11-20T09:55:00Z\">in 14 min</time>"))
        #expect(text.contains("<a href=\"/settings/github\">Check again</a>"))
        #expect(text.contains("action=\"/settings/github/device/cancel\""))
    }

    @Test(arguments: [
        "javascript:alert(1)", "https://github.com.evil.org/login/device", "https://evil.org/", "//evil.org",
        "http://github.com/login/device",
    ])
    func `only an address on GitHub becomes a link`(address: String) {
        #expect(!rendered(list(signIn: device(address))).contains("href=\"\(address)"))
    }

    @Test func `a running sign-in is shown even if new codes are unavailable`() {
        #expect(rendered(list(signIn: device("x"), offersCode: false)).contains("WDJB-MJHT"))
        #expect(!rendered(list(offersCode: false)).contains("Sign in with a code"))
    }

    @Test func `missing configuration is explained instead of hidden`() {
        let none = page(list(offersCode: false))
        #expect(none.contains("<code>--github-client-id</code>") && none.contains("--github-client-secret"))
        #expect(!none.contains("action=\"/settings/github/web\""))
        let some = page(list())
        #expect(!some.contains("--github-client-id<") && some.contains("--github-client-secret"))
        let all = page(list(), callback: "https://roost.example.org/settings/github/callback")
        #expect(!all.contains("--github-client") && all.contains("action=\"/settings/github/web\""))
        #expect(all.contains("<code>https://roost.example.org/settings/github/callback</code>"))
    }

    @Test func `only owners see the callback address`() {
        let text = page(
            list(), isOwner: false, callback: "https://roost.example.org/settings/github/callback")
        #expect(
            !text.contains("/settings/github/callback") && text.contains("action=\"/settings/github/web\""))
    }

    @Test func `a token is typed hidden and never shown again, but the host is kept`() {
        let form = FormState(
            typed: ["githubToken": "ghp_secret", "host": "git.example.org"],
            fieldErrors: ["githubToken": "GitHub rejected this token."])
        let text = page(list(), form: form)
        #expect(!text.contains("ghp_secret"))
        let field = text.firstMatch(of: /<input id="githubToken"[^>]*>/)?.output ?? ""
        #expect(field.contains("type=\"password\"") && field.contains("autocomplete=\"off\""))
        #expect(field.contains("aria-invalid=\"true\"") && field.contains("autofocus"))
        #expect(text.contains("id=\"githubToken-error\">GitHub rejected this token."))
        #expect(
            text.firstMatch(of: /<input id="host"[^>]*value="git.example.org"[^>]*list="host-choices"/) != nil
        )
    }

    @Test func `each known GitHub is offered, with the page that creates the right token`() {
        let text = page(list())
        for host in ["github.com", "git.example.org"] {
            #expect(text.contains("<option value=\"\(host)\"></option>"))
            #expect(
                text.contains(
                    "href=\"https://\(host)/settings/tokens/new?scopes=repo,read:org&amp;description=Roost\"")
            )
        }
    }
}
