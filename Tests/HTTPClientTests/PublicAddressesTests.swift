import Synchronization
import Testing

@testable import HTTPClient

@Suite struct PublicAddressesTests {
    private func request(_ url: String, redirects: Int = 0) -> ClientRequest {
        var request = ClientRequest(url: url)
        request.publicAddressesOnly = true
        request.maximumRedirects = redirects
        return request
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "%31%32%37.0.0.1",
        "[::ffff:127.0.0.1]",
    ])
    func `loopback is refused in every spelling`(host: String) async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            let error = await failure(client, request("http://\(host):\(server.port)/"))
            guard case .refusedAddress = error else {
                Issue.record("\(error)")
                return
            }
            #expect(server.connections == 0)
        }
    }

    @Test func `the error names the refused address`() async throws {
        try await withClient { client in
            #expect(await failure(client, request("http://127.0.0.1:1/")) == .refusedAddress("127.0.0.1"))
            #expect(await failure(client, request("http://[::1]:1/")) == .refusedAddress("::1"))
            #expect(await failure(client, request("https://10.1.2.3/")) == .refusedAddress("10.1.2.3"))
        }
    }

    @Test func `a connection that another request opened is not reused`() async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            let first = try await client.send(ClientRequest(url: server.url))
            #expect(first.status == 200)
            #expect(await failure(client, request(server.url)) == .refusedAddress("127.0.0.1"))
            let last = try await client.send(ClientRequest(url: server.url))
            #expect(last.status == 200)
        }
    }

    /// A client for which 127.0.0.1 is public and the rest of loopback is not, because tests do not use the Internet.
    private static var configuration: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.countsAsPublic = { $0.description == "127.0.0.1" }
        return configuration
    }

    @Test func `a redirect to a refused address is not followed, and one to a public address is`()
        async throws
    {
        let inner = try ScriptedServer(
            host: "127.0.0.2", answering { connection, _ in connection.answer(text: "inner") })
        defer { inner.stop() }
        let outer = try ScriptedServer(
            answering { connection, request in
                let target = request.path == "/in" ? inner.url + "/" : "/end"
                guard request.path != "/end" else { return connection.answer(text: "end") }
                connection.answer("302 Found", headers: ["Location: \(target)"])
            })
        defer { outer.stop() }
        try await withClient(Self.configuration) { client in
            let answer = try await client.send(request(outer.url + "/out", redirects: 3))
            #expect(answer.text == "end")
            #expect(
                await failure(client, request(outer.url + "/in", redirects: 3))
                    == .refusedAddress("127.0.0.2"))
            #expect(inner.connections == 0)
        }
    }

    /// Simulates a changed DNS answer: the first lookup found a public address.
    @Test func `a name is checked again for each connection, even if it was public before`() async throws {
        let server = try ScriptedServer(
            answering { connection, _ in connection.answer(headers: ["Connection: close"], text: "reached") })
        defer { server.stop() }
        let isPublic = Mutex(true)
        var configuration = ClientConfiguration()
        configuration.countsAsPublic = { _ in isPublic.withLock(\.self) }
        try await withClient(configuration) { client in
            let before = try await client.send(request("http://localhost:\(server.port)/"))
            #expect(before.text == "reached")
            isPublic.withLock { $0 = false }
            let error = await failure(client, request("http://localhost:\(server.port)/"))
            guard case .refusedAddress = error else {
                Issue.record("\(error)")
                return
            }
            #expect(server.connections == 1)
        }
    }

    @Test func `of a name's addresses only the public ones are used`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer(text: "reached") })
        defer { server.stop() }
        try await withClient(Self.configuration) { client in
            // ::1 and 127.0.0.1, of which the first is refused.
            let answer = try await client.send(request("http://localhost:\(server.port)/"))
            #expect(answer.text == "reached")
        }
    }
}
