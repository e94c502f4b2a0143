import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostSupport

@Suite struct GitHubFailureTests {
    private func failure(_ answer: ScriptedUpstream.Response) async throws -> GitHubFailure? {
        let stored = Shared<GitHubFailure?>(nil)
        try await withSession({ _ in answer }) { session, _, _ in
            stored.set(try await GitHubTests.failure { _ = try await session.get("/repos/a/b") })
        }
        return stored.value
    }

    private static let forbidden = #"{"message":"Resource not accessible by personal access token"}"#
    private static let secondary = #"{"message":"You have exceeded a secondary rate limit. Please wait"}"#
    private static let soon = Int((TestClock.start + 90).timeIntervalSince1970)

    private static func limit(_ wait: Double) -> APIError { .rateLimited(resetDate: TestClock.start + wait) }

    @Test(
        arguments: [
            (401, [], #"{"message":"Bad credentials"}"#, APIError.unauthorized),
            (401, GitHubScript.budget(remaining: 0), "", .unauthorized),
            (403, [], forbidden, .forbidden),
            (403, GitHubScript.budget(remaining: 1), forbidden, .forbidden),
            (403, ["Retry-After: 17"] + GitHubScript.budget(remaining: 0), forbidden, limit(17)),
            (403, GitHubScript.budget(remaining: 0), forbidden, limit(3_600)),
            (403, GitHubScript.budget(remaining: 4_000), secondary, limit(60)),
            (403, ["gh-limited-by: search-elapsed-time"], "{}", limit(60)),
            (403, [], #"{"message":"You have triggered an abuse detection mechanism."}"#, limit(60)),
            (403, ["X-RateLimit-Remaining: 0"], forbidden, .forbidden),
            (429, [], "", limit(60)),
            (429, ["Retry-After: Tue, 10 Nov 2026 12:01:30 GMT"], "", limit(90)),
            (429, ["Retry-After: soon"], "", limit(60)),
            (
                429, ["X-RateLimit-Limit: 30", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(soon)"], "",
                limit(90)
            ),
            (429, GitHubScript.budget(remaining: 0, reset: TestClock.start - 9), "", limit(60)),
            (429, GitHubScript.budget(remaining: 0, reset: TestClock.start + 1e9), "", limit(3_900)),
            (404, [], #"{"message":"Not Found"}"#, .invalidResponse(statusCode: 404)),
            (404, GitHubScript.budget(remaining: 0), "", .invalidResponse(statusCode: 404)),
            (451, [], #"{"message":"Repository access blocked"}"#, .legallyBlocked),
            (422, [], #"{"message":"Validation Failed"}"#, .invalidResponse(statusCode: 422)),
            (304, [], "", .invalidResponse(statusCode: 304)),
            (302, [], "", .invalidResponse(statusCode: 302)),
            (500, [], "", .serverError(statusCode: 500)),
            (502, ["Retry-After: 5"], "<html>", .serverError(statusCode: 502)),
            (503, [], "<!DOCTYPE html><p>Unicorn! rate limit exceeded", .serverError(statusCode: 503)),
        ] as [(Int, [String], String, APIError)])
    func `each answer is mapped to its error`(status: Int, headers: [String], body: String, error: APIError)
        async throws
    {
        let failure = try await failure(.init(status: status, headers: headers, body: body))
        #expect(failure?.error == error)
        #expect(failure?.status == status)
    }

    private static let authorization =
        "https://github.com/orgs/octodocs/sso?authorization_request=AZSCKtL4U8yX1H"

    /// The errors for a 403 with these headers, by REST and by GraphQL, with pages at https://github.com.
    private func singleSignOn(_ headers: [String]) async throws -> [APIError?] {
        let errors = Shared<[APIError?]>([])
        let answer = ScriptedUpstream.Response(status: 403, headers: headers, body: Self.forbidden)
        try await withSession(webURL: "https://github.com", { _ in answer }) { session, _, _ in
            let rest = try await GitHubTests.failure { _ = try await session.get("/repos/a/b") }
            let graphQL = try await GitHubTests.failure {
                _ = try await session.graphQL(query: "{ x }", variables: [:])
            }
            errors.set([rest?.error, graphQL?.error])
        }
        return errors.value
    }

    @Test func `an organisation's single sign-on is reported, with GitHub's link to authorise the token`()
        async throws
    {
        let errors = try await singleSignOn(["X-GitHub-SSO: required; url=\(Self.authorization)"])
        let error = APIError.singleSignOn(authorizationURL: Self.authorization)
        #expect(errors == [error, error])
        #expect(error.authorizationURL == Self.authorization)
        #expect(error.message(source: "GitHub").contains("single sign-on"))
    }

    @Test(arguments: [
        "required; url=http://github.com/orgs/a/sso", "required; url=https://evil.example/orgs/a/sso",
        "required; url=https://github.com.evil.example/sso", "required; url=https://github.com@evil.example/",
        "required; url=https://github.com:8443/sso", "required; url=javascript:alert(1)",
        "required; url=//github.com/sso", "required; url=https://github.com/\"><script>", "required",
        "required; url=", "required; url=https://github.com/\(String(repeating: "a", count: 2_000))",
    ])
    func `a link to another host is dropped`(header: String) async throws {
        let error = APIError.singleSignOn(authorizationURL: nil)
        #expect(try await singleSignOn(["X-GitHub-SSO: \(header)"]) == [error, error])
    }

    @Test func `any other value of that header is a plain refusal, and a rate limit stays one`() async throws
    {
        let partial = "X-GitHub-SSO: partial-results; organizations=21955855,20582480"
        #expect(try await singleSignOn([partial]) == [.forbidden, .forbidden])
        let limited = try await singleSignOn([
            "X-GitHub-SSO: required; url=\(Self.authorization)", "Retry-After: 17",
        ])
        #expect(limited == [Self.limit(17), Self.limit(17)])
    }

    @Test func `a missing connection and a broken answer are different errors`() async throws {
        #expect(try await failure(.init(hangsUp: true))?.error == .interrupted)
        #expect(GitHubFailure(transport: .timeout).error == .timedOut)
        #expect(GitHubFailure(transport: .resolve("x")).error == .networkUnavailable)
        #expect(GitHubFailure(transport: .connect("x")).error == .networkUnavailable)
        #expect(GitHubFailure(transport: .untrusted("x")).error == .untrusted)
        #expect(GitHubFailure(transport: .tls("x")).error == .interrupted)
        let broken = ScriptedUpstream.Response(headers: ["Content-Encoding: gzip"], body: "no gzip")
        #expect(try await failure(broken)?.error == .invalidResponse(statusCode: 200))
    }

    @Test(
        .recordings,
        arguments: [
            ("err_401_bad_credentials_and_rate_limit", APIError.unauthorized),
            ("err_403_rate_limited", limit(3)), ("err_403_secondary", limit(60)),
            ("err_429_retry_after", limit(8)), ("err_503", .serverError(statusCode: 503)),
            ("rate_limit_ghes_404", .invalidResponse(statusCode: 404)),
        ])
    func `every recorded error is classified correctly`(name: String, error: APIError) async throws {
        let exchanges = try RecordedExchanges.exchanges(name).filter { $0.answer.status >= 400 }
        #expect(!exchanges.isEmpty)
        for exchange in exchanges { #expect(try await failure(exchange.answer)?.error == error) }
    }

    @Test(arguments: [
        (
            #"[{"resource":"Search","field":"q"},{"message":"The listed users cannot be searched."}]"#,
            "The listed users cannot be searched."
        ),
        (#"[{"resource":"Search","field":"q","code":"missing"}]"#, "Validation Failed"),
        (#"["Only the first 1000 search results are available"]"#, "Validation Failed"),
        ("7", "Validation Failed"),
    ])
    func `a failed validation reports the message that says what is wrong`(errors: String, said: String)
        async throws
    {
        let body = #"{"message":"Validation Failed","errors":\#(errors)}"#
        #expect(try await failure(.init(status: 422, body: body))?.detail == "status 422: \(said)")
        #expect(try await failure(.init(status: 404, body: body))?.detail == "status 404: Validation Failed")
    }

    @Test func `the log quotes GitHub's message on one line, shortened and without the token`() async throws {
        let message = "Token \(GitHubFixture.token) may not\\nread this" + String(repeating: " x", count: 500)
        let answer = ScriptedUpstream.Response(
            status: 403, headers: ["X-Accepted-GitHub-Permissions: pull_requests=read"],
            body: #"{"message":"\#(message)"}"#)
        let detail = try #require(try await failure(answer)?.detail)
        #expect(detail.hasPrefix("status 403: Token … may not read this x"))
        #expect(detail.count < 300)
        let short = try await failure(
            .init(status: 403, headers: ["X-Accepted-GitHub-Permissions: members=read"], body: Self.forbidden)
        )
        #expect(short?.detail.hasSuffix("(needs members=read)") == true)
    }
}
