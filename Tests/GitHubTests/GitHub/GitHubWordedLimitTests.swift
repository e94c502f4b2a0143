import Foundation
import TestSupport
import Testing

@testable import GitHub

/// Limits that GraphQL reports with status 200 and by message only.
@Suite struct GitHubWordedLimitTests {
    private typealias Response = ScriptedUpstream.Response

    private func ask(_ session: GitHubSession) async throws -> GitHubFailure? {
        try await failure { _ = try await session.graphQL(query: "{ viewer { login } }", variables: [:]) }
    }

    @Test(arguments: [
        #"{"errors":[{"message":"You have exceeded a secondary rate limit. Please wait a few minutes"}]}"#,
        #"{"data":null,"errors":[{"message":"You have exceeded a secondary rate limit."}]}"#,
        #"{"message":"You have exceeded a secondary rate limit.","documentation_url":"https://docs.github.com"}"#,
    ])
    func `a secondary limit blocks everything, a minute at first and longer each time`(body: String)
        async throws
    {
        try await withSession({ _ in Response(headers: GitHubScript.budget("graphql"), body: body) }) {
            session, upstream, clock in
            for wait in [60.0, 120, 240] {
                let failure = try await ask(session)
                #expect(failure?.error == .rateLimited(resetDate: clock.now + wait))
                #expect(session.blockedUntil("search") == clock.now + wait)
                clock.advance(wait + 1)
            }
            #expect(upstream.requests.count == 3)
        }
    }

    @Test func `a secondary limit's own wait time is used`() async throws {
        let body = #"{"errors":[{"message":"You have exceeded a secondary rate limit."}]}"#
        try await withSession({ _ in Response(headers: ["Retry-After: 90"], body: body) }) {
            session, _, clock in
            let failure = try await ask(session)
            #expect(failure?.error == .rateLimited(resetDate: clock.now + 90))
        }
    }

    @Test func `the primary limit without a type blocks GraphQL until its reset`() async throws {
        let headers = GitHubScript.budget("graphql", remaining: 0, reset: TestClock.start + 125)
        let body = #"{"errors":[{"message":"API rate limit already exceeded for user ID 1."}]}"#
        try await withSession({ _ in Response(headers: headers, body: body) }) { session, _, _ in
            let failure = try await ask(session)
            #expect(failure?.error == .rateLimited(resetDate: TestClock.start + 125))
            #expect(session.blockedUntil("core") == nil)
        }
    }

    @Test(arguments: [
        #"{"data":null,"errors":[{"message":"Odd query: secondary rate limit","path":["own1"]}]}"#,
        #"{"data":{"a":"secondary rate limit"},"message":"rate limit exceeded"}"#,
    ])
    func `a message that only quotes user text is not a limit`(body: String) async throws {
        try await withSession({ _ in Response(body: body) }) { session, _, _ in
            let failure = try await ask(session)
            #expect(failure == nil)
        }
    }
}
