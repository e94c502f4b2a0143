import Foundation
import Testing

@testable import RoostSupport

/// Signing in with a code: every way it ends without an account, in words.
@Suite struct GitHubDeviceErrorTests {
    private typealias Response = ScriptedUpstream.Response

    @Test(arguments: [
        ("expired_token", "The code has run out. Begin again for a new one."),
        ("access_denied", "You declined on GitHub. No account was connected."),
        ("incorrect_device_code", "GitHub does not know this code any more. Begin again for a new one."),
        (
            "device_flow_disabled",
            "The device flow is switched off for Roost’s app at GitHub; whoever owns the app can switch it on."
        ),
        (
            "incorrect_client_credentials",
            "GitHub does not know the app that Roost is set to use (--github-client-id)."
        ),
        ("unsupported_grant_type", "This GitHub offers no sign-in with a code. Paste a token instead."),
        ("<script>", "GitHub ended the sign-in. Begin again, or paste a token instead."),
    ])
    func `every documented refusal ends it, in words`(word: String, words: String) async throws {
        try await DeviceScript.withFlow(DeviceScript.pending, DeviceScript.refused(word)) { github in
            try await DeviceScript.begin(github)
            #expect(github.accounts.signIn(of: github.ada) == .ended(words))
            #expect(github.accounts.all.isEmpty)
            #expect(github.requests(to: DeviceScript.token).count == 2)
            github.accounts.dismissSignIn(of: github.ada)
            #expect(github.accounts.signIn(of: github.ada) == .none)
        }
    }

    @Test(
        arguments: [
            (DeviceScript.refused("device_flow_disabled"), "The device flow is switched off"),
            (Response(status: 404, body: #"{"error":"Not Found"}"#), "GitHub does not know the app"),
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
    private func `no code at all is said too`(answer: Response, words: String) async throws {
        try await DeviceScript.withFlow { github in
            github.script.set(DeviceScript.code) { _ in answer }
            try await DeviceScript.begin(github)
            guard case .ended(let told) = github.accounts.signIn(of: github.ada) else {
                return #expect(Bool(false), "it goes on")
            }
            #expect(told.hasPrefix(words))
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

    @Test func `a token that GitHub itself does not take ends it`() async throws {
        try await DeviceScript.withFlow(DeviceScript.granted) { github in
            github.script.set(GitHubFixture.token, to: nil)
            try await DeviceScript.begin(github)
            let words = "GitHub does not take this token. Is it complete and still valid?"
            #expect(github.accounts.signIn(of: github.ada) == .ended(words))
        }
    }

    @Test func `without a client id it is not offered`() async throws {
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
