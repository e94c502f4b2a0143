import Foundation
import TestSupport
import Testing

@Suite struct GitHubSessionTests {
    private typealias Response = ScriptedUpstream.Response

    @Test func `a request carries GitHub's required headers and the token`() async throws {
        try await withSession({ _ in Response(body: "{}") }) { session, upstream, _ in
            _ = try await session.get("/search/issues?q=is%3Apr&page=2")
            let request = try #require(upstream.requests.first)
            #expect(request.target == "/api/v3/search/issues?q=is%3Apr&page=2")
            #expect(request.headers["accept"] == "application/vnd.github+json")
            #expect(request.headers["x-github-api-version"] == "2022-11-28")
            #expect(request.headers["authorization"] == "Bearer \(GitHubFixture.token)")
            #expect(request.headers["user-agent"] == "Roost/test")
        }
    }

    @Test func `GraphQL is posted as JSON to its own address`() async throws {
        try await withSession({ _ in Response(body: #"{"data":{"a":1}}"#) }) { session, upstream, _ in
            let body = try await session.graphQL(query: "query { \"x\" }", variables: ["q": "is:pr \"ä\""])
            #expect(String(decoding: body, as: UTF8.self) == #"{"data":{"a":1}}"#)
            let request = try #require(upstream.requests.first)
            #expect(request.method == "POST")
            #expect(request.target == "/api/graphql")
            #expect(request.headers["content-type"] == "application/json")
            struct Sent: Decodable {
                let query: String
                let variables: [String: String]
            }
            let sent = try JSONDecoder().decode(Sent.self, from: Data(request.body.utf8))
            #expect(sent.query == "query { \"x\" }")
            #expect(sent.variables == ["q": "is:pr \"ä\""])
        }
    }

    @Test func `a GraphQL operation is named as in its document`() async throws {
        try await withSession({ _ in Response(body: #"{"data":{}}"#) }) { session, upstream, _ in
            for query in ["query Inbox($ids: [ID!]!) { x }", "query Viewer { x }", "{ x }"] {
                _ = try await session.graphQL(query: query, variables: ["ids": .list(["a", "b"])])
            }
            struct Sent: Decodable {
                let operationName: String?
                let variables: [String: [String]]
            }
            let sent = try upstream.requests.map {
                try JSONDecoder().decode(Sent.self, from: Data($0.body.utf8))
            }
            #expect(sent.map(\.operationName) == ["Inbox", "Viewer", nil])
            #expect(sent.allSatisfy { $0.variables == ["ids": ["a", "b"]] })
        }
    }

    @Test func `an entity tag is sent back, and 304 is a valid answer`() async throws {
        try await withSession({ request in
            request.headers["if-none-match"] == nil
                ? Response(headers: [#"ETag: W/"one""#], body: "[]") : Response(status: 304)
        }) { session, upstream, _ in
            let first = try await session.get("/user/teams")
            #expect(first.etag == #"W/"one""#)
            let second = try await session.get("/user/teams", etag: first.etag)
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(upstream.requests.last?.headers["if-none-match"] == #"W/"one""#)
        }
    }

    @Test func `the content of a file is read up to 5 MB, other answers up to more`() async throws {
        let body = String(repeating: "x", count: (5 << 20) + 2)
        try await withSession({ _ in Response(body: body) }) { session, _, _ in
            let page = try await session.get(
                "/repos/a/b/readme", accept: "application/vnd.github.html", etag: nil, .click)
            #expect(page.body.count == body.utf8.count)
            await #expect(throws: (any Error).self) {
                try await session.get(
                    "/repos/a/b/contents/c.png", accept: "application/vnd.github.raw", etag: nil, .click)
            }
        }
    }

    @Test func `a link becomes a path on the account's own host, whatever host it names`() async throws {
        let link =
            #"Link: <https://evil.example/api/v3/search/issues?q=a%2Cb&page=2>; rel="next", "#
            + #"<https://api.github.com/x{?since}>; rel="first", <https://api.github.com/x?page=9>; rel="last", "#
            + #"<javascript:alert(1)>; rel="prev""#
        try await withSession({ _ in Response(headers: [link], body: "{}") }) { session, _, _ in
            let answer = try await session.get("/search/issues")
            #expect(answer.links == ["next": "/search/issues?q=a%2Cb&page=2", "last": "/x?page=9"])
        }
    }

    @Test(arguments: [301, 302, 307, 308])
    func `a redirect within the same origin is followed with the token`(status: Int) async throws {
        try await withSession({ request in
            request.path == "/old"
                ? Response(status: status, headers: ["Location: /api/v3/new?x=1"]) : Response(body: "{}")
        }) { session, upstream, _ in
            _ = try await session.get("/old")
            let last = try #require(upstream.requests.last)
            #expect(last.target == "/api/v3/new?x=1")
            #expect(last.headers["authorization"] == "Bearer \(GitHubFixture.token)")
        }
    }

    @Test(arguments: [
        "", "//HOST", "http://HOST/api/v3/new", "http://ada@HOST/new", "https://HOST/", "file:///x",
    ])
    func `a redirect to another origin is not followed`(location: String) async throws {
        let other = try ScriptedUpstream { _ in Response(body: #"{"login":"eve"}"#) }
        defer { other.stop() }
        let target = location.replacing("HOST", with: "127.0.0.1:\(other.port)")
        try await withSession({ _ in Response(status: 302, headers: ["Location: \(target)"]) }) {
            session, upstream, _ in
            let failure = try await failure { _ = try await session.get("/old") }
            #expect(failure?.error == .invalidResponse(statusCode: 302))
            #expect(upstream.requests.count == 1)
            #expect(other.requests.isEmpty)
        }
    }

    @Test func `a redirect loop ends`() async throws {
        try await withSession({ _ in Response(status: 302, headers: ["Location: /api/v3/again"]) }) {
            session, upstream, _ in
            let failure = try await failure { _ = try await session.get("/again") }
            #expect(failure?.error == .invalidResponse(statusCode: 200))
            #expect(upstream.requests.count == 4)
        }
    }

    @Test func `a host that a user entered is not contacted inside the LAN`() async throws {
        try await withSession(isTrusted: false, { _ in Response(body: "{}") }) { session, upstream, _ in
            let failure = try await failure { _ = try await session.get("/user") }
            #expect(failure?.error == .networkUnavailable)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func `after a 401 nothing more is sent with the token`() async throws {
        try await withSession({ _ in GitHubScript.badCredentials }) { session, upstream, _ in
            for _ in 1...2 {
                let failure = try await failure { _ = try await session.get("/user") }
                #expect(failure?.error == .unauthorized)
            }
            #expect(upstream.requests.count == 1)
            // The budget of a 401 is not the token's.
            #expect(session.budgets.isEmpty)
        }
    }

    @Test func `one request runs at a time, and a click goes before background requests`() async throws {
        let gate = Barrier()
        let atOnce = Shared(0)
        try await withSession({ request in
            atOnce.set(atOnce.value + 1)
            defer { atOnce.set(atOnce.value - 1) }
            if request.path == "/first" { gate.wait() }
            return Response(status: atOnce.value == 1 ? 200 : 500, body: "{}")
        }) { session, upstream, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await session.get("/first") }
                try await wait(for: "the first request") { upstream.requests.count == 1 }
                for path in ["/a", "/b"] {
                    let waiting = session.waiting
                    group.addTask { _ = try await session.get(path) }
                    try await wait(for: "the queued request") { session.waiting == waiting + 1 }
                }
                group.addTask { _ = try await session.get("/clicked", .click) }
                try await wait(for: "the queued requests") { session.waiting == 3 }
                #expect(upstream.requests.count == 1)
                gate.open()
                try await group.waitForAll()
            }
            #expect(upstream.requests.map(\.path) == ["/first", "/clicked", "/a", "/b"])
        }
    }

    @Test func `a cancelled request leaves the queue without being sent`() async throws {
        let gate = Barrier()
        try await withSession({ request in
            if request.path == "/first" { gate.wait() }
            return Response(body: "{}")
        }) { session, upstream, _ in
            let first = Task { _ = try await session.get("/first") }
            try await wait(for: "the first request") { upstream.requests.count == 1 }
            let second = Task { _ = try await session.get("/second") }
            try await wait(for: "the queued request") { session.waiting == 1 }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(session.waiting == 0)
            gate.open()
            try await first.value
            _ = try await session.get("/third")
            #expect(upstream.requests.map(\.path) == ["/first", "/third"])
        }
    }

    @Test func `a request that is cancelled while running lets the next one start`() async throws {
        let gate = Barrier()
        try await withSession({ request in
            if request.path == "/first" { gate.wait() }
            return Response(body: "{}")
        }) { session, upstream, _ in
            let first = Task { _ = try await session.get("/first") }
            try await wait(for: "the first request") { upstream.requests.count == 1 }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            _ = try await session.get("/second")
            gate.open()
        }
    }
}

/// Holds a scripted answer back until it is opened.
final class Barrier: Sendable {
    private let isOpen = Shared(false)

    func open() { isOpen.set(true) }

    /// Blocks the upstream's own thread, for ten seconds at most.
    func wait() {
        let deadline = Date() + 10
        while !isOpen.value, Date() < deadline { Thread.sleep(forTimeInterval: 0.002) }
    }
}
