import Glibc
import Testing

@testable import HTTPClient

/// A client of its own for a test, shut down at the end.
func withClient<Value>(
    _ configuration: ClientConfiguration = ClientConfiguration(), _ body: (HTTPClient) async throws -> Value
) async throws -> Value {
    let client = HTTPClient(userAgent: "Roost/test", configuration: configuration)
    defer { client.shutdown() }
    return try await body(client)
}

/// A client and a server for a test.
func withServer<Value>(
    _ script: @escaping ScriptedServer.Script, _ body: (HTTPClient, ScriptedServer) async throws -> Value
) async throws -> Value {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    return try await withClient { try await body($0, server) }
}

/// Answers every request of a connection; true of most servers.
func answering(
    _ answer: @escaping @Sendable (ScriptedConnection, ScriptedConnection.Received) -> Void
) -> ScriptedServer.Script {
    { connection in
        while let request = connection.request() { answer(connection, request) }
    }
}

/// The error of a request that must not be answered.
/// One that is answered gives `.other` with the status, which no test expects.
func failure(_ client: HTTPClient, _ request: ClientRequest) async -> HTTPClientError {
    do throws(HTTPClientError) {
        let answer = try await client.send(request)
        return .other(code: answer.status, "answered")
    } catch {
        return error
    }
}

/// Waits for a condition, ten seconds at most.
func wait(_ what: Comment, until condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw ServerFailure(words: "never came: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Fails a test that a request takes longer than its own limits allow; generous, since test machines are
/// slow.
func quickly<Value>(
    _ limit: Duration = .seconds(60), _ body: () async throws -> Value
) async rethrows -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    #expect(ContinuousClock.now - start < limit)
    return value
}

/// A server's delay, on a thread of its own.
func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1_000)
}
