import Foundation
import Testing

@testable import GitHub

/// What monitoring knows of an account's requests.
@Suite struct GitHubOutcomesTests {
    @Test func `the last good answer and the failures by kind are known, and nothing of what was asked`()
        async throws
    {
        let status = Shared(200)
        try await withSession({ _ in .init(status: status.value, body: "{}") }) { session, _, clock in
            #expect(session.outcomes == GitHubOutcomes())
            _ = try await session.get("/repos/secret/plans")
            let good = clock.now
            #expect(session.outcomes.lastSuccess == good && session.outcomes.lastError == nil)
            clock.advance(60)
            for next in [503, 404, 502] {
                status.set(next)
                _ = try await failure { _ = try await session.get("/repos/secret/plans") }
            }
            #expect(session.outcomes.failures == ["serverError": 2, "invalidResponse": 1])
            #expect(session.outcomes.lastError == .serverError(statusCode: 502))
            #expect(session.outcomes.lastSuccess == good)
            #expect(!"\(session.outcomes)".contains("secret"))
            status.set(200)
            _ = try await session.get("/user")
            #expect(session.outcomes.lastError == nil && session.outcomes.lastSuccess == clock.now)
            #expect(session.outcomes.failures["serverError"] == 2)
            status.set(404)
            _ = try await failure { _ = try await session.get("/repos/a/gone") }
            #expect(session.outcomes.lastError == nil && session.outcomes.failures["invalidResponse"] == 2)
        }
    }

    @Test(
        arguments: [
            (403, [], "forbidden"), (403, ["X-GitHub-SSO: required"], "singleSignOn"),
            (451, [], "legallyBlocked"),
            (404, [], "invalidResponse"),
        ] as [(Int, [String], String)])
    func `what is closed to the account is counted by kind, and the account has not failed`(
        status: Int, headers: [String], kind: String
    ) async throws {
        try await withSession({ _ in .init(status: status, headers: headers, body: "{}") }) { session, _, _ in
            _ = try await failure { _ = try await session.get("/repos/secret/plans") }
            #expect(session.outcomes.failures == [kind: 1])
            #expect(session.outcomes.lastError == nil && session.outcomes.lastSuccess == nil)
        }
    }

    @Test(arguments: [
        "<!DOCTYPE html><p>Maintenance", #"{"data":null,"errors":[{"message":"Something went wrong"}]}"#,
        #"{"errors":[{"message":"Field 'x' doesn't exist on type 'Query'"}]}"#, "{}", "",
    ])
    func `an answer of 200 without what was asked for is a failure and no success`(body: String) async throws
    {
        try await withSession({ _ in .init(body: body) }) { session, _, _ in
            _ = try await session.graphQL(query: "{ x }", variables: [:])
            #expect(session.outcomes.failures == ["invalidResponse": 1])
            #expect(session.outcomes.lastError == .invalidResponse(statusCode: 200))
            #expect(session.outcomes.lastSuccess == nil)
        }
    }

    @Test(arguments: [
        #"{"data":{"x":1}}"#, #"{"data":{"x":null},"errors":[{"message":"one of them"}]}"#,
        "\n {\"errors\":[],\"data\":{}}",
    ])
    func `data beside errors is a success`(body: String) async throws {
        try await withSession({ _ in .init(body: body) }) { session, _, clock in
            _ = try await session.graphQL(query: "{ x }", variables: [:])
            #expect(session.outcomes.failures.isEmpty && session.outcomes.lastSuccess == clock.now)
        }
    }

    @Test func `a page is a failure where JSON was asked for, and none where a page was`() async throws {
        try await withSession({ _ in .init(body: "<p>Hello") }) { session, _, clock in
            _ = try await session.get("/repos/a/b")
            #expect(session.outcomes.failures == ["invalidResponse": 1])
            #expect(session.outcomes.lastSuccess == nil)
            _ = try await session.get(
                "/repos/a/b/readme", accept: "application/vnd.github.html", etag: nil, .background)
            #expect(session.outcomes.lastError == nil && session.outcomes.lastSuccess == clock.now)
        }
    }

    @Test func `a clock that is set takes the time of the last good answer with it`() async throws {
        try await withSession({ _ in .init(body: "{}") }) { session, _, clock in
            _ = try await session.get("/user")
            let good = clock.now
            clock.jump(3_600)
            #expect(session.outcomes.lastSuccess == good + 3_600)
        }
    }
}
