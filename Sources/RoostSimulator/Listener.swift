import HTTPServer
import Synchronization

/// A server that can be closed for a while and reopened on the same port.
final class Listener: Sendable {
    private let makeServer: @Sendable (_ address: String) throws -> Server
    private let state: Mutex<State>

    private struct State {
        var address: String
        var server: Server?
        var isStopped = true
        /// Increases with every closing, so that the end of an earlier one does not reopen the server.
        var closings = 0
    }

    init(address: String, makeServer: @escaping @Sendable (_ address: String) throws -> Server) {
        self.makeServer = makeServer
        state = Mutex(State(address: address))
    }

    var address: String { state.withLock { $0.address } }

    var isOpen: Bool { state.withLock { $0.server != nil } }

    func start() throws {
        try state.withLock { state in
            state.isStopped = false
            try open(&state)
        }
    }

    /// Closes the server before returning and reopens it after the duration.
    func close(for duration: Duration) async {
        let (server, closing) = state.withLock { state in
            state.closings += 1
            defer { state.server = nil }
            return (state.server, state.closings)
        }
        await server?.stop(within: .milliseconds(50))
        Task {
            try? await Task.sleep(for: duration)
            await reopen(after: closing)
        }
    }

    func reopen() async {
        await reopen(after: state.withLock { $0.closings })
    }

    func stop() async {
        let server = state.withLock { state in
            state.isStopped = true
            defer { state.server = nil }
            return state.server
        }
        await server?.stop(within: .milliseconds(200))
    }

    /// Retries because closing connections can keep the port busy for a moment.
    private func reopen(after closing: Int) async {
        for _ in 0..<100 {
            let isDone = state.withLock { state in
                guard !state.isStopped, state.closings == closing, state.server == nil else { return true }
                return (try? open(&state)) != nil
            }
            if isDone { return }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func open(_ state: inout State) throws {
        let server = try makeServer(state.address)
        try server.start()
        state.address = server.address
        state.server = server
    }
}
