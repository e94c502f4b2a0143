import Foundation
import Testing

@testable import HTTPClient

@Suite struct TokensControllerTests {
    private func withAda(_ test: (TestServer, Browser) async throws -> Void) async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser)
        }
    }

    @Test func `a token is shown once to its owner, and not after a reload`()
        async throws
    {
        try await withAda { testServer, browser in
            _ = try await Guest.signUp("eve", as: .owner, testServer.services)
            let eve = Browser(testServer)
            try await eve.signIn("eve")
            try await browser.open("/settings/tokens")
            let created = try await browser.submit(
                "/settings/tokens", ["name": "printer", "scope": "write", "days": "30"])
            let location = try #require(created.location)
            #expect(created.status == 303 && location.hasPrefix("/settings/tokens?new="))
            #expect(try !(await eve.open(location)).text.contains("roost_"))
            let tokenPage = try await browser.open(location)
            let token = try #require(tokenPage.text.firstMatch(of: /value="(roost_[A-Za-z0-9_-]{43})"/)).1
            #expect(tokenPage.cacheControl == "no-store" && !location.contains(token))
            for path in [location, "/settings/tokens"] {
                #expect(try !(await browser.open(path)).text.contains("roost_"))
            }
            #expect(try !testServer.isOnDisk(String(token)))
            let headers = [("Authorization", "Bearer \(token)")]
            #expect(
                try await testServer.send("GET", "/api/v1/me", headers: headers, as: .anonymous).status == 200
            )
            let page = try await browser.open("/settings/tokens")
            #expect(page.text.contains("printer") && page.text.contains("used <time"))
            let id = try #require(
                try await testServer.services.identity.tokens.tokens(of: testServer.owner.userId).first
            ).id
            #expect(try await browser.submit("/settings/tokens/\(id)/revoke").status == 303)
            #expect(
                try await testServer.send("GET", "/api/v1/me", headers: headers, as: .anonymous).status == 401
            )
        }
    }

    @Test func `a page opened without tokens is notified of the first one`() async throws {
        try await withAda { testServer, browser in
            let empty = try await browser.open("/settings/tokens/list")
            #expect(empty.text.contains("No tokens yet."))
            let cursor = testServer.services.feed.cursor
            _ = try await testServer.services.identity.tokens.make(
                .init(name: "printer", scope: .read), for: testServer.owner)
            let changes = try await testServer.send("GET", "/changes?topics=account&cursor=\(cursor)")
            #expect(changes.object["changed"] as? [String] == ["account"])
            #expect(try await browser.open("/settings/tokens/list").text.contains("printer"))
        }
    }

    @Test func `a refused token keeps the choices, with the error at its field`() async throws {
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
            #expect(try await testServer.services.identity.tokens.tokens(of: testServer.owner.userId).isEmpty)
        }
    }

    @Test func `a token for chosen areas is listed with its scopes, and refused elsewhere`() async throws {
        try await withAda { testServer, browser in
            #expect(try await browser.open("/settings/tokens").text.contains("value=\"chat:write\""))
            let none = try await browser.submit(
                "/settings/tokens", ["name": "bot", "scope": "areas", "days": "30"])
            #expect(none.status == 422 && none.text.contains("Choose at least one area."))
            #expect(none.text.contains(/value="areas" checked/))
            let unknown = try await browser.submit(
                "/settings/tokens", ["name": "bot", "scope": "areas", "days": "30", "area": "members:write"])
            #expect(unknown.status == 422)
            let created = try await browser.submit(
                "/settings/tokens", ["name": "bot", "scope": "areas", "days": "30", "area": "chat:read"])
            let page = try await browser.open(try #require(created.location))
            #expect(page.text.contains("chat:read · created"))
            let token = try #require(page.text.firstMatch(of: /value="(roost_[A-Za-z0-9_-]{43})"/)).1
            let headers = [("Authorization", "Bearer \(token)")]
            for (path, status) in [("/api/v1/conversations", 200), ("/api/v1/articles", 403), ("/", 403)] {
                let answer = try await testServer.send("GET", path, headers: headers, as: .anonymous)
                #expect(answer.status == status, "\(path)")
            }
            let log = try await browser.open("/members/log").text
            #expect(log.contains("the token “bot” with the scopes chat:read"))
        }
    }

    @Test func `only owners are offered a token for monitoring`() async throws {
        try await withAda { testServer, browser in
            #expect(try await browser.open("/settings/tokens").text.contains("value=\"metrics\""))
            let created = try await browser.submit(
                "/settings/tokens", ["name": "prometheus", "scope": "metrics", "days": "0"])
            let tokenPage = try await browser.open(try #require(created.location))
            #expect(tokenPage.text.contains("metrics only · created"))
            let log = try await browser.open("/members/log").text
            #expect(log.contains("the token “prometheus” to read the metrics"))
            _ = try await Guest.signUp("grace", as: .member, testServer.services)
            let grace = Browser(testServer)
            try await grace.signIn("grace")
            #expect(try await !grace.open("/settings/tokens").text.contains("value=\"metrics\""))
            let refused = try await grace.submit(
                "/settings/tokens", ["name": "prometheus", "scope": "metrics", "days": "0"])
            #expect(refused.status == 422 && refused.text.contains("Only an owner’s token"))
            #expect(try await testServer.services.identity.tokens.tokens().count == 1)
        }
    }
}
