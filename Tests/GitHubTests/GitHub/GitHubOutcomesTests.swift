import Foundation
import TestSupport
import Testing

@testable import GitHub

/// What monitoring records of an account's requests.
@Suite struct GitHubOutcomesTests {
    @Test func `the last success and the failures by kind are recorded, and nothing about the requests`()
        async throws
    {
        let status = Shared(200)
        try await withSession({ _ in .init(status: status.value, body: "{}") }) { session, _, clock in
            #expect(session.outcomes == GitHubOutcomes())
            _ = try await session.get("/repos/secret/plans")
            let successAt = clock.now
            #expect(session.outcomes.lastSuccess == successAt && session.outcomes.lastError == nil)
            clock.advance(60)
            for next in [503, 404, 502] {
                status.set(next)
                _ = try await failure { _ = try await session.get("/repos/secret/plans") }
            }
            #expect(session.outcomes.failures == ["serverError": 2, "invalidResponse": 1])
            #expect(session.outcomes.lastError == .serverError(statusCode: 502))
            #expect(session.outcomes.lastSuccess == successAt)
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
    func `refused access is counted by kind and does not mark the account as failed`(
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
    func `a 200 without the requested data is a failure`(body: String) async throws {
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
    func `data with errors is a success`(body: String) async throws {
        try await withSession({ _ in .init(body: body) }) { session, _, clock in
            _ = try await session.graphQL(query: "{ x }", variables: [:])
            #expect(session.outcomes.failures.isEmpty && session.outcomes.lastSuccess == clock.now)
        }
    }

    @Test func `HTML is a failure if JSON was requested, and a success if HTML was`() async throws {
        try await withSession({ _ in .init(body: "<p>Hello") }) { session, _, clock in
            _ = try await session.get("/repos/a/b")
            #expect(session.outcomes.failures == ["invalidResponse": 1])
            #expect(session.outcomes.lastSuccess == nil)
            _ = try await session.get(
                "/repos/a/b/readme", accept: "application/vnd.github.html", etag: nil, .background)
            #expect(session.outcomes.lastError == nil && session.outcomes.lastSuccess == clock.now)
        }
    }

    @Test func `setting the clock shifts the time of the last success`() async throws {
        try await withSession({ _ in .init(body: "{}") }) { session, _, clock in
            _ = try await session.get("/user")
            let successAt = clock.now
            clock.jump(3_600)
            #expect(session.outcomes.lastSuccess == successAt + 3_600)
        }
    }
}
