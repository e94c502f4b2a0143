import Glibc
import Synchronization

/// Decides about a request when its headers are complete, before any of its body is read.
struct Admission {
    enum Decision {
        case admitted(BoundRoute)
        case refused(Response, BoundRoute?)
        /// What the client means is not certain: it is answered once, and nothing more of the connection is read.
        case malformed(Response)
    }

    private let engine: Engine
    private let client: ClientConnection

    init(_ engine: Engine, _ client: ClientConnection) {
        self.engine = engine
        self.client = client
    }

    /// Fills in the request's query and parameters.
    func decide(_ request: inout Request, _ plan: BodyPlan, headerBytes: Int) -> Decision {
        if let why = ambiguity(request, plan) {
            var response = engine.response(to: .malformed(why), request)
            response["Connection"] = "close"
            return .malformed(response)
        }
        if let fault = objection(request, headerBytes) { return refuse(fault, request) }
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

    static let unclearLength = "The length of the body is not clear."

    /// What others, a proxy for instance, may have read otherwise than we do.
    private func ambiguity(_ request: Request, _ plan: BodyPlan) -> String? {
        if plan.isAmbiguous { return Self.unclearLength }
        if request.target.utf8.contains(UInt8(ascii: " ")) { return "There is a space in the address." }
        let hosts = request.headers.all("Host")
        if hosts.count > 1 { return "There are two Host headers." }
        guard let host = hosts.first else {
            return request.version == "HTTP/1.0" ? nil : "There is no Host header."
        }
        return HeaderRules.isHost(host) ? nil : "The Host header is not the name of a host."
    }

    private func objection(_ request: Request, _ headerBytes: Int) -> ServerFault? {
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
            return plan.hasBody ? judge(request, plan, route) : .admitted(route)
        case .options(let allow):
            return .refused(Response(status: 204, headers: [("Allow", Engine.list(allow))]), nil)
        case .notAllowed(let allow): return refuse(.methodNotAllowed(allow: allow), request)
        case .notFound:
            guard let route = engine.notFound, request.method == .get || request.method == .head else {
                return refuse(.notFound, request)
            }
            return plan.hasBody ? judge(request, plan, route) : .admitted(route)
        case .malformed: return refuse(.malformed("The address is not properly encoded."), request)
        }
    }

    private func judge(_ request: Request, _ plan: BodyPlan, _ route: BoundRoute) -> Decision {
        let (admission, limit) = (route.route.admission, route.route.bodyLimit)
        do {
            try admission?.judge(request)
        } catch {
            return .refused(engine.response(to: error, request), route)
        }
        return plan.length > limit ? refuse(.bodyTooLarge(limit: limit), request, route) : .admitted(route)
    }

    private func refuse(_ fault: ServerFault, _ request: Request, _ route: BoundRoute? = nil) -> Decision {
        .refused(engine.response(to: fault, request), route)
    }
}

/// How many connections each address holds, so that one neighbour cannot take them all.
final class ConnectionsPerClient: Sendable {
    /// 0 for none.
    private let limit: Int
    /// Connections beyond the limit that may be open to be told so.
    private let reserve: Int
    private let isExempt: @Sendable (PeerAddress) -> Bool
    private let counts = Mutex<[PeerAddress: Int]>([:])

    init(limit: Int, reserve: Int, isExempt: @escaping @Sendable (PeerAddress) -> Bool) {
        self.limit = limit
        self.reserve = reserve
        self.isExempt = isExempt
    }

    /// Far above the limit it is closed without a word: what waits to be refused must not fill the server.
    func accepts(_ peer: PeerAddress) -> Bool {
        !isCounted(peer) || counts.withLock { $0[peer] ?? 0 } < limit + reserve
    }

    /// False if this connection is one too many.
    func opened(_ peer: PeerAddress) -> Bool {
        guard isCounted(peer) else { return true }
        return counts.withLock { counts in
            let count = (counts[peer] ?? 0) + 1
            counts[peer] = count
            return count <= limit
        }
    }

    func closed(_ peer: PeerAddress) {
        guard isCounted(peer) else { return }
        counts.withLock { counts in
            let count = (counts[peer] ?? 0) - 1
            counts[peer] = count > 0 ? count : nil
        }
    }

    private func isCounted(_ peer: PeerAddress) -> Bool {
        limit > 0 && !isExempt(peer)
    }
}

/// The requests of the present thread whose headers libmicrohttpd has not handed over yet.
///
/// Its log messages name no connection. One of its threads serves a connection from the first byte to the last, so that
/// what a message is about is one of these.
final class UnfinishedHeads {
    private var exchanges: [Exchange] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // The +1 of `ofThisThread`, at the thread's end.
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

    /// libmicrohttpd is about to answer one of them by itself.
    func refuseUnreadableLengths() {
        for exchange in exchanges { exchange.refuseUnreadableLength() }
    }
}
