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

/// A thread of our own, for C that blocks: Swift's pool is as small as the machine has cores.
enum DedicatedThread {
    final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Nil if the system gives no thread. Joined or detached by the caller.
    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        // The +1 ends in `threadStarted`.
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, threadStarted, work.toOpaque()) == 0 else {
            work.release()
            return nil
        }
        return thread
    }
}

/// Milliseconds of the coarse monotonic clock: a few nanoseconds to read, right to about 4 ms.
enum MonotonicTime {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Whole milliseconds, at least 0.
    var milliseconds: UInt64 {
        UInt64(max(0, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
    }
}

/// What the process does with memory that it does not use now.
///
/// Without `keep()` the allocator gives each large block back at once, and the next page of some hundred kilobytes takes them
/// from the system again, a page fault for every 4,096 bytes: a fifth of the time that an inbox of 200 rows took. So it is
/// kept, and given back from time to time.
enum FreedMemory {
    /// For the whole process.
    static func keep() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        // Of eight arenas a core, the default, each keeps what its own threads freed.
        mallopt(M_ARENA_MAX, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    }

    /// Takes a millisecond or a few.
    ///
    /// Also of the program's own code: with each page that is used Linux maps the fifteen beside it, and the start uses nearly
    /// every part once. Of 53 MB of files that were mapped with 1,000 long polls open, 13 had been used since the start.
    static func giveBack() {
        malloc_trim(0)
        mhdshim_let_go_of_code()
    }
}
