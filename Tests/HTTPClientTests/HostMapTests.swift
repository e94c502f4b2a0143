import Testing

@testable import HTTPClient

@Suite struct HostMapTests {
    private func request(_ url: String) -> ClientRequest {
        var request = ClientRequest(url: url)
        request.publicAddressesOnly = true
        request.maximumRedirects = 3
        return request
    }

    private func configuration(_ server: ScriptedServer) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.hostMap = ["www.example.org": HostTarget("127.0.0.1:\(server.port)")].compactMapValues(
            \.self)
        return configuration
    }

    @Test func `a mapped host is contacted at its address, whatever port its URL names`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer(text: "reached") })
        defer { server.stop() }
        try await withClient(configuration(server)) { client in
            let plain = try await client.send(request("http://www.example.org/"))
            #expect(plain.text == "reached")
            #expect(plain.finalURL == "http://www.example.org/")
            let other = try await client.send(request("http://WWW.example.org:8443/a"))
            #expect(other.text == "reached")
        }
    }

    @Test func `no other host may use the address of a mapped one`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer() })
        defer { server.stop() }
        try await withClient(configuration(server)) { client in
            #expect(
                await failure(client, request("http://127.0.0.1:\(server.port)/"))
                    == .refusedAddress("127.0.0.1"))
            #expect(server.connections == 0)
        }
    }

    @Test func `a redirect from a mapped host to loopback is refused`() async throws {
        let inner = try ScriptedServer(answering { connection, _ in connection.answer(text: "inner") })
        defer { inner.stop() }
        let server = try ScriptedServer(
            answering { connection, _ in connection.answer("302 Found", headers: ["Location: \(inner.url)/"])
            })
        defer { server.stop() }
        try await withClient(configuration(server)) { client in
            #expect(
                await failure(client, request("http://www.example.org/")) == .refusedAddress("127.0.0.1"))
            #expect(inner.connections == 0)
        }
    }

    @Test func `a request that may go anywhere ignores the map`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer(text: "own") })
        defer { server.stop() }
        var configuration = ClientConfiguration()
        configuration.hostMap = ["127.0.0.1": HostTarget("127.0.0.2:1")].compactMapValues(\.self)
        try await withClient(configuration) { client in
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.text == "own")
        }
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "localhost:80", ":80", "1:2:3",
    ])
    func `an address without a valid port is not a target`(text: String) {
        #expect(HostTarget(text) == nil)
    }
}
