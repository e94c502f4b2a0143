import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubSignInTests {
    private let gitHub = TestGitHub()

    private func post(_ path: String, _ fields: [String: String], accept: String = "application/json")
        -> SimulatedResponse
    {
        let body = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }.joined(separator: "&")
        return gitHub.simulation.answer(
            GitHubRequest(method: "POST", target: path, accept: accept, body: Array(body.utf8)))
    }

    private func begin() throws -> [String: Any] {
        try post("/login/device/code", ["client_id": "app", "scope": "repo read:org"]).object
    }

    private func poll(_ device: [String: Any], client: String = "app") throws -> [String: Any] {
        try post(
            "/login/oauth/access_token",
            [
                "client_id": client, "device_code": device.text("device_code") ?? "",
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            ]
        ).object
    }

    @Test func `a device waits for its user and gets a token that works`() throws {
        let device = try begin()
        #expect(device.number("expires_in") == 900 && device.number("interval") == 5)
        #expect(device.text("verification_uri") == "http://github.test/login/device")
        let code = try #require(device.text("user_code"))
        #expect(code.count == 9 && code.contains("-"))
        #expect(try poll(device).text("error") == "authorization_pending")
        gitHub.clock.advance(seconds: 6)
        let page = post(
            "/login/device", ["user_code": code.lowercased(), "decision": "allow", "login": "grace"])
        #expect(page.text.contains("all set"))
        let token = try poll(device)
        #expect(token.text("scope") == "repo,read:org" && token.text("token_type") == "bearer")
        let user = gitHub.ask("/user", token: token.text("access_token"))
        #expect(try user.object.text("login") == "grace" && user.header("X-OAuth-Scopes") == "read:org, repo")
        #expect(try poll(device).text("error") == "incorrect_device_code")
    }

    @Test func `a device that polls too early is slowed down by five seconds each time`() throws {
        let device = try begin()
        _ = try poll(device)
        gitHub.clock.advance(seconds: 2)
        let slow = try poll(device)
        #expect(slow.text("error") == "slow_down" && slow.number("interval") == 10)
        gitHub.clock.advance(seconds: 9)
        #expect(try poll(device).number("interval") == 15)
        gitHub.clock.advance(seconds: 15)
        #expect(try poll(device).text("error") == "authorization_pending")
    }

    @Test func `denied, expired, ordered to expire, switched off and wrong client each have their own error`()
        throws
    {
        var device = try begin()
        _ = post("/login/device", ["user_code": device.text("user_code") ?? "", "decision": "deny"])
        #expect(try poll(device).text("error") == "access_denied")
        device = try begin()
        gitHub.clock.advance(seconds: 901)
        #expect(try poll(device).text("error") == "expired_token")
        device = try begin()
        gitHub.simulation.expireDevice()
        #expect(try poll(device).text("error") == "expired_token")
        gitHub.simulation.setDeviceFlow(isDisabled: true)
        #expect(try begin().text("error") == "device_flow_disabled")
        gitHub.simulation.setDeviceFlow(isDisabled: false)
        gitHub.simulation.setApp(clientID: "known", clientSecret: "s")
        #expect(try poll(device).text("error") == "incorrect_client_credentials")
        #expect(post("/login/device/code", ["client_id": "app"]).status == 404)
        #expect(
            try post("/login/oauth/access_token", ["grant_type": "x"]).object.text("error")
                == "unsupported_grant_type")
    }

    @Test func `without an Accept header the answer is a form, as on GitHub`() {
        let answer = post("/login/device/code", ["client_id": "app"], accept: "*/*")
        #expect(answer.header("Content-Type")?.contains("urlencoded") == true)
        #expect(answer.text.contains("verification_uri=http%3A%2F%2Fgithub.test%2Flogin%2Fdevice&"))
    }

    /// RFC 7636, appendix B.
    private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func authorise(decision: String = "allow") -> String {
        let answer = post(
            "/login/oauth/authorize",
            [
                "client_id": "app", "redirect_uri": "http://127.0.0.1/callback", "state": "a b",
                "scope": "repo",
                "code_challenge": challenge, "code_challenge_method": "S256", "decision": decision,
            ])
        #expect(answer.status == 302)
        return answer.header("Location") ?? ""
    }

    private func exchange(_ code: String, verifier: String, secret: String = "s") throws -> [String: Any] {
        try post(
            "/login/oauth/access_token",
            ["client_id": "app", "client_secret": secret, "code": code, "code_verifier": verifier]
        ).object
    }

    private func code(in address: String) -> String {
        String(address.split(separator: "code=").last?.prefix { $0 != "&" } ?? "")
    }

    @Test func `the browser returns with a code that works once, with its verifier`() throws {
        let page = gitHub.ask(
            "/login/oauth/authorize?client_id=app&redirect_uri=http://127.0.0.1/callback&state=%22%3E%3Cb%3E",
            as: nil)
        #expect(page.status == 200 && !page.text.contains("<b>"))
        let address = authorise()
        #expect(address.hasPrefix("http://127.0.0.1/callback?code=") && address.hasSuffix("&state=a%20b"))
        let token = try exchange(code(in: address), verifier: verifier)
        #expect(token.text("access_token")?.hasPrefix("gho_") == true && token.text("scope") == "repo")
        #expect(try exchange(code(in: address), verifier: verifier).text("error") == "bad_verification_code")
        let other = code(in: authorise())
        #expect(try exchange(other, verifier: "wrong").text("error") == "bad_verification_code")
        let old = code(in: authorise())
        gitHub.clock.advance(seconds: 601)
        #expect(try exchange(old, verifier: verifier).text("error") == "bad_verification_code")
    }

    @Test func `a user who denies, and an app with the wrong secret, get no token`() throws {
        #expect(authorise(decision: "deny").contains("?error=access_denied&"))
        gitHub.simulation.setApp(clientID: "app", clientSecret: "right")
        let code = code(in: authorise())
        #expect(try exchange(code, verifier: verifier).text("error") == "incorrect_client_credentials")
        #expect(try exchange(code, verifier: verifier, secret: "right").text("access_token") != nil)
        #expect(
            gitHub.ask("/login/oauth/authorize?client_id=other&redirect_uri=http://a/", as: nil).status == 404
        )
        #expect(
            gitHub.ask("/login/oauth/authorize?client_id=app&redirect_uri=javascript:x", as: nil).status
                == 404)
    }

    @Test func `avatars are real PNGs of the requested size, one for each user`() throws {
        let ada = gitHub.ask("/avatars/u/4001?v=4&s=64", as: nil),
            grace = gitHub.ask("/avatars/u/4038?v=4&s=64", as: nil)
        #expect(ada.header("Content-Type") == "image/png")
        #expect(Array(ada.body.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(ada.body[16..<24]) == [0, 0, 0, 64, 0, 0, 0, 64])
        #expect(ada.body != grace.body)
        // The checksum that ends every PNG: a wrong table would change it.
        #expect(Array(ada.body.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])
        #expect(gitHub.ask("/avatars/u/4001", as: nil).body.count < 1_048_576)
        #expect(gitHub.ask("/avatars/other", as: nil).status == 404)
    }

    @Test func `links to pull requests lead to pages`() throws {
        let pull = try #require(try gitHub.search("is:pr is:open author:@me").first)
        let path = try #require(pull.text("html_url")).replacing("http://github.test", with: "")
        let page = gitHub.ask(path, as: nil)
        #expect(page.status == 200 && page.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(page.text.contains("Pull Request #"))
        #expect(gitHub.ask("/lovelace-labs/loom", as: nil).status == 200)
        #expect(gitHub.ask("/nobody-here", as: nil).status == 404)
    }
}
