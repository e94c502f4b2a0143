import Synchronization

/// An HTTP/1.1 server over libmicrohttpd.
package final class Server: Sendable {
    private enum State {
        case new
        case running(Daemon)
        case stopping(Task<Void, Never>, Daemon)
    }

    private let engine: Engine
    private let state = Mutex(State.new)

    package init(_ configuration: ServerConfiguration, router: Router) {
        engine = Engine(configuration, router: router)
    }

    deinit {
        // A server dropped without being stopped: its connections must not outlive it.
        if case .running(let daemon) = state.withLock({ $0 }) {
            Task { await Shutdown(daemon, within: .zero).run() }
        }
    }

    /// Binds, listens and serves, once; throws `ServerError`.
    package func start() throws {
        try state.withLock { state in
            guard case .new = state else { return }
            state = .running(try Daemon(engine))
        }
    }

    /// "127.0.0.1:43121": where it really listens; "" before the start.
    package var address: String {
        state.withLock { state in
            switch state {
            case .new: ""
            case .running(let daemon), .stopping(_, let daemon): daemon.address
            }
        }
    }

    /// Open connections, idle ones included.
    package var connections: Int { engine.count }

    /// Bytes of requests' bodies that were taken into memory since the start; what was refused is not among them.
    package var bodyBytes: Int { engine.bodyBytes }

    /// Refuses new connections, lets handlers finish, ends long polls with 503, then cancels what still runs.
    ///
    /// Returns when all is over, or a little after `limit` if a handler blocks. A second call waits for the
    /// first.
    package func stop(within limit: Duration = .seconds(4)) async {
        let stopping = state.withLock { state -> Task<Void, Never>? in
            switch state {
            case .new: return nil
            case .stopping(let task, _): return task
            case .running(let daemon):
                let task = Task { await Shutdown(daemon, within: limit).run() }
                state = .stopping(task, daemon)
                return task
            }
        }
        await stopping?.value
    }
}

/// Why the server cannot start, in words for the operator.
enum ServerError: Error, Equatable, CustomStringConvertible {
    case badAddress(String)
    case addressInUse(String)
    case notPermitted(String)
    case system(String)

    package var description: String {
        switch self {
        case .badAddress(let address):
            "Cannot listen on \"\(address)\": it should look like 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080."
        case .addressInUse(let address): "Cannot listen on \(address): another program listens there already."
        case .notPermitted(let address):
            "Cannot listen on \(address): not permitted (ports below 1024 need it)."
        case .system(let reason): reason
        }
    }
}
