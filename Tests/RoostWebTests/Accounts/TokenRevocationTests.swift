import Foundation
import Testing

/// A new password leaves API tokens valid, and offers to revoke them.
@Suite struct TokenRevocationTests {
    private static let newPassword = "another lantern over water"
    private static let box = "name=\"revoke-tokens\""

    private func withAda(
        tokens: Int, _ test: (TestServer, Browser, _ tokens: [Guest]) async throws -> Void
    ) async throws {
        try await TestServer.with { testServer in
            var bearers: [Guest] = []
            for _ in 0..<tokens {
                bearers.append(try await .bearer(testServer.owner, .read, testServer.services))
            }
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser, bearers)
        }
    }

    private func statuses(_ guests: [Guest], _ testServer: TestServer) async throws -> Set<Int> {
        var statuses: Set<Int> = []
        for guest in guests {
            statuses.insert(try await testServer.send("GET", "/api/v1/me", as: guest).status)
        }
        return statuses
    }

    @Test(arguments: [true, false])
    func `a changed password revokes all of the user's tokens on request`(revokes: Bool)
        async throws
    {
        try await withAda(tokens: 2) { testServer, browser, bearers in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let graceToken = try await Guest.bearer(grace.user, .read, testServer.services)
            #expect(try await browser.open("/settings/security").text.contains("Revoke my 2 API tokens"))
            var fields = ["current": TestServer.password, "password": Self.newPassword]
            if revokes { fields["revoke-tokens"] = "1" }
            let changed = try await browser.submit("/settings/password", fields)
            #expect(changed.status == 303)
            let page = try await browser.open(try #require(changed.location)).text
            #expect(page.contains("Your 2 API tokens are \(revokes ? "revoked" : "still valid")."))
            #expect(page.contains(Self.box) == !revokes)
            #expect(try await statuses(bearers, testServer) == [revokes ? 401 : 200])
            #expect(try await statuses([graceToken], testServer) == [200])
            let log = try await browser.open("/members/log").text
            #expect(log.contains("revoked their own API tokens (2 tokens)") == revokes)
        }
    }

    @Test func `a refused password revokes nothing, and keeps the choice`() async throws {
        try await withAda(tokens: 1) { testServer, browser, bearers in
            for (current, password) in [("wrong", Self.newPassword), (TestServer.password, "short")] {
                #expect(try await browser.open("/settings/security").text.contains("Revoke my API token<"))
                let refused = try await browser.submit(
                    "/settings/password",
                    ["current": current, "password": password, "revoke-tokens": "1"])
                #expect(refused.status == 422)
                #expect(refused.text.contains("\(Self.box) value=\"1\" checked"))
                #expect(try await statuses(bearers, testServer) == [200])
            }
        }
    }

    @Test func `a user without tokens is not asked`() async throws {
        try await withAda(tokens: 0) { testServer, browser, _ in
            #expect(try await !browser.open("/settings/security").text.contains(Self.box))
            let changed = try await browser.submit(
                "/settings/password", ["current": TestServer.password, "password": Self.newPassword])
            let page = try await browser.open(try #require(changed.location)).text
            #expect(page.contains("Password changed") && !page.contains("API token is"))
        }
    }

    @Test(arguments: [true, false])
    func `a password reset offers the same choice`(revokes: Bool) async throws {
        try await withAda(tokens: 1) { testServer, _, bearers in
            let code = try await testServer.services.identity.resets.makeLink(
                for: testServer.owner.userId, by: nil)
            let guest = Browser(testServer)
            #expect(try await guest.open("/reset/\(code)").text.contains("Revoke my API token<"))
            var fields = ["password": "short"]
            if revokes { fields["revoke-tokens"] = "1" }
            let refused = try await guest.submit("/reset/\(code)", fields)
            #expect(refused.status == 422)
            #expect(refused.text.contains("\(Self.box) value=\"1\" checked") == revokes)
            #expect(try await statuses(bearers, testServer) == [200])
            fields["password"] = Self.newPassword
            let done = try await guest.submit("/reset/\(code)", fields)
            #expect(done.status == 303)
            let page = try await guest.open(try #require(done.location)).text
            #expect(page.contains("Your API token is \(revokes ? "revoked" : "still valid")."))
            #expect(try await statuses(bearers, testServer) == [revokes ? 401 : 200])
        }
    }
}
