import Glibc
import Synchronization
import TextFormats

struct Admission {
    enum Decision {
        case admitted(BoundRoute)
        case refused(Response, BoundRoute?)
        /// The request is ambiguous: it gets one answer, and nothing more is read from the connection.
        case malformed(Response)
    }

    private let engine: Engine
    private let client: ClientConnection

    init(_ engine: Engine, _ client: ClientConnection) {
        self.engine = engine
        self.client = client
    }

    /// Also sets the request's query and parameters.
    func decide(_ request: inout Request, _ plan: BodyPlan, headerBytes: Int) -> Decision {
        if let why = ambiguity(request, plan) {
            var response = engine.response(to: .malformed(why), request)
            response["Connection"] = "close"
            return .malformed(response)
        }
        if let fault = refusalReason(request, headerBytes) { return refuse(fault, request) }
        let query = Request.split(request.target).query
        if !query.isEmpty {
            guard let decoded = try? Query(parsing: query) else {
                return refuse(.malformed("The query of the address is not properly encoded."), request)
            }
            request.query = decoded
        }
        if let response = engine.configuration.filter?(request) { return .refused(response, nil) }
        return route(&request, plan)
    }

    static let unclearLength = "The length of the body is ambiguous."

    /// Returns a reason if a proxy, for instance, may have read the request differently.
    private func ambiguity(_ request: Request, _ plan: BodyPlan) -> String? {
        if plan.isAmbiguous { return Self.unclearLength }
        if request.target.utf8.contains(UInt8(ascii: " ")) { return "There is a space in the address." }
        let hosts = request.headers.all("Host")
        if hosts.count > 1 { return "There are two Host headers." }
        guard let host = hosts.first else {
            return request.version == "HTTP/1.0" ? nil : "There is no Host header."
        }
        return HeaderRules.isHost(host) ? nil : "The Host header is not a host name."
    }

    private func refusalReason(_ request: Request, _ headerBytes: Int) -> ServerFault? {
        if client.isRefused { return .overloaded }
        if engine.isStopping { return .stopping }
        if request.target.utf8.count > engine.configuration.uriLimit { return .targetTooLong }
        if headerBytes > engine.configuration.headerLimit { return .headersTooLarge }
        if request.method == .unknown { return .unknownMethod }
        return nil
    }

    private func route(_ request: inout Request, _ plan: BodyPlan) -> Decision {
        switch engine.router.match(request.method, request.path) {
        case .found(let route, let parameters):
            request.parameters = parameters
            return plan.hasBody ? checkBody(request, plan, route) : .admitted(route)
        case .options(let allow):
            return .refused(Response(status: 204, headers: [("Allow", Engine.list(allow))]), nil)
        case .notAllowed(let allow): return refuse(.methodNotAllowed(allow: allow), request)
        case .notFound:
            guard let route = engine.notFound, request.method == .get || request.method == .head else {
                return refuse(.notFound, request)
            }
            return plan.hasBody ? checkBody(request, plan, route) : .admitted(route)
        case .malformed: return refuse(.malformed("The address is not properly encoded."), request)
        }
    }

    private func checkBody(_ request: Request, _ plan: BodyPlan, _ route: BoundRoute) -> Decision {
        let (admission, limit) = (route.route.admission, route.route.bodyLimit)
        do {
            try admission?.check(request)
        } catch {
            return .refused(engine.response(to: error, request), route)
        }
        return plan.length > limit ? refuse(.bodyTooLarge(limit: limit), request, route) : .admitted(route)
    }

    private func refuse(_ fault: ServerFault, _ request: Request, _ route: BoundRoute? = nil) -> Decision {
        .refused(engine.response(to: fault, request), route)
    }
}

/// Counts the connections of each address, so that one client cannot take them all.
final class ConnectionsPerClient: Sendable {
    private let limit: Int
    /// The connections beyond the limit that are accepted, only to be refused with an answer.
    private let reserve: Int
    private let isExempt: @Sendable (IPAddress) -> Bool
    private let counts = Mutex<[IPAddress: Int]>([:])

    init(limit: Int, reserve: Int, isExempt: @escaping @Sendable (IPAddress) -> Bool) {
        self.limit = limit
        self.reserve = reserve
        self.isExempt = isExempt
    }

    /// Connections far above the limit are closed without an answer, because refusing them takes resources too.
    func accepts(_ peer: IPAddress) -> Bool {
        !isCounted(peer) || counts.withLock { $0[peer] ?? 0 } < limit + reserve
    }

    func opened(_ peer: IPAddress) -> Bool {
        guard isCounted(peer) else { return true }
        return counts.withLock { counts in
            let count = (counts[peer] ?? 0) + 1
            counts[peer] = count
            return count <= limit
        }
    }

    func closed(_ peer: IPAddress) {
        guard isCounted(peer) else { return }
        counts.withLock { counts in
            let count = (counts[peer] ?? 0) - 1
            counts[peer] = count > 0 ? count : nil
        }
    }

    private func isCounted(_ peer: IPAddress) -> Bool {
        limit > 0 && !isExempt(peer)
    }
}

/// The requests of the current thread whose headers libmicrohttpd has not delivered yet.
///
/// Its log messages do not name a connection. Since one thread serves a connection from start to end, a message must be
/// about one of these requests.
final class UnfinishedHeads {
    private var exchanges: [Exchange] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Releases the reference of `ofThisThread` at the thread's end.
            if let pointer { Unmanaged<UnfinishedHeads>.fromOpaque(pointer).release() }
        }
        return key
    }()

    static var ofThisThread: UnfinishedHeads {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<UnfinishedHeads>.fromOpaque(pointer).takeUnretainedValue()
        }
        let heads = UnfinishedHeads()
        pthread_setspecific(key, Unmanaged.passRetained(heads).toOpaque())
        return heads
    }

    func add(_ exchange: Exchange) { exchanges.append(exchange) }

    func remove(_ exchange: Exchange) { exchanges.removeAll { $0 === exchange } }

    /// Called when libmicrohttpd is about to answer one of them itself.
    func refuseUnreadableLengths() {
        for exchange in exchanges { exchange.refuseUnreadableLength() }
    }
}
