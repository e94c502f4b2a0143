import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostSupport
@testable import roost

@Suite struct JoinControllerTests {
    private func link(_ testServer: TestServer, days: Int = 1, uses: Int = 1) async throws -> (
        id: Int64, code: String
    ) {
        let created = try await testServer.services.identity.invitations.invite(
            note: "", days: days, uses: uses, by: testServer.owner, from: ClientInfo(address: "127.0.0.1"))
        return (created.id, "\(created.code)")
    }

    @Test func `on an empty Roost every page leads to the setup, whose code creates the owner`() async throws
    {
        try await TestServer.with(isEmpty: true) { testServer in
            let browser = Browser(testServer)
            #expect(try await browser.open("/").location == "/setup")
            #expect(try await browser.open("/watchlist").location == "/setup")
            #expect(try await browser.open("/login").location == "/setup")
            let code = try #require(testServer.services.identity.invitations.setupCode)
            let page = try await browser.open("/setup?code=\(code)")
            #expect(page.status == 200 && page.cacheControl == "no-store")
            #expect(browser.value(of: "code") == "\(code)")
            let fields = [
                "code": "\(code)", "username": "ada", "displayName": "Ada", "email": "ada@example.org",
                "password": TestServer.password,
            ]
            let entered = try await browser.submit("/setup", fields)
            #expect(entered.status == 303 && entered.location == "/" && entered.cacheControl == "no-store")
            #expect(try await browser.open("/members").status == 200)
            let ada = try await testServer.services.identity.accounts.user(named: "ada@example.org")
            #expect(ada.role == .owner && ada.name == "Ada")
            #expect(try await Browser(testServer).open("/setup").location == "/")
            // A second visitor with the page open is too late.
            let late = Browser(testServer)
            try await late.open("/login")
            var other = fields
            other["username"] = "eve"
            let refused = try await late.submit("/setup", other)
            #expect(refused.status == 409)
            #expect(late.error(of: "code")?.hasPrefix("Roost is already set up") == true)
        }
    }

    @Test func `a refused setup keeps what was typed but never the password`() async throws {
        try await TestServer.with(isEmpty: true) { testServer in
            let code = try #require(testServer.services.identity.invitations.setupCode)
            let right = [
                "code": "\(code)", "username": "ada", "displayName": "Ada \"L\"", "email": "ada@example.org",
                "password": TestServer.password,
            ]
            for (field, wrong) in [
                ("code", "0000-0000-0000-0000"), ("username", "a@b"), ("email", "nowhere"),
                ("password", "short word"), ("displayName", String(repeating: "x", count: 65)),
            ] {
                let browser = Browser(testServer)
                try await browser.open("/setup")
                var fields = right
                fields[field] = field == "password" ? "roost-ada-1" : wrong
                let page = try await browser.submit("/setup", fields)
                #expect(page.status == 422 && browser.error(of: field) != nil, "\(field)")
                for (name, typed) in fields where name != "password" {
                    #expect(browser.value(of: name) == typed, "\(field): \(name)")
                    #expect((browser.error(of: name) != nil) == (name == field), "\(field): \(name)")
                }
                #expect(browser.value(of: "password") == "" && page.setCookies.isEmpty)
                #expect(!page.text.contains(fields["password"] ?? "?"))
                #expect(page.text.contains("aria-invalid=\"true\" aria-describedby=\"\(field)-error"))
            }
            #expect(testServer.services.identity.accounts.needsOwner)
        }
    }

