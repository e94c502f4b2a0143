import Foundation
import TestSupport
import Testing

/// Shared by tests of the device flow: GitHub's answers, and a complete flow.
enum DeviceScript {
    typealias Response = ScriptedUpstream.Response
    static let code = "/login/device/code"
    static let token = "/login/oauth/access_token"
    static let grant = Response(
        body: """
            {"device_code": "3584d83530557fdd1f46af8289938c8ef79f9dc5", "user_code": "WDJB-MJHT",
            "verification_uri": "https://github.com/login/device", "expires_in": 900, "interval": 5}
            """)
    static let granted = Response(
        body:
            #"{"access_token": "\#(GitHubFixture.token)", "token_type": "bearer", "scope": "repo,read:org"}"#)
    static let pending = refused("authorization_pending")

    static func refused(_ word: String, _ more: String = "") -> Response {
        Response(body: #"{"error": "\#(word)", "error_description": "<b>words</b>"\#(more)}"#)
    }

    /// GitHub issues a code, and gives these answers to the polls for the token.
    static func withFlow(_ answers: Response..., body: (GitHubFixture) async throws -> Void) async throws {
        try await withGitHub { github in
            github.script.set(GitHubFixture.token, to: .init(login: "octocat"))
            github.script.set(Self.code) { _ in Self.grant }
            if !answers.isEmpty { github.script.set(Self.token, inTurn: answers) }
            try await body(github)
        }
    }

    static func begin(_ github: GitHubFixture) async throws {
        try github.accounts.beginDeviceFlow(for: github.ada, from: Cast.desk)
        try await wait(for: "the sign-in's end") {
            switch github.accounts.signIn(of: github.ada) {
            case .none, .ended: true
            case .starting, .waiting: false
            }
        }
    }
}
