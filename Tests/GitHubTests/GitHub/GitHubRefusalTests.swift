import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Requests that change something, and why GitHub refuses them.
@Suite struct GitHubRefusalTests {
    private func refusal(_ answer: ScriptedUpstream.Response) async throws -> GitHubRefusal? {
        let stored = Shared<GitHubFailure?>(nil)
        try await withSession({ _ in answer }) { session, _, _ in
            stored.set(try await GitHubTests.failure { _ = try await session.act("PUT", "/x", body: Data()) })
        }
        return stored.value?.refusal
    }

    @Test(arguments: [
        (#"{"message":"Not Found"}"#, "Not Found"),
        (
            #"{"message":"Unprocessable Entity","errors":["Can not approve your own pull request"]}"#,
            "Can not approve your own pull request"
        ),
        (
            #"{"message":"Validation Failed","errors":[{"resource":"X","code":"custom","message":"No commits"}]}"#,
            "No commits"
        ),
        (
            #"{"message":"Validation Failed","errors":[{"resource":"X","field":"base","code":"invalid"}]}"#,
            "base: invalid"
        ),
        (
            #"{"message":"Validation Failed","errors":"Line could not be resolved"}"#,
            "Line could not be resolved"
        ),
        (#"{"message":"Odd","errors":[7, {}, " "]}"#, "Odd"), ("<html>", ""), ("", ""), ("[]", ""),
        (#"{"message":"a\u202eb\n\u0007c  d"}"#, "ab c d"),
    ])
    func `GitHub's reason is one clean line`(body: String, message: String) async throws {
        #expect(try await refusal(.init(status: 422, body: body))?.message == message)
    }

    @Test func `a long reason is cut, and a token in it is hidden`() async throws {
        let long = String(repeating: "word ", count: 400)
        let cut = try await refusal(.init(status: 422, body: #"{"message":"\#(long)"}"#))
        #expect(cut?.message.unicodeScalars.count == 300)
        let secret = try await refusal(
            .init(status: 422, body: #"{"message":"Bad \#(GitHubFixture.token)"}"#))
        #expect(secret?.message.contains(GitHubFixture.token) == false)
    }

    @Test(
        arguments: [
            ("read:org", "public_repo, repo", "repo"), ("repo", "repo", nil),
            ("gist", "workflow", "workflow"),
            ("public_repo", "public_repo, repo", nil), ("read:org", "", nil), (nil, "repo", nil),
        ] as [(String?, String, String?)])
    func `the missing scope is one of those that GitHub accepts`(
        token: String?, accepted: String, missing: String?
    ) async throws {
        let headers =
            ["X-Accepted-OAuth-Scopes: \(accepted)"] + (token.map { ["X-OAuth-Scopes: \($0)"] } ?? [])
        let refusal = try await refusal(.init(status: 404, headers: headers, body: "{}"))
        #expect(refusal?.missingScope == missing)
    }

    @Test func `an act is sent as JSON with the token, and may be answered with any success`() async throws {
        for status in [200, 201, 202, 204] {
            try await withSession({ _ in .init(status: status) }) { session, upstream, _ in
                let answer = try await session.act(
                    "PATCH", "/repos/a/b/pulls/1", body: Data(#"{"a":1}"#.utf8))
                #expect(answer.status == status)
                let request = try #require(upstream.requests.first)
                #expect(request.method == "PATCH" && request.target == "/api/v3/repos/a/b/pulls/1")
                #expect(request.headers["content-type"] == "application/json")
                #expect(request.headers["authorization"] == "Bearer \(GitHubFixture.token)")
                #expect(request.body == #"{"a":1}"#)
            }
        }
    }

    @Test func `reading still expects status 200`() async throws {
        try await withSession({ _ in .init(status: 201, body: "{}") }) { session, _, _ in
            let failure = try await GitHubTests.failure { _ = try await session.get("/repos/a/b") }
            #expect(failure?.status == 201)
        }
    }
}
