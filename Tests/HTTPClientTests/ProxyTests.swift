import Testing

@testable import HTTPClient

@Suite struct ProxyTests {
    private func withProxy(_ body: (HTTPClient, ScriptedServer) async throws -> Void) async throws {
        let proxy = try ScriptedServer(
            answering { connection, request in connection.answer(headers: ["X-Proxy: 1"], text: request.line)
            })
        defer { proxy.stop() }
        var configuration = ClientConfiguration()
        configuration.proxy = proxy.url
        try await withClient(configuration) { try await body($0, proxy) }
    }

    @Test func `a configured proxy is used`() async throws {
        try await withProxy { client, _ in
            let answer = try await client.send(ClientRequest(url: "http://name.invalid/a"))
            #expect(answer.text == "GET http://name.invalid/a HTTP/1.1")
        }
    }

    @Test func `a proxy is not used for loopback`() async throws {
        try await withProxy { client, proxy in
            let answering = try ScriptedServer(
                answering { connection, _ in connection.answer(text: "direct") })
            defer { answering.stop() }
            for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
                let answer = try await client.send(ClientRequest(url: "http://\(host):\(answering.port)/"))
                #expect(answer.text == "direct")
            }
            #expect(proxy.connections == 0)
        }
    }

    /// The proxy could connect to any address.
    @Test func `a proxy is not used for requests limited to public addresses`() async throws {
        try await withProxy { client, proxy in
            var request = ClientRequest(url: "http://name.invalid/")
            request.publicAddressesOnly = true
            #expect(await failure(client, request) == .resolve("name.invalid"))
            #expect(proxy.connections == 0)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1", "http://proxy.invalid:1"])
    func `a missing proxy is a connect error`(proxy: String) async throws {
        var configuration = ClientConfiguration()
        configuration.proxy = proxy
        try await withClient(configuration) { client in
            let error = await failure(client, ClientRequest(url: "http://name.invalid/"))
            guard case .connect = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
