import Glibc
import Synchronization
import TestSupport

@testable import HTTPServer

/// Runs a server on a free port, and the body on its own thread: blocking sockets on Swift's own threads would take
/// those from the handlers.
func serving(
    _ routes: [Route], configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (Server) throws -> Void
) async throws {
    let server = try Transport.start(routes, configure: configure)
    let result = await blocking { Result { try body(server) } }
    await server.stop(within: .seconds(2))
    try result.get()
}

/// Runs blocking work on its own thread.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        do {
            try BlockingThread.start { continuation.resume(returning: work()) }
        } catch {
            preconditionFailure("This machine has no thread left: \(error)")
        }
    }
}

/// Waits until the condition holds, at most this many seconds, and returns whether it does.
func eventually(within seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if condition() { return true }
        usleep(5_000)
    }
    return condition()
}

/// A list that handlers on any thread may append to.
final class Record<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    var all: [Entry] { entries.withLock { $0 } }
}

/// Sends one request on its own connection.
func ask(
    _ server: Server, _ method: String, _ target: String, _ headers: [(String, String)] = [],
    body: [UInt8]? = nil
) throws -> RawResponse {
    try RawClient(server.address).ask(method, target, headers, body: body)
}
