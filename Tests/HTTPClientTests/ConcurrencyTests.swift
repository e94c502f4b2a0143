import Synchronization
import Testing

@testable import HTTPClient

@Suite struct ConcurrencyTests {
    @Test func `the second request reuses the first one's connection`() async throws {
        try await withServer(answering { connection, _ in connection.answer(text: "\(connection.number)") }) {
            client, server in
            let first = try await client.send(ClientRequest(url: server.url))
            let second = try await client.send(ClientRequest(url: server.url + "/other"))
            #expect(!first.connectionReused && second.connectionReused)
            #expect(first.text == "1" && second.text == "1")
            #expect(server.connections == 1)
        }
    }

    @Test func `a reused connection that the server has closed is replaced silently`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.answer()
        }) { client, server in
            for number in 1...5 {
                let answer = try await client.send(ClientRequest(url: server.url))
                #expect(answer.status == 200)
                #expect(server.connections == number)
            }
        }
    }

    @Test func `200 requests at once are all answered, each with its own answer`() async throws {
        try await withServer(
            answering { connection, request in
                pause(milliseconds: 20)
                connection.answer(text: request.path)
            }
        ) { client, server in
            let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...200 {
                    group.addTask {
                        let answer = try await client.send(ClientRequest(url: server.url + "/\(number)"))
                        return answer.text == "/\(number)"
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 200 && answers.allSatisfy { $0 })
            #expect(server.connections <= ClientConfiguration().connectionsPerHost)
        }
    }

    @Test func `connections to one host stay within the configured limit`() async throws {
        var configuration = ClientConfiguration()
        configuration.connectionsPerHost = 2
        let server = try ScriptedServer(answering { connection, _ in connection.answer() })
        defer { server.stop() }
        try await withClient(configuration) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...20 {
                    group.addTask { _ = try await client.send(ClientRequest(url: server.url)) }
                }
                try await group.waitForAll()
            }
            #expect(server.connections <= 2)
        }
    }

    /// Allows one connection to the host, which a hanging request occupies.
    private func whileWaiting(
        _ body: (HTTPClient, ScriptedServer, Task<ClientResponse, any Error>) async throws -> Void
    ) async throws {
        var configuration = ClientConfiguration()
        configuration.connectionsPerHost = 1
        let arrived = Atomic(false)
        let server = try ScriptedServer(
            answering { connection, request in
                guard request.path == "/hang" else { return connection.answer() }
                arrived.store(true, ordering: .relaxed)
                _ = connection.waitUntilClosed()
            })
        defer { server.stop() }
        try await withClient(configuration) { client in
            let hanging = Task { try await client.send(ClientRequest(url: server.url + "/hang")) }
            try await wait("the connection is taken") { arrived.load(ordering: .relaxed) }
            try await body(client, server, hanging)
            hanging.cancel()
        }
    }

    @Test func `a request that waits for a connection keeps its own time limit`() async throws {
        try await whileWaiting { client, server, _ in
            var request = ClientRequest(url: server.url)
            request.totalTimeout = .milliseconds(200)
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test func `a waiting request gets the next free connection`() async throws {
        try await whileWaiting { client, server, hanging in
            let waiting = Task { try await client.send(ClientRequest(url: server.url)) }
            try await Task.sleep(for: .milliseconds(20))  // a shorter wait could only make the test easier
            hanging.cancel()
            let answer = try await quickly { try await waiting.value }
            #expect(answer.status == 200)
        }
    }

    @Test func `idle connections stay within the configured limit`() async throws {
        var configuration = ClientConfiguration()
        configuration.idleConnections = 3
        let opened = Atomic(0)
        let closed = Atomic(0)
        let server = try ScriptedServer { connection in
            opened.add(1, ordering: .relaxed)
            while connection.request() != nil {
                // Waits until ten connections are open, so that each request needs its own.
                while opened.load(ordering: .relaxed) < 10 { pause(milliseconds: 1) }
                connection.answer()
            }
            closed.add(1, ordering: .relaxed)
        }
        defer { server.stop() }
        try await withClient(configuration) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...10 {
                    group.addTask { _ = try await client.send(ClientRequest(url: server.url)) }
                }
                try await group.waitForAll()
            }
            try await wait("seven are closed") { closed.load(ordering: .relaxed) >= 7 }
        }
    }

    @Test func `a hanging answer does not block other requests to the host`() async throws {
        try await withServer(
            answering { connection, request in
                if request.path == "/hang" { _ = connection.waitUntilClosed() } else { connection.answer() }
            }
        ) { client, server in
            let hanging = Task { try await client.send(ClientRequest(url: server.url + "/hang")) }
            try await wait("the hanging request is there") { server.connections == 1 }
            for _ in 1...3 {
                let answer = try await quickly { try await client.send(ClientRequest(url: server.url)) }
                #expect(answer.status == 200)
            }
            hanging.cancel()
            _ = await hanging.result
        }
    }
}
