import Glibc
import Testing

@testable import HTTPClient

/// Creates a client for a test and shuts it down at the end.
func withClient<Value>(
    _ configuration: ClientConfiguration = ClientConfiguration(), _ body: (HTTPClient) async throws -> Value
) async throws -> Value {
    let client = HTTPClient(userAgent: "Roost/test", configuration: configuration)
    defer { client.shutdown() }
    return try await body(client)
}

/// Creates a client and a server for a test.
func withServer<Value>(
    _ script: @escaping ScriptedServer.Script, _ body: (HTTPClient, ScriptedServer) async throws -> Value
) async throws -> Value {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    return try await withClient { try await body($0, server) }
}

/// Answers every request of a connection, as most servers do.
func answering(
    _ answer: @escaping @Sendable (ScriptedConnection, ScriptedConnection.Received) -> Void
) -> ScriptedServer.Script {
    { connection in
        while let request = connection.request() { answer(connection, request) }
    }
}

/// Returns the error of a request that must not be answered.
/// An answered request returns `.other` with the status, which no test expects.
func failure(_ client: HTTPClient, _ request: ClientRequest) async -> HTTPClientError {
    do throws(HTTPClientError) {
        let answer = try await client.send(request)
        return .other(code: answer.status, "answered")
    } catch {
        return error
    }
}

/// Waits at most ten seconds for a condition.
func wait(_ what: Comment, until condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw ServerFailure(message: "never came: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Fails a test whose request takes longer than its own limits allow; generous, because test machines are slow.
func quickly<Value>(
    _ limit: Duration = .seconds(60), _ body: () async throws -> Value
) async rethrows -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    #expect(ContinuousClock.now - start < limit)
    return value
}

/// Delays a server, on its own thread.
func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1_000)
}
