import Foundation
import Testing

@testable import RoostSimulator

/// Attacks on a sign-in, and its documented errors.
@Suite struct GitHubSignInProofTests {
    private let gitHub = TestGitHub()

    private func post(_ path: String, _ fields: [String: String], json: Bool = false) -> SimulatedResponse {
        let form = fields.map {
            "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        let body =
            json
            ? (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
            : Data(form.joined(separator: "&").utf8)
        return gitHub.simulation.answer(
            GitHubRequest(
                method: "POST", target: path,
                contentType: json ? "application/json" : "application/x-www-form-urlencoded",
                body: Array(body)))
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

    private func begin() throws -> [String: Any] {
        try post("/login/device/code", ["client_id": "app"]).object
    }

    @Test func `every device has its own codes and gets its own user's token`() throws {
        let (one, two) = (try begin(), try begin())
        #expect(
            one.text("user_code") != two.text("user_code")
                && one.text("device_code") != two.text("device_code"))
        #expect(gitHub.simulation.approveDevice(code: two.text("user_code"), login: "emmy"))
        #expect(try poll(one).text("error") == "authorization_pending")
        let token = try poll(two)
        #expect(try gitHub.ask("/user", token: token.text("access_token")).object.text("login") == "emmy")
        #expect(token.text("scope")?.isEmpty == true)
        #expect(
            gitHub.ask("/user", token: token.text("access_token")).header("X-OAuth-Scopes")?.isEmpty == true)
        #expect(!gitHub.simulation.approveDevice(code: two.text("user_code")))
    }

    @Test func `every error has its description and its link, with status 200`() throws {
        let device = try begin()
        let answer = post(
            "/login/oauth/access_token",
            [
                "client_id": "app", "device_code": device.text("device_code") ?? "",
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            ])
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json; charset=utf-8")
        #expect(try answer.object.text("error_description") == "The authorization request is still pending.")
        #expect(try answer.object.text("error_uri")?.hasPrefix("https://docs.github.com/") == true)
    }

    @Test func `a device code is invalid for another app, before its time and after it`() throws {
        let device = try begin()
        gitHub.simulation.approveDevice()
        #expect(try poll(device, client: "other").text("error") == "incorrect_device_code")
        #expect(try poll(device, client: "").text("error") == "incorrect_client_credentials")
        let late = try begin()
        gitHub.clock.advance(seconds: 900)
        let page = post("/login/device", ["user_code": late.text("user_code") ?? "", "decision": "allow"])
        #expect(page.status == 422 && page.text.contains("has expired"))
        #expect(
            try poll(late).text("error") == "expired_token" && poll(device).text("error") == "expired_token")
    }

    @Test func `an approval holds until it is fetched, and a denial permanently`() throws {
        let denied = try begin()
        gitHub.simulation.denyDevice()
        for _ in 0..<2 {
            gitHub.clock.advance(seconds: 6)
            #expect(try poll(denied).text("error") == "access_denied")
        }
        let approved = try begin()
        gitHub.simulation.approveDevice()
        gitHub.clock.advance(seconds: 899)
        #expect(try poll(approved).text("access_token")?.hasPrefix("gho_") == true)
    }

    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func authorise(_ more: [String: String] = [:]) -> SimulatedResponse {
        var fields = [
            "client_id": "app", "redirect_uri": "http://127.0.0.1:8080/callback?a=b", "state": "s/?&=",
            "decision": "allow",
        ]
        fields.merge(more) { _, new in new }
        return post("/login/oauth/authorize", fields)
    }

    private func exchange(_ answer: SimulatedResponse, _ more: [String: String] = [:], json: Bool = false)
        throws -> [String: Any]
    {
        let code =
            answer.header("Location")?.components(separatedBy: "code=").last?.prefix { $0 != "&" } ?? ""
        var fields = ["client_id": "app", "client_secret": "s", "code": String(code)]
        fields.merge(more) { _, new in new }
        return try post("/login/oauth/access_token", fields, json: json).object
    }

    @Test func `the state is returned unchanged, after the callback's own query`() {
        let address = authorise().header("Location") ?? ""
        #expect(address.hasPrefix("http://127.0.0.1:8080/callback?a=b&code="))
        #expect(address.hasSuffix("&state=s%2F%3F%26%3D"))
        let denied = authorise(["decision": "deny"]).header("Location") ?? ""
        #expect(
            denied.contains("&error=access_denied&") && !denied.contains("code=")
                && denied.hasSuffix("&state=s%2F%3F%26%3D"))
    }

    @Test func `the verifier must match the challenge, in every form of the request`() throws {
        let proof = ["code_challenge": Self.challenge, "code_challenge_method": "S256"]
        for wrong in ["", Self.challenge, Self.verifier.lowercased(), Self.verifier + "="] {
            let reply = try exchange(authorise(proof), ["code_verifier": wrong])
            #expect(reply.text("error") == "bad_verification_code" && reply["access_token"] == nil)
        }
        #expect(try exchange(authorise(proof), ["code_verifier": Self.verifier]).text("access_token") != nil)
        #expect(
            try exchange(authorise(proof), ["code_verifier": Self.verifier], json: true).text("access_token")
                != nil)
        #expect(authorise(["code_challenge": Self.verifier, "code_challenge_method": "plain"]).status == 404)
    }

    @Test func `a code is used up by the first request that sends it, valid or not`() throws {
        for wrong in [["client_id": "other"], ["redirect_uri": "http://127.0.0.1/elsewhere"]] {
            let code = authorise()
            let refused = try exchange(code, wrong)
            #expect(["bad_verification_code", "redirect_uri_mismatch"].contains(refused.text("error")))
            #expect(try exchange(code).text("error") == "bad_verification_code")
        }
        let fits = try exchange(authorise(), ["redirect_uri": "http://127.0.0.1:8080/callback?a=b"])
        #expect(fits.text("token_type") == "bearer")
        for missing in ["client_id", "client_secret"] {
            #expect(try exchange(authorise(), [missing: ""]).text("error") == "incorrect_client_credentials")
        }
        #expect(
            try exchange(authorise(), ["grant_type": "password"]).text("error") == "unsupported_grant_type")
    }
}
