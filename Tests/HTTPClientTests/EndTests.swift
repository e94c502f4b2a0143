import Synchronization
import Testing

@testable import HTTPClient

/// Unanswered requests end when their task is cancelled or the client is shut down.
@Suite struct EndTests {
    /// Hangs after the request, and counts requests and the connections that the client closed.
    private final class Hanging: Sendable {
        private let counts = Mutex((arrived: 0, left: 0))
        var arrived: Int { counts.withLock { $0.arrived } }
        var left: Int { counts.withLock { $0.left } }

        func script(_ connection: ScriptedConnection) {
            guard connection.request() != nil else { return }
            counts.withLock { $0.arrived += 1 }
            if connection.waitUntilClosed() { counts.withLock { $0.left += 1 } }
        }
    }

    private func error(of task: Task<ClientResponse, any Error>) async -> HTTPClientError? {
        guard case .failure(let error) = await task.result else { return nil }
        return error as? HTTPClientError
    }

    @Test func `cancelling the task ends the transfer and its connection at once`() async throws {
        let hanging = Hanging()
        try await withServer(hanging.script) { client, server in
            let task = Task { try await client.send(ClientRequest(url: server.url)) }
            try await wait("the request is there") { hanging.arrived == 1 }
            task.cancel()
            let reason = await quickly { await error(of: task) }
            #expect(reason == .cancelled)
            try await wait("the connection is closed") { hanging.left == 1 }
        }
    }

    @Test func `an already cancelled task does not send`() async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await client.send(ClientRequest(url: server.url))
            }
            task.cancel()
            #expect(await error(of: task) == .cancelled)
        }
    }

    @Test func `cancelling at any moment ends each request exactly once`() async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            for round in 1...200 {
                let task = Task { try await client.send(ClientRequest(url: server.url)) }
                for _ in 0..<(round % 20) { await Task.yield() }
                task.cancel()
                switch await task.result {
                case .success(let answer): #expect(answer.status == 200)
                case .failure(let error): #expect(error as? HTTPClientError == .cancelled)
                }
            }
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.status == 200)
        }
    }

    @Test func `cancelling one request does not affect the others`() async throws {
        let isOpen = Atomic(false)
        try await withServer(
            answering { connection, _ in
                while !isOpen.load(ordering: .relaxed) { pause(milliseconds: 1) }
                connection.answer()
            }
        ) { client, server in
            let tasks = (1...3).map { _ in Task { try await client.send(ClientRequest(url: server.url)) } }
            try await wait("all are there") { server.connections == 3 }
            tasks[1].cancel()
            #expect(await error(of: tasks[1]) == .cancelled)
            isOpen.store(true, ordering: .relaxed)
            for index in [0, 2] {
                let answer = try await tasks[index].value
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `shutdown fails running and later requests`() async throws {
        let hanging = Hanging()
        let server = try ScriptedServer(hanging.script)
        defer { server.stop() }
        let client = HTTPClient(userAgent: "Roost/test")
        let tasks = (1...20).map { _ in Task { try await client.send(ClientRequest(url: server.url)) } }
        try await wait("all are there") { hanging.arrived == 20 }
        quicklyNow { client.shutdown() }
        for task in tasks { #expect(await error(of: task) == .shutDown) }
        #expect(await failure(client, ClientRequest(url: server.url)) == .shutDown)
        try await wait("all connections are closed") { hanging.left == 20 }
        client.shutdown()
    }

    @Test func `shutdown while requests are being made answers every one`() async throws {
        let server = try ScriptedServer(answering { connection, _ in connection.answer() })
        defer { server.stop() }
        for _ in 1...20 {
            let client = HTTPClient(userAgent: "Roost/test")
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...10 {
                    group.addTask {
                        let error = await failure(client, ClientRequest(url: server.url))
                        #expect(error == .shutDown || error == .other(code: 200, "answered"))
                    }
                }
                group.addTask { client.shutdown() }
                group.addTask { client.shutdown() }
            }
        }
    }

    @Test func `a released client ends its thread and connections`() async throws {
        let closed = Atomic(0)
        let server = try ScriptedServer { connection in
            while connection.request() != nil { connection.answer() }
            closed.add(1, ordering: .relaxed)
        }
        defer { server.stop() }
        for _ in 1...10 {
            let answer = try await HTTPClient(userAgent: "Roost/test").send(ClientRequest(url: server.url))
            #expect(answer.status == 200)
        }
        try await wait("ten connections are closed") { closed.load(ordering: .relaxed) == 10 }
    }

    private func quicklyNow(_ body: () -> Void) {
        let start = ContinuousClock.now
        body()
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