    @Test func `a link creates an account, and its code can also be typed`() async throws {
        try await TestServer.with { testServer in
            let link = try await link(testServer)
            let browser = Browser(testServer)
            try await browser.open("/join")
            let typed = link.code.lowercased().replacing("-", with: "")
            #expect(try await browser.open("/join?code=\(typed)").location == "/join/\(link.code)")
            let page = try await browser.open("/join/\(link.code)")
            #expect(
                page.status == 200 && page.cacheControl == "no-store" && page.text.contains("invites you"))
            let entered = try await browser.submit(
                "/join/\(link.code)", ["username": "grace", "email": "", "password": TestServer.password])
            #expect(entered.status == 303 && entered.location == "/")
            #expect(try await browser.open("/watchlist").status == 200)
            #expect(try await browser.open("/members").status == 403)
            #expect(
                try await testServer.services.identity.accounts.user(named: "grace").joinedWith == link.id)
        }
    }

    @Test func `an invalid code is reported, with what was typed`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let page = try await browser.open("/join?code=%22K7%22")
            #expect(page.status == 422 && browser.value(of: "code") == "\"K7\"")
            #expect(browser.error(of: "code")?.hasPrefix("A code has 16") == true)
        }
    }

    @Test func `a refused sign-up keeps what was typed and the link, but never the password`() async throws {
        try await TestServer.with { testServer in
            let link = try await link(testServer)
            try await testServer.services.identity.accounts.change(
                testServer.owner.userId, email: "ada@example.org", displayName: nil)
            for (field, wrong, status) in [
                ("username", "ADA", 409), ("email", "ADA@example.org", 409), ("username", "", 422),
                ("password", "grace-roost", 422), ("email", "nowhere", 422),
            ] {
                let browser = Browser(testServer)
                try await browser.open("/join/\(link.code)")
                var fields = [
                    "username": "grace", "displayName": "Grace", "email": "grace@example.org",
                    "password": TestServer.password,
                ]
                fields[field] = wrong
                let page = try await browser.submit("/join/\(link.code)", fields)
                #expect(page.status == status && browser.error(of: field) != nil, "\(field) \(wrong)")
                for (name, typed) in fields where name != "password" {
                    #expect(browser.value(of: name) == typed, "\(field): \(name)")
                }
                #expect(browser.value(of: "password") == "" && !page.text.contains(TestServer.password))
            }
            let open = try await testServer.services.identity.invitations.openLink(
                link.code, from: ClientInfo(address: "x"))
            #expect(open.uses == 0)
        }
    }

    @Test func `a closed link says so, whatever closed it`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { testServer in
            let (used, withdrawn) = (try await link(testServer), try await link(testServer))
            let ended = try await link(testServer)
            _ = try await testServer.services.identity.invitations.join(
                code: used.code, Profile(username: "grace"), password: TestServer.password,
                from: ClientInfo(address: "x"))
            try await testServer.services.identity.invitations.revoke(
                withdrawn.id, by: testServer.owner, from: ClientInfo(address: "x"))
            clock.advance(86_401)
            for code in [used.code, withdrawn.code, ended.code, "0000-0000-0000-0000", "nonsense"] {
                let browser = Browser(testServer)
                let page = try await browser.open("/join/\(code)")
                #expect(page.status == 404 && page.text.contains("This link is closed"))
                let visit = Browser(testServer)
                try await visit.open("/login")
                let posted = try await visit.submit(
                    "/join/\(code)", ["username": "eve", "password": TestServer.password])
                #expect(posted.status == 404 && posted.text.contains("This link is closed"))
            }
            #expect(try await testServer.services.identity.accounts.users.count == 2)
        }
    }

    @Test func `a reset link sets a password once, and signs in`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let code = try await testServer.services.identity.resets.makeLink(
                for: grace.user.userId, by: testServer.owner)
            let browser = Browser(testServer)
            let page = try await browser.open("/reset/\(code)")
            #expect(page.status == 200 && page.cacheControl == "no-store" && page.text.contains("grace"))
            let weak = try await browser.submit("/reset/\(code)", ["password": "grace-grace"])
            #expect(weak.status == 422 && browser.error(of: "password") != nil)
            #expect(browser.value(of: "password") == "" && !weak.text.contains("grace-grace"))
            let done = try await browser.submit("/reset/\(code)", ["password": "seven grey herons"])
            #expect(done.status == 303 && done.cacheControl == "no-store")
            #expect(try await browser.open("/watchlist").status == 200)
            #expect(try await testServer.send("GET", "/watchlist", as: grace).status == 401)
            let again = try await Browser(testServer).open("/reset/\(code)")
            #expect(again.status == 404 && again.text.contains("Ask an owner for a new one"))
            let late = Browser(testServer)
            try await late.open("/login")
            let posted = try await late.submit("/reset/\(code)", ["password": "another one at all"])
            #expect(posted.status == 404)
            #expect(try await Browser(testServer).signIn("grace", "seven grey herons").status == 303)
        }
    }
}
