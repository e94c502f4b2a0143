import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Accounts
@testable import HTTPClient
@testable import RoostWeb

@Suite struct SignInPagesTests {
    @Test func `a visitor signs in and returns to the page they opened`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let sent = try await browser.open("/watchlist?q=a")
            #expect(sent.status == 303 && sent.location == "/login?next=%2Fwatchlist%3Fq%3Da")
            try await browser.open("/login?next=%2Fwatchlist%3Fq%3Da")
            #expect(browser.value(of: "next") == "/watchlist?q=a")
            #expect(browser.page.cacheControl == "no-store")
            let visit = try #require(browser.cookies["roost_visit"])
            let entered = try await browser.submit(
                "/login",
                ["username": "Ada", "password": TestServer.password, "next": "/watchlist?q=a"])
            #expect(entered.status == 303 && entered.location == "/watchlist?q=a")
            #expect(entered.cacheControl == "no-store")
            let secret = try #require(browser.cookies["roost_session"])
            #expect(secret != visit && secret.count == 43)
            #expect(try await browser.open("/watchlist").status == 200)
        }
    }

    @Test func `the session cookie is HttpOnly, SameSite and persistent`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let form = try await browser.open("/login")
            #expect(
                form.setCookies.map { $0.replacing(/=[^;]*;/, with: "=…;", maxReplacements: 1) } == [
                    "roost_visit=…; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax"
                ])
            let entered = try await browser.signIn("ada")
            #expect(
                entered.setCookies.map { $0.replacing(/=[^;]*;/, with: "=…;", maxReplacements: 1) } == [
                    "roost_session=…; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax",
                    "roost_device=…; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax",
                ])
        }
    }

    @Test func `behind a trusted proxy with TLS the cookies are secure and bound to the host`() async throws {
        var site = TestServer.site
        site.publicURL = PublicURL("https://roost.example.org")
        site.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        try await TestServer.with(site: site) { testServer in
            let marks = [
                ("Host", "roost.example.org"), ("X-Forwarded-Proto", "https"),
                ("X-Forwarded-For", "192.168.1.7"),
            ]
            let browser = Browser(testServer, headers: marks)
            let entered = try await browser.signIn("ada")
            #expect(entered.status == 303)
            #expect(
                browser.cookies.keys.sorted() == [
                    "__Host-roost_device", "__Host-roost_session", "__Host-roost_visit",
                ])
            #expect(entered.setCookies.allSatisfy { $0.hasSuffix("; HttpOnly; SameSite=Lax; Secure") })
            #expect(try await browser.open("/settings").status == 200)
            let sessions = try await testServer.services.identity.sessions.sessions(
                of: testServer.owner.userId)
            #expect(sessions.map(\.address).contains("192.168.1.7"))
            // A cookie without the __Host- prefix may come from a plain connection, so it is ignored behind TLS.
            let secret = try #require(browser.cookies["__Host-roost_session"])
            let plain = try await testServer.send(
                "GET", "/settings", headers: marks + [("Cookie", "roost_session=\(secret)")], as: .anonymous)
            #expect(plain.status == 401)
        }
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "\\/evil.example",
        "/\t/evil.example", "", "evil", "http:/evil.example",
    ])
    func `the return address never leads to another site`(next: String) async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let query = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            try await browser.open("/login?next=\(query)")
            #expect(browser.value(of: "next") == "/")
            let entered = try await browser.signIn("ada", next: next)
            #expect(entered.status == 303 && entered.location == "/")
            let inside = try await browser.open("/login?next=\(query)")
            #expect(inside.status == 303 && inside.location == "/")
        }
    }

    @Test func `a failed sign-in keeps the name, drops the password and has one message for all cases`()
        async throws
    {
        try await TestServer.with { testServer in
            var pages: [String] = []
            for name in ["ada", "bob"] {
                let browser = Browser(testServer)
                let page = try await browser.signIn(name, "a wrong one here", next: "/displays")
                #expect(page.status == 401 && page.setCookies.isEmpty && page.cacheControl == "no-store")
                #expect(browser.value(of: "username") == name && browser.value(of: "next") == "/displays")
                #expect(!page.text.contains("a wrong one here") && page.text.contains(SessionService.refusal))
                pages.append(
                    page.text.replacing(/name="token" value="[^"]*"/, with: "").replacing(name, with: "X"))
            }
            #expect(pages[0] == pages[1])
        }
    }

    @Test func `too many attempts answer 429 with the time, except for a browser that signed in before`()
        async throws
    {
        var site = TestServer.site
        site.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        let clock = TestClock()
        try await TestServer.with(site: site, clock: clock.wallClock) { testServer in
            let farBrowser = Browser(testServer, headers: [("X-Forwarded-For", "192.168.1.66")])
            let (localBrowser, lanBrowser) = (
                Browser(testServer), Browser(testServer, headers: [("X-Forwarded-For", "192.168.1.7")])
            )
            for browser in [localBrowser, lanBrowser] {
                #expect(try await browser.signIn("ada").status == 303)
                try await browser.open("/settings")
                #expect(try await browser.submit("/logout").status == 303)
            }
            let newBrowser = Browser(testServer)
            for browser in [farBrowser, newBrowser] {
                for _ in 0..<6 { #expect(try await browser.signIn("ada", "wrong").status == 401) }
                let slowed = try await browser.signIn("ada", "wrong")
                #expect(slowed.status == 429 && slowed.retryAfter == 1)
                #expect(browser.value(of: "username") == "ada")
                #expect(slowed.text.contains("Too many failed attempts"))
                let right = try await browser.signIn("ada")
                #expect(right.status == 429 && right.setCookies.isEmpty)
            }
            for browser in [localBrowser, lanBrowser] {
                #expect(try await browser.signIn("ada").status == 303)
            }
            clock.advance(2)
            #expect(try await farBrowser.signIn("ada").status == 303)
        }
    }

    @Test(arguments: ["join", "reset"])
    func `a browser that opened a link can sign in while others' wrong attempts are throttled`(
        kind: String
    ) async throws {
        var site = TestServer.site
        site.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        try await TestServer.with(site: site, clock: TestClock().wallClock) { testServer in
            let (services, ada) = (testServer.services, testServer.owner)
            let code =
                if kind == "join" {
                    try await services.identity.invitations.invite(
                        note: "", days: 1, uses: 1, by: ada, from: .commandLine
                    ).code
                } else {
                    try await services.identity.resets.makeLink(for: ada.userId, by: nil)
                }
            for number in 1...20 {
                let far = Browser(testServer, headers: [("X-Forwarded-For", "203.0.113.\(number)")])
                try await far.signIn("ada", "wrong")
                try await far.open("/join/0000-0000-0000-000\(number % 10)")
            }
            let browser = Browser(testServer, headers: [("X-Forwarded-For", "192.168.1.7")])
            #expect(try await browser.signIn("ada").status == 429)
            let opened = try await browser.open("/\(kind)/\(code)")
            let cookie = try #require(opened.setCookies.first { $0.hasPrefix("roost_link=") })
            #expect(cookie == "roost_link=\(code); Path=/; Max-Age=86400; HttpOnly; SameSite=Lax")
            #expect(try await browser.signIn("ada").status == 303)
            #expect(browser.cookies["roost_link"] == nil && browser.cookies["roost_device"] != nil)
        }
    }

    @Test func `an invalid link sets no cookie`() async throws {
        try await TestServer.with { testServer async throws in
            let browser = Browser(testServer)
            for path in ["/join/0000-0000-0000-0000", "/reset/0000-0000-0000-0000"] {
                #expect(try await browser.open(path).status == 404)
            }
            #expect(browser.cookies["roost_link"] == nil)
        }
    }

    /// The peer itself is on loopback in each case.
    @Test(arguments: [
        [("X-Forwarded-For", "127.0.0.1")], [("X-Forwarded-For", "::1")], [("Forwarded", "for=127.0.0.1")],
        [("X-Real-IP", "127.0.0.1")], [("Via", "1.1 proxy")], [("Host", "192.168.1.20:8080")],
    ])
    func `only a request without a proxy counts as coming from this machine`(headers: [(String, String)])
        async throws
    {
        for trusted in [[], ["127.0.0.1"]] {
            var site = TestServer.site
            site.trustedProxies = trusted.compactMap { AddressRange($0) }
            try await TestServer.with(site: site, clock: TestClock().wallClock) { testServer in
                let proxied = Browser(testServer, headers: headers)
                for _ in 0..<20 { try await proxied.signIn("ada", "wrong") }
                #expect(try await proxied.signIn("ada").status == 429)
                #expect(try await Browser(testServer).signIn("ada").status == 303)
            }
        }
    }

    @Test
    func `several users of a browser are remembered, and its cookie authenticates no one`()
        async throws
    {
        try await TestServer.with(clock: TestClock().wallClock) { testServer in
            _ = try await Guest.signUp("grace", as: .member, testServer.services)
            let browser = Browser(testServer)
            for name in ["ada", "grace"] {
                #expect(try await browser.signIn(name).status == 303)
                try await browser.open("/settings")
                try await browser.submit("/logout")
            }
            let device = try #require(browser.cookies["roost_device"])
            #expect(device.split(separator: ".").map(\.count) == [43, 43])
            let withoutCookie = try await testServer.send(
                "GET", "/settings",
                headers: [("Cookie", "roost_session=\(device.prefix(43)); roost_device=\(device)")],
                as: .anonymous)
            #expect(withoutCookie.status == 401)
            for name in ["ada", "grace"] {
                for _ in 0..<8 { try await Browser(testServer).signIn(name, "wrong") }
                #expect(try await Browser(testServer).signIn(name).status == 429)
                #expect(try await browser.signIn(name).status == 303)
                #expect(browser.cookies["roost_device"] == device)
                try await browser.open("/settings")
                try await browser.submit("/logout")
            }
        }
    }

    @Test(arguments: ["", ".", "x", "..", String(repeating: "x", count: 1_000), "a b", "\u{E9}"])
    func `an invalid device cookie does not prevent signing in`(value: String) async throws {
        try await TestServer.with { testServer in
            let body = "{\"username\": \"ada\", \"password\": \"\(TestServer.password)\"}"
            let answer = try await testServer.json(
                "POST", "/api/v1/sessions", body, headers: [("Cookie", "roost_device=\(value)")],
                as: .anonymous)
            #expect(answer.status == 201)
            let device = try #require(
                answer.headers.all("Set-Cookie").first { $0.hasPrefix("roost_device=") })
            #expect(device.prefix { $0 != ";" }.count == "roost_device=".count + 43)
        }
    }

    @Test func `a signed-in user is not asked again, and a new sign-in ends the previous session`()
        async throws
    {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            let loginPage = try await browser.open("/login?next=/displays")
            #expect(loginPage.status == 303 && loginPage.location == "/displays")
            let first = try #require(browser.cookies["roost_session"])
            // A form opened in another tab before the sign-in is outdated, so this takes its token from a current page.
            try await browser.open("/settings")
            let again = try await browser.submit(
                "/login", ["username": "ada", "password": TestServer.password])
            #expect(again.status == 303 && browser.cookies["roost_session"] != first)
            let old = Guest(user: testServer.owner, secret: first)
            #expect(try await testServer.send("GET", "/settings", as: old).status == 401)
        }
    }

    @Test func `a form without its token, or with another browser's, is refused`() async throws {
        try await TestServer.with { testServer in
            let form = "username=ada&password=a+lantern+over+water"
            let withoutCookie = try await testServer.post("/login", form: form, as: .anonymous)
            #expect(withoutCookie.status == 403 && withoutCookie.headers["Set-Cookie"] == nil)
            let (one, other) = (Browser(testServer), Browser(testServer))
            try await one.open("/login")
            try await other.open("/login")
            let token = try #require(one.value(of: "token"))
            let cookie = try #require(other.cookies["roost_visit"])
            let encoded = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let mixed = try await testServer.post(
                "/login", form: form + "&token=\(encoded)", headers: [("Cookie", "roost_visit=\(cookie)")],
                as: .anonymous)
            #expect(mixed.status == 403)
        }
    }

    @Test func `signing out ends the session and deletes the cookie`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            let secret = try #require(browser.cookies["roost_session"])
            try await browser.open("/settings")
            let out = try await browser.submit("/logout")
            #expect(out.status == 303 && out.location == "/login?out=1")
            #expect(browser.cookies["roost_session"] == nil)
            let old = Guest(user: testServer.owner, secret: secret)
            #expect(try await testServer.send("GET", "/settings", as: old).status == 401)
            #expect(try await browser.open("/login?out=1").text.contains("signed out"))
            #expect(try await testServer.send("GET", "/settings").status == 200)
        }
    }

    @Test func `signing out everywhere ends all sessions of that user only`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/settings/security")
            let out = try await browser.submit("/logout/everywhere")
            #expect(out.location == "/login?out=1")
            #expect(try await testServer.send("GET", "/settings").status == 401)
            #expect(try await testServer.send("GET", "/settings", as: grace).status == 200)
        }
    }
}
