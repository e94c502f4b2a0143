import CMicroHTTPD
import Synchronization

/// Passes a stream's chunks to libmicrohttpd. While it waits for the next chunk, the connection is suspended.
final class StreamSource: SuspendedWork {
    private static let bufferLimit = 65_536
    /// `MHD_CONTENT_READER_END_OF_STREAM` and `..._WITH_ERROR`, whose macros Swift does not import.
    static let complete = -1
    static let failed = -2

    private struct State {
        var buffer: [UInt8] = []
        var read = 0
        var ending: Int?
        var destination: Destination?
        var isSuspended = false
        var writer: CheckedContinuation<Void, any Error>?
        var task: Task<Void, Never>?
        var sent = 0
    }

    /// `@unchecked Sendable` is safe: all properties are constants, and `connection` is used only under the state's
    /// lock. `pause` suspends it, in libmicrohttpd's own callback for that connection. It is resumed, on any thread,
    /// only if `isSuspended` (StreamTests: slow streams, and clients that leave). libmicrohttpd frees no suspended
    /// connection.
    private struct Destination: @unchecked Sendable {
        let connection: OpaquePointer
        let client: ClientConnection
        let sendTimeout: UInt64
    }

    let isDeferred = true
    private let stream: ByteStream
    private let state = Mutex(State())

    init(_ stream: ByteStream) { self.stream = stream }

    var bytesSent: Int { state.withLock { $0.sent } }

    func start(_ connection: OpaquePointer, _ client: ClientConnection, sendTimeout: UInt64) {
        state.withLock { state in
            state.destination = Destination(connection: connection, client: client, sendTimeout: sendTimeout)
            state.task = Task { [self] in
                do {
                    try await stream.run { try await self.write($0) }
                    finish(Self.complete)
                } catch {
                    finish(Self.failed)
                }
            }
        }
    }

    func clientLeft() { cancel() }

    func fail(_ fault: ServerFault) -> Bool {
        cancel()
        return true
    }

    /// Ends the stream early, because the client has left or the server is stopping.
    func cancel() {
        let (task, writer) = state.withLock { state in
            if state.ending == nil { state.ending = Self.failed }
            wake(&state)
            state.destination = nil
            defer { state.writer = nil }
            return (state.task, state.writer)
        }
        task?.cancel()
        writer?.resume(throwing: CancellationError())
    }

    private func write(_ chunk: [UInt8]) async throws {
        try Task.checkCancellation()
        let isFull = state.withLock { state in
            state.buffer.append(contentsOf: chunk)
            wake(&state)
            return state.buffer.count - state.read > Self.bufferLimit
        }
        guard isFull else { return }
        try await withCheckedThrowingContinuation { continuation in
            let resumeNow = state.withLock { state in
                if state.ending != nil || state.buffer.count - state.read <= Self.bufferLimit { return true }
                state.writer = continuation
                return false
            }
            if resumeNow { continuation.resume() }
        }
    }

    private func finish(_ ending: Int) {
        state.withLock { state in
            if state.ending == nil { state.ending = ending }
            wake(&state)
        }
    }

    private func wake(_ state: inout State) {
        guard state.isSuspended, let destination = state.destination else { return }
        state.isSuspended = false
        destination.client.enter(.sending, for: destination.sendTimeout)
        MHD_resume_connection(destination.connection)
        // Not earlier, because libmicrohttpd is stopped once no connection waits.
        destination.client.stopWaiting()
    }

    func read(into target: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        let (result, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, any Error>?) in
            let available = min(count, state.buffer.count - state.read)
            if available == 0 { return (pause(&state), nil) }
            state.buffer.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[state.read...].prefix(available))
                UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: rest)
            }
            state.read += available
            state.sent += available
            if state.read == state.buffer.count {
                state.buffer.removeAll(keepingCapacity: state.buffer.count <= Self.bufferLimit)
                state.read = 0
            }
            guard state.buffer.count - state.read <= Self.bufferLimit else { return (available, nil) }
            defer { state.writer = nil }
            return (available, state.writer)
        }
        writer?.resume()
        return result
    }

    private func pause(_ state: inout State) -> Int {
        if let ending = state.ending { return ending }
        guard let destination = state.destination else { return Self.failed }
        destination.client.enter(.waiting)
        state.isSuspended = destination.client.wait(for: self) {
            MHD_suspend_connection(destination.connection)
        }
        return state.isSuspended ? 0 : Self.failed
    }
}
