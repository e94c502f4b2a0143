import Foundation
import TestSupport
import Testing

@testable import RoostSupport

/// Signing in with a code: every way it can fail, and the message for it.
@Suite struct GitHubDeviceErrorTests {
    private typealias Response = ScriptedUpstream.Response

    @Test(arguments: [
        ("expired_token", "The code has expired. Get a new one."),
        ("access_denied", "You declined on GitHub. No account was connected."),
        ("incorrect_device_code", "GitHub no longer accepts this code. Get a new one."),
        (
            "device_flow_disabled",
            "The device flow is disabled for Roost’s OAuth app. The app’s owner can enable it on GitHub."
        ),
        (
            "incorrect_client_credentials",
            "GitHub does not know Roost’s OAuth app (--github-client-id)."
        ),
        (
            "unsupported_grant_type",
            "This GitHub server does not support signing in with a code. Paste a token instead."
        ),
        ("<script>", "GitHub ended the sign-in. Start again, or paste a token instead."),
    ])
    func `every documented refusal ends the sign-in with a message`(code: String, expected: String)
        async throws
    {
        try await DeviceScript.withFlow(DeviceScript.pending, DeviceScript.refused(code)) { github in
            try await DeviceScript.begin(github)
            #expect(github.accounts.signIn(of: github.ada) == .ended(expected))
            #expect(github.accounts.all.isEmpty)
            #expect(github.requests(to: DeviceScript.token).count == 2)
            github.accounts.dismissSignIn(of: github.ada)
            #expect(github.accounts.signIn(of: github.ada) == .none)
        }
    }

    @Test(
        arguments: [
            (DeviceScript.refused("device_flow_disabled"), "The device flow is disabled"),
            (
                Response(status: 404, body: #"{"error":"Not Found"}"#),
                "GitHub does not know Roost’s OAuth app"
            ),
            (Response(status: 400, body: #"{"error":"unauthorized_client"}"#), "GitHub ended the sign-in"),
            (Response(hangsUp: true), "GitHub's answer was cut off"),
            (Response(status: 503), "GitHub is temporarily"),
            (Response(status: 429), "GitHub rate limit exceeded"),
            (Response(body: "<html>"), "Received unexpected response"),
            (Response(body: "{}"), "Received unexpected response"),
            (
                Response(status: 302, headers: ["Location: https://evil.example/"]),
                "Received unexpected response"
            ),
        ] as [(Response, String)])
    private func `a missing code is reported`(answer: Response, expected: String) async throws {
        try await DeviceScript.withFlow { github in
            github.script.set(DeviceScript.code) { _ in answer }
            try await DeviceScript.begin(github)
            guard case .ended(let message) = github.accounts.signIn(of: github.ada) else {
                return #expect(Bool(false), "it goes on")
            }
            #expect(message.hasPrefix(expected))
        }
    }

    @Test(arguments: [
        ("WDJB-MJHT", "javascript:alert(1)"), ("WDJB-MJHT", "http://evil.example/login/device"),
        ("WDJB-MJHT", "https://ada:b@evil.example/"), ("WDJB-MJHT", "https://github.com/ x"),
        ("<b>", "https://github.com/login/device"), ("", "https://github.com/login/device"),
        (String(repeating: "A", count: 40), "https://github.com/login/device"),
    ])
    func `a forged code or link is not shown`(code: String, link: String) async throws {
        try await DeviceScript.withFlow { github in
            github.script.set(DeviceScript.code) { _ in
                Response(body: #"{"device_code":"x","user_code":"\#(code)","verification_uri":"\#(link)"}"#)
            }
            try await DeviceScript.begin(github)
            #expect(
                github.accounts.signIn(of: github.ada) == .ended("Received unexpected response from GitHub."))
        }
    }

    @Test func `a token that GitHub itself refuses ends the sign-in`() async throws {
        try await DeviceScript.withFlow(DeviceScript.granted) { github in
            github.script.set(GitHubFixture.token, to: nil)
            try await DeviceScript.begin(github)
            let expected = "GitHub rejected this token. Check that it is complete and still valid."
            #expect(github.accounts.signIn(of: github.ada) == .ended(expected))
        }
    }

    @Test func `without a client id the sign-in is not offered`() async throws {
        try await withGitHub(clientID: nil, clientSecret: nil) { github in
            #expect(!github.accounts.offersDeviceFlow)
            #expect(throws: RoostError.unavailable("Signing in with a code needs --github-client-id.")) {
                try github.accounts.beginDeviceFlow(for: github.ada)
            }
            #expect(github.accounts.signIn(of: github.ada) == .none)
            github.accounts.dismissSignIn(of: github.ada)
        }
    }
}
