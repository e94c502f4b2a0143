import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient

@Suite struct GitHubAccountAPITests {
    private func withSilentGitHub(_ test: (TestServer) async throws -> Void) async throws {
        try await TestServer.with(
            configure: {
                $0.gitHub.hosts = GitHubHosts(
                    apiURL: "http://127.0.0.1:1/api/v3", webURL: "http://127.0.0.1:1")
            }, test)
    }

    @Test func `at first no account is connected or can be disconnected`() async throws {
        try await withSilentGitHub { testServer in
            let list = try await testServer.send("GET", "/api/v1/github-accounts")
            #expect(list.status == 200 && list.items.isEmpty && list.text.contains("\"next\":null"))
            #expect(list.headers["Cache-Control"] == "no-store")
            let none = try await testServer.json("DELETE", "/api/v1/github-accounts", "{}")
            #expect(none.status == 204)
            for query in ["host=github.com", "login=ada", "host=github.com&login=ada"] {
                let answer = try await testServer.json("DELETE", "/api/v1/github-accounts?\(query)", "{}")
                #expect(answer.status == 404, "\(query)")
            }
        }
    }

    @Test(arguments: [
        ("{}", 422, "token"), (#"{"token": 7}"#, 422, "token"), (#"{"token": null}"#, 422, "token"),
        (#"{"token": "x", "host": 7}"#, 422, "host"), ("[]", 400, nil), ("{", 400, nil),
    ])
    func `an invalid request is answered with the reason`(body: String, status: Int, field: String?)
        async throws
    {
        try await withSilentGitHub { testServer in
            let answer = try await testServer.json("POST", "/api/v1/github-accounts", body)
            #expect(answer.status == status && answer.error("field") == field, "\(answer.text)")
        }
    }

    @Test func `an unreachable GitHub is reported, and no answer contains the token`() async throws {
        try await withSilentGitHub { testServer in
            let payload = #"{"token": "ghp_neverseenagain"}"#
            let answer = try await testServer.json("POST", "/api/v1/github-accounts", payload)
            #expect(answer.status == 503 && answer.error("code") == "unavailable")
            #expect(!answer.text.contains("ghp_"))
        }
    }

    @Test func `a read-only token cannot connect an account`() async throws {
        try await withSilentGitHub { testServer in
            let reader = try await Guest.bearer(testServer.owner, .read, testServer.services)
            let list = try await testServer.send("GET", "/api/v1/github-accounts", as: reader)
            #expect(list.status == 200)
            for method in ["POST", "DELETE"] {
                let answer = try await testServer.json(
                    method, "/api/v1/github-accounts", #"{"token": "x"}"#, as: reader)
                #expect(answer.status == 403)
            }
        }
    }
}
