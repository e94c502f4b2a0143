import Foundation
import TestSupport
import Testing
import TextFormats

@testable import HTTPClient
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

@Suite struct AccountAPITests {
    private static func joinFields(
        _ name: String, _ code: String, password: String = TestServer.password, email: String? = nil
    ) -> String {
        let email = email.map { #", "email": "\#($0)""# } ?? ""
        return #"{"username": "\#(name)", "password": "\#(password)", "joinCode": "\#(code)"\#(email)}"#
    }

    private func join(_ testServer: TestServer, _ body: String) async throws -> ClientResponse {
        try await testServer.json("POST", "/api/v1/users", body, as: .anonymous)
    }

    private func link(_ testServer: TestServer, uses: Int = 1) async throws -> String {
        let created = try await testServer.services.identity.invitations.invite(
            note: "", days: 1, uses: uses, by: testServer.owner, from: ClientInfo(address: "127.0.0.1"))
        return "\(created.code)"
    }

    @Test func `a program signs up with a join code, and gets the mission's answer`() async throws {
        try await TestServer.with { testServer in
            let code = try await link(testServer)
            let answer = try await join(
                testServer, Self.joinFields("grace", code, email: "grace@example.org"))
            #expect(answer.status == 201 && answer.headers["Cache-Control"] == "no-store")
            let object = answer.object
            #expect(Set(object.keys) == ["userId", "username", "email", "message"])
            #expect(object["username"] as? String == "grace")
            #expect(object["email"] as? String == "grace@example.org")
            #expect(object["message"] as? String == "Welcome to Roost, grace.")
            let user = try await testServer.services.identity.accounts.user(named: "grace")
            #expect(object["userId"] as? String == "\(user.userId)" && user.role == .member)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test func `on an empty Roost the join code is the setup code`() async throws {
        try await TestServer.with(isEmpty: true) { testServer in
            let wrong = try await join(testServer, Self.joinFields("ada", "0000-0000-0000-0000"))
            #expect(wrong.status == 422 && wrong.error("field") == "joinCode")
            let code = try #require(testServer.services.identity.invitations.setupCode)
            let created = try await join(testServer, Self.joinFields("ada", "\(code)"))
            #expect(created.status == 201)
            #expect(try await testServer.services.identity.accounts.user(named: "ada").role == .owner)
            let again = try await join(testServer, Self.joinFields("eve", "\(code)"))
            #expect(again.status == 422 && again.error("field") == "joinCode")
            #expect(try await testServer.services.identity.accounts.users.count == 1)
        }
    }

    @Test func `an invalid sign-up is refused with its field`() async throws {
        try await TestServer.with { testServer in
            let code = try await link(testServer)
            for (body, status, field) in [
                (Self.joinFields("ADA", code), 409, "username"),
                (Self.joinFields("", code), 422, "username"),
                (Self.joinFields("a@b", code), 422, "username"),
                (Self.joinFields("grace", code, password: "short"), 422, "password"),
                (Self.joinFields("grace", code, email: "nowhere"), 422, "email"),
                (Self.joinFields("grace", "0000-0000-0000-0000"), 422, "joinCode"),
                (#"{"username": "grace", "password": "a lantern over water"}"#, 422, "joinCode"),
                (#"{"username": 7, "password": "a lantern over water", "joinCode": "x"}"#, 422, "username"),
                (#"{"username": null, "password": "", "joinCode": "x"}"#, 422, "username"),
            ] as [(String, Int, String)] {
                let answer = try await join(testServer, body)
                #expect(answer.status == status && answer.error("field") == field, "\(body)")
                #expect(!answer.text.contains("lantern"))
            }
            for body in ["", "[]", "{", "7"] {
                let answer = try await join(testServer, body)
                #expect(answer.status == 400, "\(body)")
            }
            #expect(try await testServer.services.identity.accounts.users.count == 1)
        }
    }

    @Test func `a program signs in, writes with the form token and the cookie, and signs out`() async throws {
        try await TestServer.with { testServer in
            let body = #"{"username": "ADA", "password": "\#(TestServer.password)"}"#
            let answer = try await testServer.json("POST", "/api/v1/sessions", body, as: .anonymous)
            #expect(answer.status == 201 && answer.object["username"] as? String == "ada")
            #expect(answer.object["userId"] as? String == "\(testServer.owner.userId)")
            #expect(answer.object["email"] is NSNull)
            let cookie = try #require(answer.headers["Set-Cookie"]?.split(separator: ";").first)
            let headers = [("Cookie", String(cookie))]
            let withoutToken = try await testServer.json(
                "POST", "/api/v1/watchlist", #"{"coinId": "solana"}"#, headers: headers, as: .anonymous)
            #expect(withoutToken.status == 403)
            let token = try #require(answer.object["token"] as? String)
            let proven = headers + [(FormToken.header, token)]
            let written = try await testServer.json(
                "POST", "/api/v1/watchlist", #"{"coinId": "solana"}"#, headers: proven, as: .anonymous)
            #expect(written.status == 201)
            let out = try await testServer.send(
                "DELETE", "/api/v1/sessions/current", headers: proven, as: .anonymous)
            #expect(out.status == 204 && out.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
            let me = try await testServer.send("GET", "/api/v1/me", headers: headers, as: .anonymous)
            #expect(me.status == 401)
        }
    }

    @Test func `a wrong sign-in answers 401 with one message for all cases, and 429 after many attempts`()
        async throws
    {
        var site = TestServer.site
        site.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        try await TestServer.with(site: site, clock: TestClock().wallClock) { testServer in
            var answers: [ClientResponse] = []
            for (name, address) in [("ada", "192.168.1.66"), ("nobody", "192.168.1.67")] {
                for _ in 0..<7 {
                    answers.append(
                        try await testServer.json(
                            "POST", "/api/v1/sessions", #"{"username": "\#(name)", "password": "wrong"}"#,
                            headers: [("X-Forwarded-For", address)], as: .anonymous))
                }
            }
            #expect(
                answers.map(\.status) == Array(repeating: 401, count: 6) + [429]
                    + Array(repeating: 401, count: 6) + [429])
            #expect(Set(answers.filter { $0.status == 401 }.map(\.text)).count == 1)
            #expect(answers[6].headers["Retry-After"] == "1" && answers[6].error("code") == "tooMany")
        }
    }

    @Test func `the current user has the model's fields`() async throws {
        try await TestServer.with { testServer in
            let object = try await testServer.send("GET", "/api/v1/me").object
            #expect(Set(object.keys) == ["userId", "username", "email", "role", "message", "createdAt"])
            #expect(object["userId"] as? String == "\(testServer.owner.userId)" && object["email"] is NSNull)
            #expect(object["role"] as? String == "owner")
            let services = testServer.services
            try await services.identity.accounts.change(
                testServer.owner.userId, email: "ada@example.org", displayName: "Ada Lovelace")
            try await services.identity.accounts.setAvatar(Picture.png, of: testServer.owner.userId)
            let reader = try await Guest.bearer(testServer.owner, .read, services)
            let full = try await testServer.send("GET", "/api/v1/me", as: reader).object
            #expect(full["displayName"] as? String == "Ada Lovelace" && full["updatedAt"] != nil)
            #expect(full["email"] as? String == "ada@example.org")
            let picture = try #require(full["avatarURL"] as? String)
            let seen = try await testServer.send("GET", picture)
            #expect(seen.status == 200)
        }
    }

    @Test func `another web site can sign no one in or up`() async throws {
        try await TestServer.with { testServer in
            let code = try await link(testServer)
            let signIn = #"{"username": "ada", "password": "\#(TestServer.password)"}"#
            for (path, body) in [("sessions", signIn), ("users", Self.joinFields("eve", code))] {
                for mark in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
                    let answer = try await testServer.json(
                        "POST", "/api/v1/\(path)", body, headers: [mark], as: .anonymous)
                    #expect(answer.status == 403, "\(path) \(mark)")
                }
                // A form on another site cannot send JSON.
                let form = try await testServer.send(
                    "POST", "/api/v1/\(path)", headers: [("Content-Type", "text/plain")], body: body,
                    as: .anonymous)
                #expect(form.status == 415)
            }
            #expect(try await testServer.services.identity.accounts.users.count == 1)
        }
    }
}
