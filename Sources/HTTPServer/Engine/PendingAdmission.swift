import CMicroHTTPD
import Synchronization

/// A request that is judged once more when its route knows more: until then its connection is suspended.
final class PendingAdmission: SuspendedWork {
    private enum Progress { case running, suspended, over }

    private struct State {
        var progress = Progress.running
        var task: Task<Void, Never>?
    }

    let isDeferred = false
    private let client: ClientConnection
    /// Unchecked, and safe: a constant, used under the state's lock alone, suspended in libmicrohttpd's own call about that
    /// connection and resumed by the one who takes the state out of `suspended`: libmicrohttpd frees no suspended connection.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let state = Mutex(State())

    init(_ client: ClientConnection, _ connection: OpaquePointer) {
        self.client = client
        self.connection = connection
    }

    func run(_ update: @escaping @Sendable () async -> Void) {
        let task = Task {
            await update()
            finish()
        }
        state.withLock { $0.task = task }
    }

    /// Suspends the connection; false if there is nothing to wait for any more.
    func suspend() -> Bool {
        state.withLock { state in
            guard case .running = state.progress else { return false }
            state.progress = .suspended
            client.waiting = self
            MHD_suspend_connection(connection)
            return true
        }
    }

    private func finish() {
        state.withLock { state in
            if case .suspended = state.progress { MHD_resume_connection(connection) }
            state.progress = .over
        }
    }

    /// Whatever comes of it then finds the client gone.
    func clientLeft() {}

    func cancel() { state.withLock(\.task)?.cancel() }

    /// The request is then judged by what is known now, by a server that is stopping.
    func fail(_ fault: ServerFault) -> Bool {
        finish()
        return true
    }
}
