import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator

/// The faults as Roost's own client reports them: what the watchlist's errors are made of.
@Suite struct ClientFaultTests {
    private func send(
        _ fault: Fault?, path: String = "/coins/list", _ change: (inout ClientRequest) -> Void = { _ in }
    ) async throws -> Result<ClientResponse, HTTPClientError> {
        var result = Result<ClientResponse, HTTPClientError>.failure(.shutDown)
        try await RunningSimulator.run { running in
            let client = HTTPClient(userAgent: "RoostTests/1")
            if let fault { await running.simulator.inject(fault) }
            var request = ClientRequest(url: running.simulator.coinGeckoURL + path)
            change(&request)
            do throws(HTTPClientError) {
                result = .success(try await client.send(request))
            } catch {
                result = .failure(error)
            }
            client.shutdown()
        }
        return result
    }

    private func failure(_ result: Result<ClientResponse, HTTPClientError>) -> HTTPClientError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func `without a fault the list comes, compressed on the way`() async throws {
        let response = try await send(nil).get()
        #expect(response.status == 200)
        #expect(response.body == TestMarket(coins: 300).ask("/coins/list").body)
    }

    @Test func `the client's own name opens the door`() async throws {
        #expect(try await send(nil, path: "/ping").get().status == 200)
    }

    @Test func `429 is an answer with its Retry-After`() async throws {
        let response = try await send(.rateLimited(retryAfter: 77)).get()
        #expect(response.status == 429)
        #expect(response.headers["Retry-After"] == "77")
    }

    @Test func `a cut connection is an aborted answer`() async throws {
        #expect(failure(try await send(.cut)) == .aborted)
    }

    @Test func `a reset connection is an aborted answer`() async throws {
        #expect(failure(try await send(.reset)) == .aborted)
    }

    @Test func `a refused connection is no connection`() async throws {
        guard case .connect = failure(try await send(.refused(seconds: 60))) else {
            Issue.record("refused was not reported as a failed connection")
            return
        }
    }

    @Test(arguments: [Fault.hang, .drip(bytesPerSecond: 10)])
    func `what does not end in time is a timeout`(_ fault: Fault) async throws {
        let result = try await send(fault) { $0.totalTimeout = .milliseconds(700) }
        #expect(failure(result) == .timeout)
    }

    @Test func `truncated JSON arrives as a whole answer that does not decode`() async throws {
        let response = try await send(.truncatedJSON).get()
        #expect(response.status == 200)
        #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(response.body)) }
    }

    @Test func `a conditional request is answered 304 without a body`() async throws {
        let target = "/coins/list"
        let tag = try #require(TestMarket(coins: 300).ask(target).header("ETag"))
        let response = try await send(nil, path: target) { $0.ifNoneMatch = tag }.get()
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
    }

    @Test func `250 long ids fit into one address`() async throws {
        let ids = (0..<250).map { "a-coin-with-a-rather-long-name-\($0)" }.joined(separator: "%2C")
        let response = try await send(nil, path: "/coins/markets?vs_currency=usd&ids=bitcoin%2C\(ids)").get()
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(#"[{"id":"bitcoin""#))
    }
}
