import HTTPServer
import Synchronization

/// A server that can be taken away for a while and comes back on the same port.
final class Listener: Sendable {
    private let makeServer: @Sendable (_ address: String) throws -> Server
    private let state: Mutex<State>

    private struct State {
        var address: String
        var server: Server?
        var isStopped = true
        /// Grows with every closing: an older closing's end opens nothing.
        var closings = 0
    }

    init(address: String, makeServer: @escaping @Sendable (_ address: String) throws -> Server) {
        self.makeServer = makeServer
        state = Mutex(State(address: address))
    }

    var address: String { state.withLock { $0.address } }

    var isOpen: Bool { state.withLock { $0.server != nil } }

    /// - Throws: what the server throws, `ServerError` mostly.
    func start() throws {
        try state.withLock { state in
            state.isStopped = false
            try open(&state)
        }
    }

    /// Nobody listens when this returns; after the duration somebody does again.
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

    /// At once, whatever was planned.
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

    /// The port may be taken for a moment by connections that are still closing.
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
