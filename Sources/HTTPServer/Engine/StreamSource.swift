import CMicroHTTPD
import Synchronization

/// Hands a stream's chunks to libmicrohttpd; while there is none, the connection is suspended.
final class StreamSource: SuspendedWork {
    private static let bufferLimit = 65_536
    /// `MHD_CONTENT_READER_END_OF_STREAM` and `..._WITH_ERROR`, whose macros Swift does not import.
    static let complete = -1
    static let failed = -2

    private struct State {
        var buffer: [UInt8] = []
        var read = 0
        /// How the stream ended: nil while it runs.
        var ending: Int?
        var place: Place?
        var isSuspended = false
        var writer: CheckedContinuation<Void, any Error>?
        var task: Task<Void, Never>?
        var sent = 0
    }

    /// Unchecked, and safe: every property is a constant, and `connection` is used under the state's lock alone. It is
    /// suspended by `pause`, which libmicrohttpd itself calls about that connection, and resumed (which may be done from
    /// any thread) only where `isSuspended` says that it is suspended: libmicrohttpd frees no connection that is.
    private struct Place: @unchecked Sendable {
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
            state.place = Place(connection: connection, client: client, sendTimeout: sendTimeout)
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

    /// Ends the stream early: the client is gone, or the server stops.
    func cancel() {
        let (task, writer) = state.withLock { state in
            if state.ending == nil { state.ending = Self.failed }
            wake(&state)
            state.place = nil
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
        guard state.isSuspended, let place = state.place else { return }
        state.isSuspended = false
        place.client.enter(.sending, for: place.sendTimeout)
        MHD_resume_connection(place.connection)
        // Not before: libmicrohttpd is stopped once nobody waits.
        place.client.stopWaiting()
    }

    /// libmicrohttpd wants up to `count` bytes.
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
        guard let place = state.place else { return Self.failed }
        place.client.enter(.waiting)
        state.isSuspended = place.client.wait(for: self) { MHD_suspend_connection(place.connection) }
        return state.isSuspended ? 0 : Self.failed
    }
}
