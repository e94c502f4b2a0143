import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices

/// Requests for users without a GitHub account: signed out, or with the operator's token.
@Suite struct FallbackGitHubClientTests {
    private typealias Response = ScriptedUpstream.Response

    private static let token = "ghp_theOperatorsOwnSecret"

    private func withShared(
        token: String? = nil, _ script: @escaping ScriptedUpstream.Script,
        _ body: (GitHubAccountService, ScriptedUpstream, LogCapture) async throws -> Void
    ) async throws {
        let upstream = try ScriptedUpstream(script)
        let client = HTTPClient(userAgent: "Roost/test")
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer {
            client.shutdown()
            upstream.stop()
            try? FileManager.default.removeItem(at: folder)
        }
        var configuration = Services.Configuration(dataFolder: folder.path)
        configuration.gitHub.hosts = GitHubHosts(apiURL: upstream.url)
        configuration.gitHub.token = try token.map {
            try GitHubToken(value: $0, createdAt: TestClock.start, scopes: [])
        }
        let log = LogCapture()
        let services = try Services(
            configuration, client: client, clock: TestClock().wallClock, log: log.logger)
        let result: Result<Void, any Error>
        do { result = .success(try await body(services.gitHub.accounts, upstream, log)) } catch {
            result = .failure(error)
        }
        try services.close()
        try result.get()
    }

    private static func signedOut(_ request: ScriptedUpstream.Request) -> Response {
        Response(headers: GitHubScript.budget(remaining: 57, limit: 60), body: "[]")
    }

    /// Refuses every token.
    private static func refusing(_ request: ScriptedUpstream.Request) -> Response {
        request.headers["authorization"] == nil ? signedOut(request) : GitHubScript.badCredentials
    }

    @Test func `without a token requests are signed out, with a limit of sixty an hour`() async throws {
        try await withShared({ Self.signedOut($0) }) { gitHub, upstream, _ in
            #expect(!gitHub.hasServerToken)
            _ = try await gitHub.shared.get("/repositories", etag: nil, .click)
            let request = try #require(upstream.requests.first)
            #expect(request.headers["authorization"] == nil)
            #expect(request.headers["accept"] == "application/vnd.github+json")
            let budget = try #require(gitHub.shared.budgets["core"])
            #expect((budget.limit, budget.remaining) == (60, 57))
        }
    }

    @Test func `every kind of request carries the configured token`() async throws {
        try await withShared(token: Self.token, { _ in Response(headers: GitHubScript.budget(), body: "{}") })
        {
            gitHub, upstream, _ in
            #expect(gitHub.hasServerToken)
            #expect(gitHub.client(for: 7) === gitHub.shared)
            _ = try await gitHub.shared.get("/repositories", etag: nil, .click)
            _ = try await gitHub.shared.get(
                "/repos/a/b/readme", accept: "application/vnd.github.html", etag: nil, .background)
            _ = try await gitHub.shared.graphQL(query: "{ x }", variables: [:], .background)
            #expect(upstream.requests.count == 3)
            for request in upstream.requests {
                #expect(request.headers["authorization"] == "Bearer \(Self.token)")
            }
            #expect(upstream.requests[1].headers["accept"] == "application/vnd.github.html")
            #expect(gitHub.shared.budgets["core"]?.limit == 5_000)
        }
    }

    @Test func `users with an account at the standard host use their own session; all others share one`()
        async throws
    {
        try await withGitHub { github in
            let accounts = github.accounts
            #expect(accounts.client(for: github.ada) === accounts.shared)
            let id = try await github.connect().id
            #expect(accounts.client(for: github.ada) === accounts.session(of: id))
            #expect(accounts.client(for: github.ada + 1) === accounts.shared)
            try await accounts.disconnect(id, of: github.ada)
            #expect(accounts.client(for: github.ada) === accounts.shared)
        }
    }

    @Test func `a refused token is dropped with one log line, and the request is repeated without it`()
        async throws
    {
        try await withShared(token: Self.token, { Self.refusing($0) }) { gitHub, upstream, log in
            for _ in 1...3 { _ = try await gitHub.shared.get("/repositories", etag: nil, .click) }
            let carried = upstream.requests.map { $0.headers["authorization"] != nil }
            #expect(carried == [true, false, false, false])
            #expect(!gitHub.hasServerToken)
            #expect(gitHub.shared.budgets["core"]?.limit == 60)
            let lines = log.lines.filter { $0.contains("--github-token") }
            #expect(lines.count == 1)
            #expect(!log.lines.contains { $0.contains(Self.token) })
        }
    }

    @Test func `concurrent refusals make one log line`() async throws {
        try await withShared(token: Self.token, { Self.refusing($0) }) { gitHub, _, log in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { _ = try await gitHub.shared.get("/x\(number)", etag: nil, .background) }
                }
                try await group.waitForAll()
            }
            #expect(log.lines.filter { $0.contains("--github-token") }.count == 1)
        }
    }

    @Test(arguments: [403, 404, 500, 502]) func `no other failure drops the token`(status: Int)
        async throws
    {
        try await withShared(token: Self.token, { _ in Response(status: status, body: "{}") }) {
            gitHub, upstream, _ in
            for _ in 1...2 {
                let failure = try await failure { _ = try await gitHub.shared.get("/x", etag: nil, .click) }
                #expect(failure?.status == status)
            }
            #expect(gitHub.hasServerToken)
            #expect(upstream.requests.allSatisfy { $0.headers["authorization"] != nil })
        }
    }

    @Test func `an answer that repeats the token does not leak it`() async throws {
        try await withShared(token: Self.token, { _ in Response(body: "{\"a\":\"\(Self.token)\"}") }) {
            gitHub, _, _ in
            let answer = try await gitHub.shared.get("/x", etag: nil, .click)
            #expect(String(decoding: answer.body, as: UTF8.self) == "{\"a\":\"…\"}")
        }
    }

    @Test func `a 401 while signed out refuses one request and changes nothing else`() async throws {
        try await withShared({ request in
            request.method == "POST" ? GitHubScript.badCredentials : Self.signedOut(request)
        }) { gitHub, upstream, log in
            for _ in 1...2 {
                let failure = try await failure {
                    _ = try await gitHub.shared.graphQL(query: "{ x }", variables: [:], .click)
                }
                #expect(failure?.error == .forbidden)
            }
            _ = try await gitHub.shared.get("/repositories", etag: nil, .click)
            #expect(upstream.requests.count == 3)
            #expect(log.lines.isEmpty)
        }
    }

    @Test func `an exhausted limit is reported without a request`() async throws {
        let spent = Response(headers: GitHubScript.budget(remaining: 0, limit: 60), body: "[]")
        try await withShared({ _ in spent }) { gitHub, upstream, _ in
            _ = try await gitHub.shared.get("/repositories", etag: nil, .click)
            let failure = try await failure {
                _ = try await gitHub.shared.get("/repos/a/b", etag: nil, .click)
            }
            #expect(failure?.error == .rateLimited(resetDate: TestClock.start + 3_600))
            #expect(gitHub.shared.blockedUntil("core") == TestClock.start + 3_600)
            #expect(gitHub.shared.blockedUntil("search") == nil)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func `printing the configuration does not print the token`() throws {
        var configuration = GitHubConfiguration()
        configuration.token = try GitHubToken(value: Self.token, createdAt: TestClock.start, scopes: [])
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains(Self.token))
        }
    }
}
