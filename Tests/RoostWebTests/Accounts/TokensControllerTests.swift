import Foundation
import Testing

@testable import HTTPClient
@testable import RoostWeb

@Suite struct TokensControllerTests {
    private func withAda(_ test: (TestServer, Browser) async throws -> Void) async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser)
        }
    }

    @Test func `a token is shown the first time and never again, by no reload and to nobody else`()
        async throws
    {
        try await withAda { testServer, browser in
            _ = try await Guest.signUp("eve", as: .owner, testServer.services)
            let eve = Browser(testServer)
            try await eve.signIn("eve")
            try await browser.open("/settings/tokens")
            let made = try await browser.submit(
                "/settings/tokens", ["name": "printer", "scope": "write", "days": "30"])
            let place = try #require(made.location)
            #expect(made.status == 303 && place.hasPrefix("/settings/tokens?new="))
            #expect(try !(await eve.open(place)).text.contains("roost_"))
            let shown = try await browser.open(place)
            let token = try #require(shown.text.firstMatch(of: /value="(roost_[A-Za-z0-9_-]{43})"/)).1
            #expect(shown.cacheControl == "no-store" && !place.contains(token))
            for path in [place, "/settings/tokens"] {
                #expect(try !(await browser.open(path)).text.contains("roost_"))
            }
            #expect(try !testServer.isOnDisk(String(token)))
            let headers = [("Authorization", "Bearer \(token)")]
            #expect(
                try await testServer.send("GET", "/api/v1/me", headers: headers, as: .nobody).status == 200)
            let page = try await browser.open("/settings/tokens")
            #expect(page.text.contains("printer") && page.text.contains("used <time"))
            let id = try #require(
                try await testServer.services.tokens.tokens(of: testServer.owner.userId).first
            ).id
            #expect(try await browser.submit("/settings/tokens/\(id)/revoke").status == 303)
            #expect(
                try await testServer.send("GET", "/api/v1/me", headers: headers, as: .nobody).status == 401)
        }
    }

    @Test func `a page that was opened without a token hears of the first and fetches it`() async throws {
        try await withAda { testServer, browser in
            let empty = try await browser.open("/settings/tokens/list")
            #expect(empty.text.contains("No tokens yet."))
            let cursor = testServer.services.feed.cursor
            _ = try await testServer.services.tokens.make(
                .init(name: "printer", scope: .read), for: testServer.owner)
            let heard = try await testServer.send("GET", "/changes?topics=account&cursor=\(cursor)")
            #expect(heard.object["changed"] as? [String] == ["account"])
            #expect(try await browser.open("/settings/tokens/list").text.contains("printer"))
        }
    }

    @Test func `a refused token keeps what was chosen, and the error stands at its field`() async throws {
        try await withAda { testServer, browser in
            for fields in [
                ["name": "", "scope": "write", "days": "30"],
                ["name": String(repeating: "x", count: 65), "scope": "write", "days": "30"],
            ] {
                try await browser.open("/settings/tokens")
                let page = try await browser.submit("/settings/tokens", fields)
                #expect(page.status == 422 && browser.error(of: "name") != nil)
                #expect(browser.value(of: "name") == fields["name"])
                #expect(
                    page.text.contains(/value="write" checked/) && page.text.contains(/value="30" checked/))
            }
            for (scope, days) in [("admin", "30"), ("read", "x"), ("read", "99999"), ("read", "-1")] {
                try await browser.open("/settings/tokens")
                let page = try await browser.submit(
                    "/settings/tokens", ["name": "x", "scope": scope, "days": days])
                #expect(page.status == 422 && page.text.contains("role=\"alert\""), "\(scope) \(days)")
            }
            #expect(try await testServer.services.tokens.tokens(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test func `an owner makes a token for monitoring, a member is not offered one`() async throws {
        try await withAda { testServer, browser in
            #expect(try await browser.open("/settings/tokens").text.contains("value=\"metrics\""))
            let made = try await browser.submit(
                "/settings/tokens", ["name": "prometheus", "scope": "metrics", "days": "0"])
            let shown = try await browser.open(try #require(made.location))
            #expect(shown.text.contains("reads the metrics"))
            let log = try await browser.open("/members/log").text
            #expect(log.contains("the token “prometheus” to read the metrics"))
            _ = try await Guest.signUp("grace", as: .member, testServer.services)
            let grace = Browser(testServer)
            try await grace.signIn("grace")
            #expect(try await !grace.open("/settings/tokens").text.contains("value=\"metrics\""))
            let refused = try await grace.submit(
                "/settings/tokens", ["name": "prometheus", "scope": "metrics", "days": "0"])
            #expect(refused.status == 422 && refused.text.contains("Only an owner’s token"))
            #expect(try await testServer.services.tokens.tokens().count == 1)
        }
    }

    @Test func `another user's token is not there`() async throws {
        try await withAda { testServer, browser in
            _ = try await Guest.signUp("grace", as: .member, testServer.services)
            _ = try await testServer.services.token(for: "grace", scope: .read)
            let hers = try #require(try await testServer.services.tokens.tokens().last)
            for id in ["\(hers.id)", "99999", "x"] {
                try await browser.open("/settings/tokens")
                #expect(try await browser.submit("/settings/tokens/\(id)/revoke").status == 404)
            }
            #expect(try await testServer.services.tokens.tokens().count == 1)
        }
    }
}
