import Synchronization

/// An HTTP/1.1 server over libmicrohttpd.
///
/// Make it with routes, `start()` it, and `stop()` it. A stopped server cannot start again. It stops at once when it is
/// released, so keep it as long as it should serve.
public final class Server: Sendable {
    private enum State {
        case new
        case running(Daemon)
        case stopping(Task<Void, Never>, Daemon)
    }

    private let engine: Engine
    private let state = Mutex(State.new)

    /// Makes a server that does not listen yet.
    public init(_ configuration: ServerConfiguration, router: Router) {
        engine = Engine(configuration, router: router)
    }

    deinit {
        // Stops a server that is released while running, because its connections must not outlive it.
        if case .running(let daemon) = state.withLock({ $0 }) {
            Task { await Shutdown(daemon, within: .zero).run() }
        }
    }

    /// Listens on the configured address and serves on threads of its own. A second call does nothing.
    ///
    /// Throws `ServerError` if it cannot listen there.
    public func start() throws {
        try state.withLock { state in
            guard case .new = state else { return }
            state = .running(try Daemon(engine))
        }
    }

    /// The actual address, such as "127.0.0.1:43121"; "" before the start.
    public var address: String {
        state.withLock { state in
            switch state {
            case .new: ""
            case .running(let daemon), .stopping(_, let daemon): daemon.address
            }
        }
    }

    /// The number of open connections.
    public var connections: Int { engine.count }

    /// The size of all bodies that requests under way hold, in bytes.
    package var bodyBytes: Int { engine.bodyBytes }

    /// Gives new connections this certificate; open ones keep theirs. Only for a server with TLS.
    public func use(_ identity: TLSIdentity) { engine.use(identity) }

    /// Refuses new connections, lets handlers finish, ends long polls with 503, then cancels running handlers.
    ///
    /// Returns when everything has ended, or a little after `limit` if a handler blocks. A second call waits for the
    /// first.
    public func stop(within limit: Duration = .seconds(4)) async {
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

/// Why a server cannot listen on its address.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    /// The text is not an IP address with a port.
    case invalidAddress(String)
    case addressInUse(String)
    /// Ports below 1024 need a privilege.
    case notPermitted(String)
    /// Any other error of the system or libmicrohttpd, in words.
    case system(String)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .invalidAddress(let address):
            "Cannot listen on \"\(address)\": it should look like 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080."
        case .addressInUse(let address):
            "Cannot listen on \(address): another program is already listening there."
        case .notPermitted(let address):
            "Cannot listen on \(address): permission denied (required for ports below 1024)."
        case .system(let reason): reason
        }
    }
}
