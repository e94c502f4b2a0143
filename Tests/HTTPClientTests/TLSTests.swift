import Synchronization
import Testing

@testable import HTTPClient

@Suite(.enabled(if: Nginx.isExpected, Nginx.reason)) struct TLSTests {
    private func trusting(_ nginx: Nginx) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.certificateAuthority = nginx.certificateAuthority
        return configuration
    }

    private func expectUntrusted(_ error: HTTPClientError, sourceLocation: SourceLocation = #_sourceLocation)
    {
        guard case .untrusted(let message) = error else {
            Issue.record("\(error)", sourceLocation: sourceLocation)
            return
        }
        #expect(!message.isEmpty, sourceLocation: sourceLocation)
    }

    private func expectTLSError(_ error: HTTPClientError, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .tls(let message) = error else {
            Issue.record("\(error)", sourceLocation: sourceLocation)
            return
        }
        #expect(!message.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `HTTP 2 carries concurrent requests over one connection`() async throws {
        // Answers only after all requests have arrived, so they must run at the same time.
        let arrived = Atomic(0)
        let server = try ScriptedServer(
            answering { connection, request in
                arrived.add(1, ordering: .relaxed)
                for _ in 1...5_000 where arrived.load(ordering: .relaxed) < 20 { pause(milliseconds: 1) }
                connection.answer(text: "\(request.path) of \(arrived.load(ordering: .relaxed))")
            })
        defer { server.stop() }
        let nginx = try await Nginx(upstream: "127.0.0.1:\(server.port)")
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            let answers = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
                for number in 1...20 {
                    group.addTask { try await client.send(ClientRequest(url: nginx.url + "/\(number)")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.httpVersion == .http2 && $0.status == 200 })
            #expect(Set(answers.map(\.text)) == Set((1...20).map { "/\($0) of 20" }))
            #expect(Set(answers.map { $0.headers["X-Connection"] }).count == 1)
            #expect(answers.count { !$0.connectionReused } == 1)
        }
    }

    @Test func `HTTP 2 carries bodies, methods and headers`() async throws {
        let server = try ScriptedServer(RequestTests.echo)
        defer { server.stop() }
        let nginx = try await Nginx(upstream: "127.0.0.1:\(server.port)")
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            let body = [UInt8](repeating: 97, count: 300_000)
            let headers = [("X-Key", "v")]
            let answer = try await client.send(
                ClientRequest("PATCH", nginx.url + "/p", headers: headers, body: body))
            #expect(answer.httpVersion == .http2)
            let sent = answer.text
            #expect(sent.hasPrefix("PATCH /p "))
            #expect(sent.contains("\nx-key: v\n"))
            #expect(sent.utf8.count > 300_000)
        }
    }

    @Test func `an HTTP 1 1 server is used with HTTP 1 1`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer() })
        defer { server.stop() }
        let nginx = try await Nginx(upstream: "127.0.0.1:\(server.port)", http2: false)
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            let answers = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
                for _ in 1...10 { group.addTask { try await client.send(ClientRequest(url: nginx.url)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.httpVersion == .http1_1 && $0.status == 200 })
        }
    }

    @Test func `a truncated HTTP 2 answer is an aborted answer`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        }
        defer { server.stop() }
        let nginx = try await Nginx(upstream: "127.0.0.1:\(server.port)")
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            #expect(await failure(client, ClientRequest(url: nginx.url)) == .aborted)
        }
    }

    @Test func `a certificate of an unknown authority is not trusted`() async throws {
        let nginx = try await Nginx(upstream: "127.0.0.1:1")
        defer { nginx.stop() }
        try await withClient { client in
            expectUntrusted(await failure(client, ClientRequest(url: nginx.url)))
        }
    }

    @Test func `a certificate for another name is not trusted`() async throws {
        let nginx = try await Nginx(upstream: "127.0.0.1:1", names: "DNS:elsewhere.example")
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            expectUntrusted(await failure(client, ClientRequest(url: nginx.url)))
        }
    }

    @Test
    func `a server without TLS and a missing authority file are TLS errors`()
        async throws
    {
        try await withServer({ connection in
            connection.send("HTTP/1.1 400 No TLS here\r\n\r\n")
            _ = connection.waitUntilClosed()
        }) { client, server in
            let request = ClientRequest(url: "https://127.0.0.1:\(server.port)/")
            expectTLSError(await failure(client, request))
            var configuration = ClientConfiguration()
            configuration.certificateAuthority = "/nowhere/ca.pem"
            try await withClient(configuration) { expectUntrusted(await failure($0, request)) }
        }
    }

    @Test func `cancelling one HTTP 2 request does not affect the others on its connection`() async throws {
        let arrived = Atomic(0)
        let server = try ScriptedServer(
            answering { connection, request in
                arrived.add(1, ordering: .relaxed)
                if request.path == "/hang" { _ = connection.waitUntilClosed() } else { connection.answer() }
            })
        defer { server.stop() }
        let nginx = try await Nginx(upstream: "127.0.0.1:\(server.port)")
        defer { nginx.stop() }
        try await withClient(trusting(nginx)) { client in
            let first = try await client.send(ClientRequest(url: nginx.url))
            let hanging = Task { try await client.send(ClientRequest(url: nginx.url + "/hang")) }
            try await wait("it hangs") { arrived.load(ordering: .relaxed) == 2 }
            hanging.cancel()
            _ = await hanging.result
            let last = try await client.send(ClientRequest(url: nginx.url))
            #expect(last.connectionReused)
            #expect(last.headers["X-Connection"] == first.headers["X-Connection"])
        }
    }
}
