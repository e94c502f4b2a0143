import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import Market
@testable import RoostServices
@testable import RoostSupport
@testable import TextFormats

/// Each bad answer over HTTP becomes an error.
@Suite struct CoinGeckoFailureTests {
    /// The state of the prices after one request with this answer.
    private func status(_ answer: ScriptedUpstream.Response) async throws -> (PriceStatus, log: [String]) {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.upstream.turn { _ in answer }
            await fixture.prices.refresh()
            return (fixture.status, fixture.log.lines)
        }
    }

    private func error(_ status: Int, _ body: String) async throws -> APIError? {
        try await self.status(.init(status: status, body: body)).0.error
    }

    @Test(
        .recordings,
        arguments: [
            ("403_missing_user_agent.json", 403, APIError.forbidden),
            ("404_coin_not_found.json", 404, .invalidResponse(statusCode: 404)),
            ("422_missing_ids.json", 422, .invalidResponse(statusCode: 422)),
            ("422_missing_vs_currency.json", 422, .invalidResponse(statusCode: 422)),
            ("429_rate_limit.json", 429, .rateLimited(resetDate: TestClock.start + 60)),
            ("429_throttled.txt", 429, .rateLimited(resetDate: TestClock.start + 60)),
            ("429_throttled.txt", 403, .rateLimited(resetDate: TestClock.start + 60)),
            ("500_internal.json", 500, .serverError(statusCode: 500)),
            ("cloudflare_1015.txt", 429, .rateLimited(resetDate: TestClock.start + 60)),
            ("cloudflare_1015.txt", 403, .rateLimited(resetDate: TestClock.start + 60)),
            ("cloudflare_1015.txt", 503, .rateLimited(resetDate: TestClock.start + 60)),
        ])
    func `every recorded error body is parsed`(file: String, code: Int, error: APIError) async throws {
        let body = try RecordedFiles.text("errors/\(file)")
        #expect(try await self.error(code, body) == error)
    }

    @Test(arguments: [
        (401, #"{"status":{"error_code":10002,"error_message":"API Key Missing"}}"#, APIError.keyRefused),
        (401, "", .keyRefused), (403, "", .forbidden), (451, "", .legallyBlocked),
        (401, #"{"status":{"error_code":10005,"error_message":"PRO API subscribers only"}}"#, .forbidden),
        (400, #"{"error":{"status":{"error_code":10010,"error_message":"wrong root URL"}}}"#, .keyRefused),
        (400, #"{"status":{"error_code":10011,"error_message":"use api.coingecko.com"}}"#, .keyRefused),
        (401, #"{"error":{"status":{"error_code":10012,"error_message":"beyond 365 days"}}}"#, .forbidden),
        (404, #"{"error":"coin not found"}"#, .invalidResponse(statusCode: 404)),
        (500, #"{"status":500,"error":"Internal Server Error"}"#, .serverError(statusCode: 500)),
        (
            503, "<html><body>503 Service Temporarily Unavailable 8f10012ab</body></html>",
            .serverError(statusCode: 503)
        ),
        (502, "", .serverError(statusCode: 502)),
        (403, "<html>Attention Required! | Cloudflare</html>", .forbidden),
        (301, "", .invalidResponse(statusCode: 301)),
    ])
    func `each kind of error response maps to its own error`(code: Int, body: String, error: APIError)
        async throws
    {
        #expect(try await self.error(code, body) == error)
    }

    @Test(arguments: [
        "<html><body>Welcome</body></html>", "", "Throttled", #"[{"id":"bitcoin","symbol":"btc""#,
        #"{"error":"coin not found"}"#, "null",
    ])
    func `a success without the documented JSON is an invalid response`(body: String) async throws {
        #expect(try await error(200, body) == .invalidResponse(statusCode: 200))
    }

    @Test func `a connection that closes without an answer is an incomplete response`() async throws {
        #expect(try await status(.init(hangsUp: true)).0.error == .interrupted)
    }

    @Test func `the log quotes the source's message, shortened`() async throws {
        let body = "secret-looking " + String(repeating: "x", count: 5_000)
        let line = try #require(
            try await status(.init(status: 500, body: body)).log.first { $0.contains("could not be fetched") }
        )
        #expect(line.contains("status 500: secret-looking"))
        #expect(line.utf8.count < 400)
    }

    @Test(arguments: ["CG-secret", "CG-a+b/c="])
    func `the API key never appears in the log, however the source repeats it`(key: String) async throws {
        let change = { (configuration: inout Services.Configuration) in configuration.coinGeckoKey = key }
        try await withServices(plan: .demo, change) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            // The last key is where the message is cut.
            let body =
                "no such key \(key) in ?key=\(PercentEncoding.encode(key)) "
                + String(repeating: "x", count: 115) + key
            fixture.upstream.turn { _ in .init(status: 401, body: body) }
            await fixture.prices.refresh()
            let line = try #require(fixture.log.lines.first { $0.contains("could not be fetched") })
            #expect(line.contains("no such key … in ?key=…"))
            #expect(!line.contains("CG-"))
        }
    }

    @Test(arguments: [
        ("60", 60.0), ("119", 119), ("  90 ", 90), ("0", 0), ("-5", 0), ("1.5", 1.5), ("999999", 86_400),
    ])
    func `Retry-After in seconds is limited to a day`(header: String, seconds: Double) {
        #expect(RetryAfter.seconds(header, now: TestClock.start) == seconds)
    }

    @Test(arguments: [
        ("Tue, 10 Nov 2026 12:02:00 GMT", 120.0), ("Tue, 10 Nov 2026 11:00:00 GMT", 0),
        ("Wed, 10 Nov 2027 12:00:00 GMT", 86_400),
    ])
    func `Retry-After as a date is the time until then`(header: String, seconds: Double) {
        #expect(RetryAfter.seconds(header, now: TestClock.start) == seconds)
    }

    @Test(arguments: ["", "soon", "inf", "nan", "Tue, 99 Nov 2026"])
    func `a malformed Retry-After is ignored`(header: String) {
        #expect(RetryAfter.seconds(header, now: TestClock.start) == nil)
    }

    @Test(arguments: [
        (HTTPClientError.resolve("x"), APIError.networkUnavailable, false),
        (.connect("x"), .networkUnavailable, false), (.tls("x"), .interrupted, false),
        (.untrusted("x"), .untrusted, false), (.timeout, .timedOut, false), (.cancelled, .interrupted, false),
        (.aborted, .interrupted, true), (.tooLarge(limit: 1), .invalidResponse(statusCode: 200), true),
        (.malformedAnswer("x"), .invalidResponse(statusCode: 200), true),
    ])
    func `each transport error maps to its own error, and counts only if it reached CoinGecko`(
        transport: HTTPClientError, error: APIError, wasAnswered: Bool
    ) {
        let failure = CoinGeckoAPI.Failure(transport: transport)
        #expect(failure.error == error)
        #expect(failure.wasAnswered == wasAnswered)
        #expect(failure.retryAfter == nil)
    }

    @Test func `an invalid address is an unknown error and does not count as a call`() {
        let failure = CoinGeckoAPI.Failure(transport: .invalidURL)
        guard case .unknown = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(!failure.wasAnswered)
    }
}
