import CMicroHTTPD
import Glibc
import Synchronization
import TextFormats

final class Engine: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    let notFound: BoundRoute?
    let encoder: ResponseEncoder
    let limits: EngineLimits
    let lingering = LingeringClose()
    private let connectionCount = Atomic<Int>(0)
    private let stopping = Atomic<Bool>(false)
    private let storedBodyBytes = Atomic<Int>(0)
    private let connections = Mutex<[ObjectIdentifier: ClientConnection]>([:])
    private let connectionsPerClient: ConnectionsPerClient
    private let credentials: Mutex<TLSCredentials?>

    init(_ configuration: ServerConfiguration, router: Router) {
        self.configuration = configuration
        self.router = router
        notFound = configuration.notFound.map { handler in
            BoundRoute(route: Route(.get, "/{...rest}", bodyLimit: 0, handler), parameterNames: [])
        }
        encoder = ResponseEncoder(defaults: configuration.headers, log: configuration.log)
        limits = EngineLimits(configuration)
        credentials = Mutex(configuration.tls?.credentials)
        connectionsPerClient = ConnectionsPerClient(
            limit: configuration.connectionsPerPeer, reserve: limits.reserve,
            isExempt: configuration.isExemptPeer)
    }

    var count: Int { connectionCount.load(ordering: .relaxed) }

    /// While this is true, a connection that opens or ends a request may be silent for a few seconds only. So silent
    /// clients hold at most three quarters of the connections for longer, and others are answered.
    var isCrowded: Bool { count > limits.connections / 4 * 3 }

    var isStopping: Bool {
        get { stopping.load(ordering: .relaxed) }
        set { stopping.store(newValue, ordering: .relaxed) }
    }

    /// Far above the limit, no file descriptors are left even for refusing politely.
    func accepts(_ peer: IPAddress) -> Bool {
        !isStopping && count < limits.connections + limits.reserve && connectionsPerClient.accepts(peer)
    }

    var clients: [ClientConnection] { connections.withLock { Array($0.values) } }

    func opened(_ connection: OpaquePointer) -> ClientConnection {
        let count = connectionCount.add(1, ordering: .relaxed).newValue
        let peer = mhdshim_client_address(connection).flatMap { IPAddress($0) }?.unmapped ?? .unspecified
        let isRefused = !connectionsPerClient.opened(peer) || count > limits.connections
        let timeout = isRefused || isCrowded ? limits.crowdedTimeout : limits.idleTimeout
        let credentials = credentials.withLock(\.self)
        let client = ClientConnection(
            socket: mhdshim_socket(connection), peer: peer, isRefused: isRefused,
            deadline: MonotonicTime.now + timeout, credentials: credentials)
        // In place of those that libmicrohttpd was started with, which cannot be replaced.
        if let session = mhdshim_tls_session(connection) { credentials?.use(in: session) }
        connections.withLock { $0[ObjectIdentifier(client)] = client }
        return client
    }

    func closed(_ client: ClientConnection) {
        if let copy = client.close() { lingering.add(copy) }
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(client)) }
        connectionsPerClient.closed(client.peer)
        connectionCount.subtract(1, ordering: .relaxed)
    }

    /// The certificate of new connections.
    func use(_ identity: TLSIdentity) { credentials.withLock { $0 = identity.credentials } }

    var bodyBytes: Int { storedBodyBytes.load(ordering: .relaxed) }

    func countBodyBytes(_ count: Int) { storedBodyBytes.add(count, ordering: .relaxed) }

    func log(_ message: String) { configuration.log(message) }

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

/// Starts threads for C functions that block. Swift's pool has only one thread for each core.
enum DedicatedThread {
    final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Returns nil if the system cannot create a thread. The caller must join or detach it.
    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        // Released in `threadStarted`.
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, threadStarted, work.toOpaque()) == 0 else {
            work.release()
            return nil
        }
        return thread
    }
}

/// Milliseconds of the coarse monotonic clock, which takes a few nanoseconds to read and is accurate to about 4 ms.
enum MonotonicTime {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    var milliseconds: UInt64 {
        UInt64(max(0, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
    }
}

/// Controls when freed memory is returned to the system.
///
/// By default the allocator returns each large block at once. The next page of some hundred kilobytes then requests
/// them again, with a page fault for every 4,096 bytes: a fifth of the time for an inbox of 200 rows. So freed memory
/// is kept, and returned now and then.
package enum FreedMemory {
    /// A server calls it when it starts. A program with threads before that calls it first, because the allocator may
    /// have given each of them an arena of its own by then, and does not take it back.
    package static func keep() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        // The default is eight arenas per core, each of which keeps the memory that its threads freed.
        mallopt(M_ARENA_MAX, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    }

    /// Takes a few milliseconds.
    ///
    /// Also unmaps the program's code, most of which only the start uses. With each used page Linux maps up to fifteen
    /// neighbours: of 53 MB of mapped files with 1,000 open long polls, 13 MB had been used since the start.
    static func release() {
        malloc_trim(0)
        mhdshim_let_go_of_code()
    }
}
