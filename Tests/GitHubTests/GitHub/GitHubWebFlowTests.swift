import Crypto
import Foundation
import TestSupport
import Testing

@testable import RoostSupport

/// Signing in through GitHub's page: the redirect, the callback, and the session it belongs to.
@Suite struct GitHubWebFlowTests {
    private typealias Response = ScriptedUpstream.Response
    private static let token = "/login/oauth/access_token"
    private static let callback = "http://127.0.0.1:8080/settings/github/callback"

    private func query(_ address: String) throws -> [String: String] {
        let items = try #require(URLComponents(string: address)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    /// The query of the redirect to GitHub.
    private func leave(_ github: GitHubFixture, session: String = "7") throws -> [String: String] {
        try query(github.accounts.webFlowAddress(callback: Self.callback, for: github.ada, session: session))
    }

    private func withFlow(_ answer: Response, body: (GitHubFixture) async throws -> Void) async throws {
        try await withGitHub { github in
            github.script.set(GitHubFixture.token, to: .init(login: "octocat"))
            github.script.set(Self.token) { _ in answer }
            try await body(github)
        }
    }

    private static let granted = Response(body: #"{"access_token":"\#(GitHubFixture.token)","scope":"repo"}"#)

    @Test func `the browser goes to GitHub with state and challenge, and without the secret`() async throws {
        try await withFlow(Self.granted) { github in
            let address = try github.accounts.webFlowAddress(
                callback: Self.callback, for: github.ada, session: "7")
            #expect(address.hasPrefix("http://127.0.0.1:\(github.upstream.port)/login/oauth/authorize?"))
            let fields = try query(address)
            #expect(fields["client_id"] == "Iv1.roost")
            #expect(fields["redirect_uri"] == Self.callback)
            #expect(fields["scope"] == "repo read:org")
            #expect(fields["code_challenge_method"] == "S256")
            #expect(fields["state"]?.count == 43)
            #expect(fields["code_challenge"]?.count == 43)
            #expect(fields.count == 6)
            #expect(!address.contains("aVerySecretOfTheApp"))
            let other = try leave(github)
            #expect(other["state"] != fields["state"])
            #expect(other["code_challenge"] != fields["code_challenge"])
        }
    }

    @Test func `the returned code is exchanged for a token, with verifier and secret in the body`()
        async throws
    {
        try await withFlow(Self.granted) { github in
            let sent = try leave(github)
            let account = try await github.accounts.finishWebFlow(
                code: "a code&x", state: sent["state"] ?? "", for: github.ada, session: "7", from: Cast.desk)
            #expect(account.login == "octocat")
            let request = try #require(github.requests(to: Self.token).first)
            #expect(request.method == "POST")
            let body = try query("http://x/?" + request.body)
            #expect(body["client_id"] == "Iv1.roost")
            #expect(body["client_secret"] == "aVerySecretOfTheApp")
            #expect(body["code"] == "a code&x")
            #expect(body["redirect_uri"] == Self.callback)
            let verifier = try #require(body["code_verifier"])
            #expect((43...128).contains(verifier.count))
            let hash = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            let challenge = hash.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(sent["code_challenge"] == challenge)
            #expect(
                try await github.fixture.newest() == "gitHubConnected ada> 192.168.1.7 octocat at github.com")
        }
    }

    @Test func `a state is valid once, for its user and session, for ten minutes`() async throws {
        try await withFlow(Self.granted) { github in
            let grace = try await github.fixture.add("grace").userId
            func finish(_ state: String?, _ user: UserID, _ session: String = "7") async -> RoostError? {
                await refusal {
                    _ = try await github.accounts.finishWebFlow(
                        code: "c", state: state ?? "", for: user, session: session)
                }
            }
            let refused = RoostError.notAllowed(
                "This sign-in was not started here, or has expired. Sign in with GitHub again.")
            #expect(await finish("", github.ada) == refused)
            #expect(await finish("forged", github.ada) == refused)
            let (one, other) = (try leave(github)["state"], try leave(github)["state"])
            #expect(await finish(one, grace) == refused)
            #expect(await finish(one, github.ada) == refused)
            #expect(await finish(other, github.ada, "8") == refused)
            let expired = try leave(github)["state"]
            github.clock.advance(601)
            #expect(await finish(expired, github.ada) == refused)
            #expect(github.requests(to: Self.token).isEmpty)
            let valid = try leave(github)["state"]
            github.clock.advance(599)
            #expect(await finish(valid, github.ada) == nil)
            #expect(await finish(valid, github.ada) == refused)
            #expect(github.requests(to: Self.token).count == 1)
        }
    }

    @Test(
        arguments: [
            (
                #"{"error":"bad_verification_code"}"#, "code",
                "This sign-in has expired. Start again."
            ),
            (
                #"{"error":"incorrect_client_credentials"}"#, "code",
                "GitHub rejected Roost’s client id or secret (--github-client-id, --github-client-secret)."
            ),
            (
                #"{"error":"redirect_uri_mismatch"}"#, "code",
                "Roost’s address differs from the callback URL of its OAuth app on GitHub."
            ),
            (
                #"{"error":"unverified_user_email"}"#, "code",
                "Confirm your e-mail address on GitHub first."
            ),
            (
                #"{"error":"<script>"}"#, "code",
                "GitHub ended the sign-in. Start again, or paste a token instead."
            ),
            ("{}", nil, "Received unexpected response from GitHub."),
            ("<html>", nil, "Received unexpected response from GitHub."),
            (#"{"access_token":7}"#, nil, "Received unexpected response from GitHub."),
        ] as [(String, String?, String)])
    func `refusals with status 200 are refusals`(body: String, field: String?, message: String)
        async throws
    {
        try await withFlow(Response(body: body)) { github in
            let state = try leave(github)["state"] ?? ""
            let refusal = await refusal {
                _ = try await github.accounts.finishWebFlow(
                    code: "c", state: state, for: github.ada, session: "7")
            }
            #expect(refusal?.field == field)
            #expect(refusal?.message == message)
            #expect(github.accounts.all.isEmpty)
        }
    }

    @Test func `an outage of GitHub is reported`() async throws {
        try await withFlow(Response(hangsUp: true)) { github in
            let state = try leave(github)["state"] ?? ""
            let refusal = await refusal {
                _ = try await github.accounts.finishWebFlow(
                    code: "c", state: state, for: github.ada, session: "7")
            }
            #expect(refusal == .unavailable("GitHub's answer was cut off."))
        }
    }

    @Test func `a user's latest ten sign-ins are remembered`() async throws {
        try await withFlow(Self.granted) { github in
            let first = try leave(github)["state"] ?? ""
            github.clock.advance(1)
            let second = try leave(github)["state"] ?? ""
            for _ in 1...9 {
                github.clock.advance(1)
                _ = try leave(github)
            }
            let refusal = await refusal {
                _ = try await github.accounts.finishWebFlow(
                    code: "c", state: first, for: github.ada, session: "7")
            }
            #expect(refusal != nil)
            _ = try await github.accounts.finishWebFlow(
                code: "c", state: second, for: github.ada, session: "7")
        }
    }

    @Test(arguments: [(nil, nil), ("Iv1.roost", nil), ("Iv1.roost", "")] as [(String?, String?)])
    func `without the app's secret the sign-in is not offered`(id: String?, secret: String?) async throws {
        try await withGitHub(clientID: id, clientSecret: secret) { github in
            #expect(!github.accounts.offersWebFlow)
            #expect(github.accounts.offersDeviceFlow == (id != nil))
            #expect(throws: RoostError.self) { try leave(github) }
        }
    }
}
