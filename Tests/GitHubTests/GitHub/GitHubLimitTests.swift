import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct GitHubLimitTests {
    private typealias Response = ScriptedUpstream.Response
    private static let reset = TestClock.start + 3_600

    private static func limit(_ wait: Double) -> APIError { .rateLimited(resetDate: TestClock.start + wait) }

    @Test func `budgets are kept by resource, from the headers or the path`() async throws {
        try await withSession({ request in
            switch request.path {
            case "/user": Response(headers: GitHubScript.budget(remaining: 4_812), body: "{}")
            case "/search/issues":
                Response(
                    headers: [
                        "X-RateLimit-Limit: 30", "X-RateLimit-Remaining: 29", "X-RateLimit-Reset: 1794315600",
                    ],
                    body: "{}")
            default: Response(body: "{}")
            }
        }) { session, _, _ in
            for path in ["/user", "/search/issues", "/no-headers"] { _ = try await session.get(path) }
            #expect(
                session.budgets == [
                    "core": RateBudget(resource: "core", limit: 5_000, remaining: 4_812, resetAt: Self.reset),
                    "search": RateBudget(resource: "search", limit: 30, remaining: 29, resetAt: Self.reset),
                ])
        }
    }

    @Test(arguments: [
        "X-RateLimit-Remaining: many", "X-RateLimit-Remaining: -1",
        "X-RateLimit-Remaining: 99999999999999999999",
    ])
    func `a malformed budget is ignored`(line: String) async throws {
        let headers = ["X-RateLimit-Limit: 5000", line, "X-RateLimit-Reset: 1794315600"]
        try await withSession({ _ in Response(headers: headers, body: "{}") }) { session, _, _ in
            _ = try await session.get("/user")
            #expect(session.budgets.isEmpty)
        }
    }

    @Test func `an exhausted budget blocks only its resource, until the reset and without a request`()
        async throws
    {
        try await withSession({ request in
            request.path.hasPrefix("/search")
                ? Response(
                    headers: GitHubScript.budget(
                        "search", remaining: 0, limit: 30, reset: TestClock.start + 40), body: "{}")
                : Response(body: "{}")
        }) { session, upstream, clock in
            _ = try await session.get("/search/issues?q=1")
            let failure = try await failure { _ = try await session.get("/search/issues?q=2") }
            #expect(failure?.error == Self.limit(40))
            #expect(failure?.retryAfter == 40)
            #expect(session.blockedUntil("search") == TestClock.start + 40)
            #expect(session.blockedUntil("core") == nil)
            _ = try await session.get("/user")
            #expect(upstream.requests.count == 2)
            clock.advance(41)
            #expect(session.blockedUntil("search") == nil)
            _ = try await session.get("/search/issues?q=3")
            #expect(upstream.requests.count == 3)
        }
    }

    @Test func `a secondary limit blocks everything, and each time longer if it names no time`() async throws
    {
        try await withSession({ _ in
            Response(status: 403, body: #"{"message":"You have exceeded a secondary rate limit"}"#)
        }) { session, upstream, clock in
            for wait in [60.0, 120, 240] {
                let now = clock.now
                let failure = try await failure { _ = try await session.get("/user") }
                #expect(failure?.error == .rateLimited(resetDate: now + wait))
                #expect(failure?.retryAfter == wait)
                #expect(session.blockedUntil("graphql") == now + wait)
                clock.advance(wait + 1)
            }
            #expect(upstream.requests.count == 3)
            upstream.turn { _ in Response(body: "{}") }
            _ = try await session.get("/user")
            upstream.turn { _ in Response(status: 429) }
            let failure = try await failure { _ = try await session.get("/user") }
            #expect(failure?.retryAfter == 60)
        }
    }

    @Test func `requests in the queue are not sent once the limit is reached`() async throws {
        let gate = Barrier()
        try await withSession({ _ in
            gate.wait()
            return Response(status: 429, headers: ["Retry-After: 30"])
        }) { session, upstream, _ in
            let first = Task { try await failure { _ = try await session.get("/a") } }
            try await wait(for: "the first request") { upstream.requests.count == 1 }
            let second = Task { try await failure { _ = try await session.get("/b") } }
            try await wait(for: "the queued requests") { session.waiting == 1 }
            gate.open()
            #expect(try await first.value?.error == Self.limit(30))
            #expect(try await second.value?.error == Self.limit(30))
            #expect(upstream.requests.count == 1)
        }
    }

    @Test(arguments: ["RATE_LIMITED", "RATE_LIMIT"])
    func `a GraphQL limit with status 200 is a limit`(type: String) async throws {
        let body = #"{"data":null,"errors":[{"type":"\#(type)","message":"API rate limit exceeded"}]}"#
        let headers = GitHubScript.budget("graphql", remaining: 0, reset: TestClock.start + 120)
        try await withSession({ _ in Response(headers: headers, body: body) }) { session, upstream, _ in
            for _ in 1...2 {
                let failure = try await failure {
                    _ = try await session.graphQL(query: "{ viewer { login } }", variables: [:])
                }
                #expect(failure?.error == Self.limit(120))
            }
            #expect(upstream.requests.count == 1)
            #expect(session.blockedUntil("core") == nil)
        }
    }

    @Test func `without headers the figures in the body count, otherwise a minute`() async throws {
        let limited = #""errors":[{"type":"RATE_LIMITED"}]"#
        let reset = #""rateLimit":{"limit":5000,"remaining":0,"resetAt":"2026-11-10T12:10:00Z"}"#
        for (body, wait) in [("{\"data\":{\(reset)},\(limited)}", 600.0), ("{\(limited)}", 60)] {
            try await withSession({ _ in Response(body: body) }) { session, _, _ in
                let failure = try await failure { _ = try await session.graphQL(query: "{}", variables: [:]) }
                #expect(failure?.error == Self.limit(wait))
                #expect(session.blockedUntil("graphql") == TestClock.start + wait)
            }
        }
    }

    @Test func `GraphQL's budget is read from the body if the headers have none`() async throws {
        let body = #"{"data":{"rateLimit":{"limit":5000,"remaining":4990,"resetAt":"2026-11-10T13:00:00Z"}}}"#
        try await withSession({ _ in Response(body: body) }) { session, _, _ in
            _ = try await session.graphQL(query: "{}", variables: [:])
            #expect(
                session.budgets["graphql"]
                    == RateBudget(resource: "graphql", limit: 5_000, remaining: 4_990, resetAt: Self.reset))
        }
    }

    @Test func `other GraphQL errors are left to the caller`() async throws {
        let body = #"{"data":{"a":null,"title":"\"RATE_LIMIT"},"errors":[{"type":"NOT_FOUND"},7]}"#
        try await withSession({ _ in Response(body: body) }) { session, _, _ in
            let answer = try await session.graphQL(query: "{}", variables: [:])
            #expect(String(decoding: answer, as: UTF8.self) == body)
        }
    }
}
