import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb

@Suite struct GitHubControllerTests {
    /// A house whose GitHub does not answer.
    private func withAda(_ test: (TestServer, Browser) async throws -> Void) async throws {
        let configure: (inout Services.Configuration) -> Void = {
            $0.gitHub.hosts = GitHubHosts(apiURL: "http://127.0.0.1:1/api/v3", webURL: "http://127.0.0.1:1")
        }
        try await TestServer.with(configure: configure) { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser)
        }
    }

    @Test func `a GitHub that does not answer is said, and the host that was typed stays`() async throws {
        try await withAda { testServer, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit(
                "/settings/github/token", ["githubToken": "ghp_neverseenagain", "host": "github.com"])
            #expect(page.status == 503 && page.text.contains("role=\"alert\""))
            #expect(browser.value(of: "host") == "github.com")
            #expect(!page.text.contains("ghp_neverseenagain"))
            #expect(try !testServer.isOnDisk("ghp_neverseenagain"))
            #expect(!testServer.accessLines.all.contains { $0.contains("ghp_") })
            #expect(testServer.services.gitHub.accounts(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test(arguments: ["device", "web"])
    func `what is not set up cannot be begun`(way: String) async throws {
        try await withAda { _, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit("/settings/github/\(way)")
            #expect(page.status == 403 && page.text.contains("Paste a token instead."))
        }
    }

    @Test func `cancelling what has not begun leads back`() async throws {
        try await withAda { _, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit("/settings/github/device/cancel")
            #expect(page.status == 303 && page.location == "/settings/github")
        }
    }

    @Test(arguments: [
        ("error=access_denied&state=x", "You did not allow it at GitHub. Nothing was connected."),
        ("error=application_suspended", "GitHub has suspended the OAuth app of this Roost."),
        ("error=redirect_uri_mismatch", "the OAuth app names another one as its callback."),
        (
            "error=Call%20555-0100&error_description=%3Cb%3ECall%20555-0100",
            "GitHub ended the sign-in. Nothing was connected; try again."
        ),
        ("", "GitHub sent no code along."), ("code=abc", "GitHub sent no code along."),
    ])
    func `what GitHub sends back without a code is said in our words`(query: String, words: String)
        async throws
    {
        try await withAda { _, browser in
            let page = try await browser.open("/settings/github/callback?\(query)")
            #expect(page.status == 403 && page.text.contains("<div class=\"notice trouble\">"))
            #expect(page.text.contains(words) && !page.text.contains("555-0100"))
        }
    }

    @Test func `a code without this session's state connects nothing`() async throws {
        try await withAda { testServer, browser in
            let page = try await browser.open("/settings/github/callback?code=abc&state=def")
            #expect(page.status >= 400 && page.text.contains("<div class=\"notice trouble\">"))
            #expect(testServer.services.gitHub.accounts(of: testServer.owner.userId).isEmpty)
            let head = try await testServer.send("HEAD", "/settings/github/callback?code=abc&state=def")
            #expect(head.status == 204)
        }
    }

    @Test func `an account that is not one's own is not there`() async throws {
        try await withAda { testServer, browser in
            for id in ["1", "99999999999999999999", "x", "-1"] {
                try await browser.open("/settings/github")
                #expect(try await browser.submit("/settings/github/\(id)/disconnect").status == 404)
                let answer = try await testServer.json("DELETE", "/api/v1/github-accounts/\(id)", "{}")
                #expect(answer.status == 404 && answer.error("code") == "notFound")
            }
        }
    }

    @Test func `the list is told apart by its tag, for each person`() async throws {
        try await withAda { testServer, _ in
            let list = try await testServer.send("GET", "/settings/github/accounts")
            let tag = try #require(list.etag)
            #expect(list.status == 200 && list.text.contains("No GitHub account is connected."))
            let again = try await testServer.send(
                "GET", "/settings/github/accounts", headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let hers = try await testServer.send(
                "GET", "/settings/github/accounts", headers: [("If-None-Match", tag)], as: grace)
            #expect(hers.status == 200 && hers.etag != tag)
            testServer.services.feed.publish(Topic.github(testServer.owner.userId))
            let changed = try await testServer.send(
                "GET", "/settings/github/accounts", headers: [("If-None-Match", tag)])
            #expect(changed.status == 200)
        }
    }
}
