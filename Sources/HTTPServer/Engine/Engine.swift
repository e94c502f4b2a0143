import CMicroHTTPD
import Glibc
import Synchronization

/// What all connections of one server share.
final class Engine: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    /// For an address without a route.
    let notFound: BoundRoute?
    let replies: ResponseEncoder
    let limits: EngineLimits
    let lingering = LingeringClose()
    private let connectionCount = Atomic<Int>(0)
    private let stopping = Atomic<Bool>(false)
    private let keptBodyBytes = Atomic<Int>(0)
    private let connections = Mutex<[ObjectIdentifier: ClientConnection]>([:])
    private let neighbours: ConnectionsPerClient

    init(_ configuration: ServerConfiguration, router: Router) {
        self.configuration = configuration
        self.router = router
        notFound = configuration.notFound.map { handler in
            BoundRoute(route: Route(.get, "/{...rest}", bodyLimit: 0, handler), parameterNames: [])
        }
        replies = ResponseEncoder(defaults: configuration.headers, log: configuration.log)
        limits = EngineLimits(configuration)
        neighbours = ConnectionsPerClient(
            limit: configuration.connectionsPerPeer, reserve: limits.reserve,
            isExempt: configuration.isExemptPeer)
    }

    var count: Int { connectionCount.load(ordering: .relaxed) }

    var isStopping: Bool {
        get { stopping.load(ordering: .relaxed) }
        set { stopping.store(newValue, ordering: .relaxed) }
    }

    /// Far above our own limit there is no file left to refuse politely with.
    func accepts(_ peer: @autoclosure () -> PeerAddress) -> Bool {
        !isStopping && count < limits.connections + limits.reserve && neighbours.accepts(peer())
    }

    var clients: [ClientConnection] { connections.withLock { Array($0.values) } }

    func opened(_ connection: OpaquePointer) -> ClientConnection {
        let count = connectionCount.add(1, ordering: .relaxed).newValue
        let peer = PeerAddress(of: connection)
        let isRefused = !neighbours.opened(peer) || count > limits.connections
        let timeout = isRefused ? min(limits.refusedTimeout, limits.idleTimeout) : limits.idleTimeout
        let client = ClientConnection(
            socket: mhdshim_socket(connection), peer: peer, isRefused: isRefused,
            deadline: MonotonicTime.now + timeout)
        connections.withLock { $0[ObjectIdentifier(client)] = client }
        return client
    }

    func closed(_ client: ClientConnection) {
        if let copy = client.close() { lingering.add(copy) }
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(client)) }
        neighbours.closed(client.peer)
        connectionCount.subtract(1, ordering: .relaxed)
    }

    /// Of all requests since the start.
    var bodyBytes: Int { keptBodyBytes.load(ordering: .relaxed) }

    func keep(bodyBytes: Int) { keptBodyBytes.add(bodyBytes, ordering: .relaxed) }

    func log(_ message: String) { configuration.log(message) }

    /// The answer to a fault, with the headers that its status asks for.
    func response(to fault: ServerFault, _ request: Request) -> Response {
        var response = configuration.fault(fault, request)
        switch fault {
        case .methodNotAllowed(let allow): response["Allow"] = Self.list(allow)
        case .overloaded, .stopping:
            if response["Retry-After"] == nil { response["Retry-After"] = "5" }
            response["Connection"] = "close"
        default: break
        }
        return response
    }

    func response(to error: any Error, _ request: Request) -> Response {
        switch error {
        case RequestError.malformed(let why): response(to: .malformed(why), request)
        case RequestError.notFound: response(to: .notFound, request)
        case RequestError.notJSON, RequestError.notAForm: response(to: .unsupportedType, request)
        default: response(to: .thrown(error), request)
        }
    }

    static func list(_ methods: [Method]) -> String { methods.map(\.rawValue).joined(separator: ", ") }
}
