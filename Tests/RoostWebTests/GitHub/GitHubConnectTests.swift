import Foundation
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import roost

@Suite struct GitHubConnectTests {
    private static let login = "ada"

    private func withAda(
        offersSignIn: Bool = false, _ test: (TestServer, Browser) async throws -> Void
    ) async throws {
        let configure: (inout Services.Configuration) -> Void = {
            guard offersSignIn else { return }
            $0.gitHub.clientID = "Iv1.0123456789abcdef"
            $0.gitHub.clientSecret = "neverseenagain"
        }
        try await TestServer.with(configure: configure) { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/settings/github")
            try await test(testServer, browser)
        }
    }

    private func connect(_ browser: Browser, token: String = GitHubTokens.classic(of: login)) async throws
        -> Browser.Page
    {
        try await browser.submit("/settings/github/token", ["githubToken": token, "host": ""])
    }

    @Test func `a token connects an account, and appears on no page and on no disk`() async throws {
        try await withAda { testServer, browser in
            let done = try await connect(browser)
            let account = try #require(
                testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).first)
            #expect(done.status == 303 && account.login == Self.login)
            let page = try await browser.open(try #require(done.location))
            #expect(page.text.contains("<p>\(Self.login) at github.com is connected.</p>"))
            #expect(page.text.contains("scopes repo, read:org") && page.text.contains(">connected</span>"))
            let list = try await testServer.send("GET", "/settings/github/accounts")
            let json = try await testServer.send("GET", "/api/v1/github-accounts")
            let token = GitHubTokens.classic(of: Self.login)
            for text in [page.text, list.text, json.text] { #expect(!text.contains(token)) }
            #expect(try !testServer.isOnDisk(token))
            #expect(!testServer.accessLines.all.contains { $0.contains(token) })
            let entry = try #require(await testServer.services.identity.audit.entries().first)
            #expect(entry.address == "127.0.0.1")
        }
    }

    @Test func `a token that GitHub rejects is reported at its field`() async throws {
        try await withAda { testServer, browser in
            for token in ["ghp_neverseenagain", "", "not a token", String(repeating: "x", count: 600)] {
                try await browser.open("/settings/github")
                let page = try await connect(browser, token: token)
                #expect(page.status == 422 && browser.error(of: "githubToken") != nil, "\(token)")
                #expect(token.isEmpty || !page.text.contains(token))
            }
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test func `an invalid host is reported at its field`() async throws {
        try await withAda { _, browser in
            let page = try await browser.submit(
                "/settings/github/token", ["githubToken": "ghp_x", "host": "http://192.168.1.1/admin"])
            #expect(page.status == 422 && browser.error(of: "host") != nil)
            #expect(browser.value(of: "host") == "http://192.168.1.1/admin")
        }
    }

    @Test func `a fine-grained token is accepted with a note on its unknown scopes`() async throws {
        try await withAda { _, browser in
            let done = try await connect(browser, token: GitHubTokens.fineGrained(of: Self.login))
            let page = try await browser.open(try #require(done.location))
            #expect(page.text.contains("fine-grained token") && !page.text.contains("Without the repo"))
        }
    }

    @Test func `users can neither see nor disconnect another user's account`() async throws {
        try await withAda { testServer, browser in
            let done = try await connect(browser)
            let account = try #require(
                testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).first)
            let eve = try await Guest.signUp("eve", as: .owner, testServer.services)
            for path in ["/settings/github", "/settings/github/accounts", "/api/v1/github-accounts"] {
                let page = try await testServer.send("GET", path, as: eve)
                #expect(page.status == 200 && !page.text.contains(">connected<") && page.items.isEmpty)
            }
            let noticed = try await testServer.send("GET", try #require(done.location), as: eve)
            #expect(noticed.status == 200 && !noticed.text.contains("is connected.</p>"))
            let one = try await testServer.post("/settings/github/\(account.id)/disconnect", as: eve)
            let other = try await testServer.json(
                "DELETE", "/api/v1/github-accounts/\(account.id)", "", as: eve)
            let all = try await testServer.json("DELETE", "/api/v1/github-accounts", "", as: eve)
            #expect(one.status == 404 && other.status == 404 && all.status == 204)
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).count == 1)
        }
    }

