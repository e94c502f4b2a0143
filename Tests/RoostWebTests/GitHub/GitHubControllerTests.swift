import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

@Suite struct GitHubControllerTests {
    /// Runs a test with a server whose GitHub does not answer.
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

    @Test func `an unreachable GitHub is reported, and the typed host stays`() async throws {
        try await withAda { testServer, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit(
                "/settings/github/token", ["githubToken": "ghp_neverseenagain", "host": "github.com"])
            #expect(page.status == 503 && page.text.contains("role=\"alert\""))
            #expect(browser.value(of: "host") == "github.com")
            #expect(!page.text.contains("ghp_neverseenagain"))
            #expect(try !testServer.isOnDisk("ghp_neverseenagain"))
            #expect(!testServer.accessLines.all.contains { $0.contains("ghp_") })
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test(arguments: ["device", "web"])
    func `a sign-in that is not configured cannot be started`(flow: String) async throws {
        try await withAda { _, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit("/settings/github/\(flow)")
            #expect(page.status == 403 && page.text.contains("Paste a token instead."))
        }
    }

    @Test func `cancelling without a sign-in returns to the page`() async throws {
        try await withAda { _, browser in
            try await browser.open("/settings/github")
            let page = try await browser.submit("/settings/github/device/cancel")
            #expect(page.status == 303 && page.location == "/settings/github")
        }
    }

    @Test(arguments: [
        ("error=access_denied&state=x", "You declined on GitHub. No account was connected."),
        ("error=application_suspended", "GitHub has suspended Roost’s OAuth app."),
        ("error=redirect_uri_mismatch", "the OAuth app has a different callback URL."),
        (
            "error=Call%20555-0100&error_description=%3Cb%3ECall%20555-0100",
            "GitHub ended the sign-in. No account was connected; try again."
        ),
        ("", "GitHub sent no code."), ("code=abc", "GitHub sent no code."),
    ])
    func `a callback without a code shows Roost's own message`(query: String, message: String)
        async throws
    {
        try await withAda { _, browser in
            let page = try await browser.open("/settings/github/callback?\(query)")
            #expect(page.status == 403 && page.text.contains("<div class=\"notice trouble\">"))
            #expect(page.text.contains(message) && !page.text.contains("555-0100"))
        }
    }

    @Test func `a callback without this session's state connects nothing`() async throws {
        try await withAda { testServer, browser in
            let page = try await browser.open("/settings/github/callback?code=abc&state=def")
            #expect(page.status >= 400 && page.text.contains("<div class=\"notice trouble\">"))
            #expect(testServer.services.gitHub.accounts.accounts(of: testServer.owner.userId).isEmpty)
            let head = try await testServer.send("HEAD", "/settings/github/callback?code=abc&state=def")
            #expect(head.status == 204)
        }
    }

    @Test func `the list's ETag differs for each user`() async throws {
        try await withAda { testServer, _ in
            let list = try await testServer.send("GET", "/settings/github/accounts")
            let tag = try #require(list.etag)
            #expect(list.status == 200 && list.text.contains("No GitHub account yet."))
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
