import Testing

@testable import HTTPClient
@testable import RoostSimulator

/// CoinGecko as Roost uses it: HTTP/2 over TLS, here nginx in front of the simulator.
@Suite(.enabled(if: Nginx.isExpected, Nginx.reason)) struct SimulatorOverTLSTests {
    @Test func `the simulated CoinGecko answers over HTTP/2, many requests on one connection`() async throws {
        let simulator = try Simulator(SimulatorConfiguration(listedCoins: 300))
        try simulator.start()
        let nginx = try await Nginx(upstream: simulator.address)
        defer { nginx.stop() }
        var configuration = ClientConfiguration()
        configuration.certificateAuthority = nginx.certificateAuthority
        let client = HTTPClient(userAgent: "Roost/test", configuration: configuration)
        let path = "/api/v3/coins/markets?vs_currency=usd&ids=bitcoin,ethereum&sparkline=true"
        let answers = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
            for _ in 0..<20 {
                group.addTask { try await client.send(ClientRequest(url: nginx.url + path)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.httpVersion == .http2 })
        #expect(answers.filter { !$0.connectionReused }.count == 1)
        #expect(answers.allSatisfy { $0.text.contains("\"bitcoin\"") })
        var again = ClientRequest(url: nginx.url + "/api/v3/coins/list")
        let list = try await client.send(again)
        again.ifNoneMatch = list.etag
        let unchanged = try await client.send(again)
        #expect(unchanged.status == 304 && unchanged.httpVersion == .http2)
        client.shutdown()
        await simulator.stop()
    }
}
