import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import HTTPClient

@Suite struct SettingsPagesTests {
    private func withAda(_ test: (TestServer, Browser) async throws -> Void) async throws {
        try await TestServer.with(clock: TestClock().wallClock) { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser)
        }
    }

    // MARK: Profile

    @Test func `name and address are changed, and a refused change keeps what was typed`() async throws {
        try await withAda { testServer, browser in
            try await testServer.services.identity.accounts.add(
                Profile(username: "grace", email: "grace@example.org"), role: .member, password: nil)
            try await browser.open("/settings")
            let saved = try await browser.submit(
                "/settings/profile", ["displayName": "Ada Lovelace", "email": "ada@example.org"])
            #expect(saved.status == 303)
            let page = try await browser.open(try #require(saved.location))
            #expect(page.text.contains("<p>Profile saved.</p>"))
            #expect(browser.value(of: "displayName") == "Ada Lovelace")
            for (field, wrong, status) in [
                ("displayName", "Grасe", 422), ("displayName", "GRACE", 409),
                ("email", "GRACE@example.org", 409), ("email", "nowhere", 422),
                ("displayName", String(repeating: "x", count: 65), 422),
            ] {
                try await browser.open("/settings")
                var fields = ["displayName": "Countess", "email": "countess@example.org"]
                fields[field] = wrong
                let page = try await browser.submit("/settings/profile", fields)
                #expect(page.status == status && browser.error(of: field) != nil)
                for (name, typed) in fields { #expect(browser.value(of: name) == typed) }
            }
            #expect(
                try await testServer.services.identity.accounts.user(testServer.owner.userId)?.email
                    == "ada@example.org")
        }
    }

    @Test func `a picture is uploaded, served to members only, cached by browsers, and removed`() async throws
    {
        try await withAda { testServer, browser in
            try await browser.open("/settings")
            let saved = try await browser.upload("/settings/avatar", "avatar", bytes: Picture.png)
            #expect(saved.status == 303)
            let address = try #require(
                try await testServer.services.identity.accounts.user(testServer.owner.userId)?.avatar)
            let path = "/avatars/\(testServer.owner.userId)/\(address)"
            #expect(try await browser.open("/settings").text.contains(path))
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let picture = try await testServer.send("GET", path, as: grace)
            #expect(picture.status == 200 && picture.body == Picture.png)
            #expect(picture.headers["Content-Type"] == "image/png")
            #expect(picture.headers["Cache-Control"]?.contains("immutable") == true)
            #expect(
                picture.headers.all("Content-Security-Policy").contains { $0.contains("sandbox") })
            #expect(picture.headers["X-Content-Type-Options"] == "nosniff")
            #expect(try await testServer.send("GET", path, as: .anonymous).status == 401)
            let removed = try await browser.submit("/settings/avatar/remove")
            #expect(removed.status == 303)
            #expect(try await testServer.send("GET", path).status == 404)
        }
    }

    @Test func `a file that is not a picture is refused at its field, and the old picture stays`()
        async throws
    {
        try await withAda { testServer, browser in
            try await testServer.services.identity.accounts.setAvatar(
                Picture.png, of: testServer.owner.userId)
            let before = try await testServer.services.identity.accounts.user(testServer.owner.userId)
            for bytes in [
                [], Array("<svg onload=alert(1)>".utf8), Array(Picture.png.prefix(40)),
                [UInt8](repeating: 7, count: 1_100_000),
            ] {
                try await browser.open("/settings")
                let page = try await browser.upload("/settings/avatar", "avatar", bytes: bytes)
                #expect(page.status == 422 && browser.error(of: "avatar") != nil, "\(bytes.count)")
            }
            try await browser.open("/settings")
            let large = try await browser.upload(
                "/settings/avatar", "avatar", bytes: [UInt8](repeating: 7, count: 1_300_000))
            #expect(large.status == 413)
            #expect(try await testServer.services.identity.accounts.user(testServer.owner.userId) == before)
        }
    }

    // MARK: Security

    @Test func `a new password ends all other sessions and continues here with a new one`() async throws {
        try await withAda { testServer, browser in
            let old = try #require(browser.cookies["roost_session"])
            try await browser.open("/settings/security")
            let changed = try await browser.submit(
                "/settings/password", ["current": TestServer.password, "password": "seven grey herons"])
            #expect(changed.status == 303)
            #expect(browser.cookies["roost_session"] != old)
            let page = try await browser.open(try #require(changed.location))
            #expect(page.text.contains("<p>Password changed. You are signed out"))
            #expect(try await testServer.send("GET", "/settings").status == 401)
            let planted = Guest(user: testServer.owner, secret: old)
            #expect(try await testServer.send("GET", "/settings", as: planted).status == 401)
            #expect(try await Browser(testServer).signIn("ada").status == 401)
            #expect(try await Browser(testServer).signIn("ada", "seven grey herons").status == 303)
        }
    }

    @Test func `a refused password is reported at its field, and never shown`() async throws {
        try await withAda { testServer, browser in
            for (current, new, field) in [
                ("not my password", "seven grey herons", "current"),
                (TestServer.password, "ada-ada-ada", "password"),
            ] {
                try await browser.open("/settings/security")
                let page = try await browser.submit(
                    "/settings/password", ["current": current, "password": new])
                #expect(page.status == 422 && browser.error(of: field) != nil)
                #expect(!page.text.contains(current) && !page.text.contains(new))
                #expect(page.setCookies.isEmpty)
            }
            for _ in 0..<7 {
                try await browser.open("/settings/security")
                try await browser.submit(
                    "/settings/password", ["current": "wrong", "password": "seven grey herons"])
            }
            #expect(browser.page.status == 429 && browser.page.retryAfter != nil)
        }
    }

    @Test func `sessions are listed with device and address, and end one at a time or all but this one`()
        async throws
    {
        try await withAda { testServer, browser in
            let phone = Browser(
                testServer,
                headers: [("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) AppleWebKit Safari/604.1")]
            )
            try await phone.signIn("ada")
            let page = try await browser.open("/settings/security")
            #expect(page.text.contains("Safari on iPhone") && page.text.contains("127.0.0.1"))
            let services = testServer.services
            let ids = try await services.identity.sessions.sessions(of: testServer.owner.userId)
            let other = try #require(ids.first { $0.device == "Safari on iPhone" })
            let ended = try await browser.submit("/settings/sessions/\(other.id)/end")
            #expect(ended.status == 303)
            #expect(try await phone.open("/settings").status == 303)
            #expect(ids.count == 3)
            #expect(try await services.identity.sessions.sessions(of: testServer.owner.userId).count == 2)
            try await browser.open("/settings/security")
            #expect(try await browser.submit("/settings/sessions/end-others").status == 303)
            #expect(try await services.identity.sessions.sessions(of: testServer.owner.userId).count == 1)
            #expect(try await browser.open("/settings").status == 200)
        }
    }

    @Test func `deleting an account needs the password, and signs the user out`() async throws {
        try await TestServer.with { testServer in
            _ = try await Guest.signUp("grace", as: .member, testServer.services)
            let grace = try await testServer.services.identity.accounts.user(named: "grace")
            let link = try await testServer.services.market.displays.add("Wall", for: grace.userId).token
            let token = try await testServer.services.token(for: "grace", scope: .read)
            let browser = Browser(testServer)
            try await browser.signIn("grace")
            let page = try await browser.open("/settings/security")
            for data in testServer.services.userData {
                #expect(page.text.contains(">\(data.text)<"), "\(data.text)")
            }
            let wrong = try await browser.submit("/settings/delete", ["password": "not my password"])
            #expect(wrong.status == 422 && wrong.text.contains("Wrong password."))
            #expect(!wrong.text.contains("not my password"))
            #expect(try await testServer.send("GET", "/display/\(link)", as: .anonymous).status == 200)
            let deleted = try await browser.submit("/settings/delete", ["password": TestServer.password])
            #expect(deleted.status == 303 && deleted.location == "/login?deleted=1")
            #expect(browser.cookies["roost_session"] == nil)
            #expect(try await browser.open("/login?deleted=1").text.contains("deleted"))
            #expect(try await testServer.send("GET", "/display/\(link)", as: .anonymous).status == 404)
            let headers = [("Authorization", "Bearer \(token)")]
            #expect(
                try await testServer.send("GET", "/api/v1/me", headers: headers, as: .anonymous).status == 401
            )
            #expect(try await browser.signIn("grace").status == 401)
        }
    }

    @Test func `the last owner cannot delete their account and sees why`() async throws {
        try await withAda { testServer, browser in
            let page = try await browser.open("/settings/security")
            #expect(page.text.contains("id=\"delete-obstacle\">Roost needs an owner. Make someone else"))
            #expect(page.text.contains("type=\"button\" disabled aria-describedby=\"delete-obstacle\""))
            #expect(!page.text.contains("action=\"/settings/delete\""))
            let refused = try await browser.submit("/settings/delete", ["password": TestServer.password])
            #expect(refused.status == 409 && refused.text.contains("Make someone else an owner first"))
            #expect(try await testServer.services.identity.accounts.users.count == 1)
        }
    }
}