    @Test func `disconnecting removes the account and says that the token stays valid on GitHub`()
        async throws
    {
        try await withAda { testServer, browser in
            let done = try await connect(browser)
            try await browser.open(try #require(done.location))
            let account = try #require(
                testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).first)
            let disconnected = try await browser.submit("/settings/github/\(account.id)/disconnect")
            #expect(disconnected.status == 303)
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
            let page = try await browser.open(try #require(disconnected.location))
            #expect(page.text.contains("until you revoke it on GitHub."))
            let again = try await browser.submit("/settings/github/\(account.id)/disconnect")
            #expect(again.status == 404)
        }
    }

    @Test func `programs connect, list and disconnect`() async throws {
        try await withAda { testServer, _ in
            let program = try await Guest.bearer(testServer.owner, .write, testServer.services)
            let payload = #"{"token": "\#(GitHubTokens.classic(of: Self.login))"}"#
            let created = try await testServer.json("POST", "/api/v1/github-accounts", payload, as: program)
            #expect(created.status == 201 && created.object["login"] as? String == Self.login)
            #expect(created.object["host"] as? String == "github.com")
            #expect(created.object["state"] as? String == "authenticated" && created.object["error"] == nil)
            let scopes = try #require(created.object["scopes"] as? [String])
            #expect(scopes == ["read:org", "repo"])
            let missing = try #require(created.object["missingScopes"] as? [String])
            #expect(missing.isEmpty)
            let list = try await testServer.send("GET", "/api/v1/github-accounts", as: program)
            let id = try #require(created.object["id"] as? String)
            let ids = list.items.compactMap { $0["id"] as? String }
            #expect(ids == [id])
            let path = "/api/v1/github-accounts"
            #expect(created.headers["Location"] == "\(path)/\(id)")
            let one = try await testServer.send("GET", "\(path)/\(id)", as: program)
            #expect(one.status == 200 && one.object["login"] as? String == Self.login)
            let wrong = try await testServer.json("DELETE", path + "?host=git.example.org", "", as: program)
            let right = try await testServer.json(
                "DELETE", path + "?host=GitHub.com&login=\(Self.login.uppercased())", "", as: program)
            #expect(wrong.status == 404 && right.status == 204)
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
            let refused = try await testServer.json("POST", path, #"{"token": "ghp_wrong"}"#, as: program)
            #expect(refused.status == 422 && refused.error("field") == "token")
        }
    }

    @Test func `the web sign-in sends state and challenge, and accepts only this session's state`()
        async throws
    {
        try await withAda(offersSignIn: true) { testServer, browser in
            let policy = try await testServer.send("GET", "/settings/github").headers[
                "Content-Security-Policy"]
            #expect(policy?.contains("form-action 'self' \(testServer.simulator.gitHubURL);") == true)
            let sent = try await browser.submit("/settings/github/web")
            let components = try #require(sent.location.flatMap(URLComponents.init(string:)))
            let query = Dictionary(
                (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
            #expect(
                sent.location?.hasPrefix(testServer.simulator.gitHubURL + "/login/oauth/authorize?") == true)
            #expect(query["redirect_uri"] == "http://\(testServer.server.address)/settings/github/callback")
            #expect(query["code_challenge_method"] == "S256" && query["scope"] == "repo read:org")
            #expect(sent.location?.contains("neverseenagain") == false)
            let state = try #require(query["state"])
            let other = Browser(testServer)
            try await other.signIn("ada")
            let back = "/settings/github/callback?code=x&state=\(state)"
            let elsewhere = try await other.open(back)
            let again = try await browser.open(back)
            #expect(elsewhere.status == 403 && again.status == 403)
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test func `other pages allow forms to Roost only`() async throws {
        try await withAda { testServer, _ in
            for path in ["/settings/github", "/settings", "/"] {
                let policy = try await testServer.send("GET", path).headers["Content-Security-Policy"]
                #expect(policy?.contains("form-action 'self';") == true)
            }
        }
    }
}
