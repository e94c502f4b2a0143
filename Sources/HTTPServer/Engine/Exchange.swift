import CMicroHTTPD
import Glibc

/// A request and its answer, from the request line to the last byte.
///
/// Used only by libmicrohttpd's callbacks for its connection, which run one after the other on one thread.
final class Exchange {
    private let connection: OpaquePointer
    let client: ClientConnection
    private let engine: Engine
    private let target: String
    private let startedAt: ContinuousClock.Instant?
    private var stage = Stage.new
    private var request: Request?
    private var route: BoundRoute?
    private var refusal: Response?
    private var bodyBytes = 0
    private var pending: PendingResponse?
    private var reply: NativeResponse?

    private enum Stage { case new, collecting, discarding, handling, answered }

    init(_ engine: Engine, _ client: ClientConnection, _ connection: OpaquePointer, target: String) {
        self.engine = engine
        self.client = client
        self.connection = connection
        self.target = target
        startedAt = engine.configuration.accessLog == nil ? nil : .now
        client.beginReceiving(for: engine.limits.receiveTimeout)
        UnfinishedHeads.ofThisThread.add(self)
    }

    /// Called with the headers, with each part of the body, without bytes at the body's end, and after a suspension.
    func advance(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, body: UnsafeRawBufferPointer
    ) -> MHD_Result {
        switch stage {
        case .new: begin(method, version)
        case .collecting: body.isEmpty ? dispatch() : collect(body)
        case .discarding: body.isEmpty ? queueRefusal() : discard(body)
        case .handling: queueAnswer()
        case .answered: .NO
        }
    }

    private func begin(_ name: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) -> MHD_Result {
        UnfinishedHeads.ofThisThread.remove(self)
        let headers = receivedHeaders()
        var request = Request(method: Method(name), target: target, headers: headers, peer: client.peer)
        request.version = String(cString: version)
        request.isSecure = engine.configuration.tls != nil
        let plan = BodyPlan(headers, version: request.version)
        let headerBytes = mhdshim_header_size(connection)
        let memory = RequestMemory(headers, headerBytes: headerBytes).bytes
        if memory + engine.limits.answerHead > engine.configuration.connectionMemory {
            self.request = request
            return sendDirectly(engine.response(to: ServerFault.headersTooLarge, request))
        }
        let admission = Admission(engine, client).decide(&request, plan, headerBytes: headerBytes)
        self.request = request
        switch admission {
        case .admitted(let route):
            self.route = route
            stage = .collecting
            extendTimeout(for: plan.length)
        case .malformed(let response):
            refusal = response
            client.lingerAtClose()
            return queueRefusal()
        case .refused(let response, let route):
            self.route = route
            refusal = response
            stage = .discarding
            // libmicrohttpd closes the connection after an answer that precedes the end of the body. Requests without a
            // body avoid that.
            guard plan.shouldDrain else {
                client.lingerAtClose()
                return queueRefusal()
            }
        }
        return .YES
    }

    private func receivedHeaders() -> Headers {
        var headers = Headers(reservingCapacity: 512)
        withUnsafeMutablePointer(to: &headers) {
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, headerFound, $0)
        }
        return headers
    }

    /// Answers instead of libmicrohttpd if the headers so far contain an unreadable length.
    ///
    /// 0.9.75 answers such a request with its own 400 before we see it: with the head sent twice or, if memory is
    /// short, with nothing. Its own output after this is discarded.
    func refuseUnreadableLength() {
        guard stage == .new, !BodyPlan.areReadable(receivedHeaders().all("Content-Length")) else { return }
        var response = engine.response(to: .malformed(Admission.unclearLength), minimalRequest)
        response["Connection"] = "close"
        // Makes a shutdown wait: stopped during an answer of its own, libmicrohttpd would read a null pointer.
        client.enter(.sending, for: engine.limits.sendTimeout)
        sendDirectly(response)
        client.endSending(over: mhdshim_tls_session(connection))
    }

    private func extendTimeout(for bodyBytes: Int) {
        guard bodyBytes > EngineLimits.bodyWithoutExtraTime else { return }
        client.enter(.receiving, for: engine.limits.receiveTimeout(forBodyOf: bodyBytes))
        request?.body.reserveCapacity(bodyBytes)
    }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        guard let limit = route?.route.bodyLimit else { return .NO }
        bodyBytes += bytes.count
        if bodyBytes <= limit {
            engine.countBodyBytes(bytes.count)
            // With a second reference to the request, each part would copy all earlier ones.
            request?.body.append(contentsOf: bytes)
            return .YES
        }
        request?.body = []
        guard let request else { return .NO }
        bodyBytes = 0
        refusal = engine.response(to: ServerFault.bodyTooLarge(limit: limit), request)
        stage = .discarding
        return .YES
    }

    private func discard(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        bodyBytes += bytes.count
        guard bodyBytes > EngineLimits.drainLimit, let refusal else { return .YES }
        // libmicrohttpd accepts no answer in the middle of a body, and a chunked body may never end.
        return sendDirectly(refusal)
    }

    @discardableResult
    private func sendDirectly(_ refusal: Response) -> MHD_Result {
        let raw = engine.encoder.wireFormat(of: refusal)
        if client.sendDirectly(raw, over: mhdshim_tls_session(connection)) { client.lingerAtClose() }
        stage = .answered
        reply = .alreadySent(status: refusal.status)
        return .NO
    }

    private func dispatch() -> MHD_Result {
        guard let route, let request else { return .NO }
        stage = .handling
        client.enter(.waiting)
        switch route.route.handler {
        case .ready(let handler): return queue(attempt(request) { try handler(request) })
        case .async(let handler): return run(handler, request)
        case .deferred(let handler):
            let pending = PendingResponse(engine, client, connection, request, isDeferred: true)
            self.pending = pending
            handler(request, Responder(pending))
            return suspend(pending)
        }
    }

    private func attempt(_ request: Request, _ handler: () throws -> HandlerResult) -> NativeResponse {
        do {
            return engine.encoder.make(try handler(), for: request)
        } catch {
            return engine.encoder.make(.response(engine.response(to: error, request)), for: request)
        }
    }

    private func run(
        _ handler: @escaping @Sendable (Request) async throws -> HandlerResult, _ request: Request
    ) -> MHD_Result {
        let pending = PendingResponse(engine, client, connection, request, isDeferred: false)
        self.pending = pending
        pending.run(handler)
        return suspend(pending)
    }

    private func suspend(_ pending: PendingResponse) -> MHD_Result {
        pending.suspendUnlessAnswered().map(queue) ?? .YES
    }

    /// Called after a resumption, possibly before there is an answer.
    private func queueAnswer() -> MHD_Result {
        client.stopWaiting()
        return pending.map(suspend) ?? .NO
    }

    private func queueRefusal() -> MHD_Result {
        guard let refusal, let request else { return .NO }
        return queue(engine.encoder.make(.response(refusal), for: request))
    }

    private func queue(_ reply: NativeResponse) -> MHD_Result {
        self.reply = reply
        stage = .answered
        guard let pointer = reply.pointer else {
            client.reset()
            return .NO
        }
        client.enter(.sending, for: engine.limits.sendTimeout)
        reply.stream?.start(connection, client, sendTimeout: engine.limits.sendTimeout)
        return MHD_queue_response(connection, UInt32(reply.status), pointer)
    }

    /// Called once, however the request ended.
    func complete(_ reason: MHD_RequestTerminationCode) {
        if request == nil { UnfinishedHeads.ofThisThread.remove(self) }
        pending?.close()
        reply?.stream?.cancel()
        client.stopWaiting()
        let ownStatus = Int(mhdshim_status(connection))
        if stage == .new, reason == .REQUEST_TERMINATED_WITH_ERROR, ownStatus == 431 {
            // libmicrohttpd gave up on a request that needs too much memory, and has none left for an answer.
            sendDirectly(engine.response(to: .headersTooLarge, minimalRequest))
        }
        // libmicrohttpd answered itself, perhaps while the client is still sending.
        if reply == nil, ownStatus != 0 { client.lingerAtClose() }
        let limits = engine.limits
        client.becomeIdle(
            for: engine.isCrowded ? limits.crowdedTimeout : limits.idleTimeout + limits.receiveTimeout)
        log(ownStatus: ownStatus)
    }

    /// Called instead of `complete` if libmicrohttpd closed the connection without reporting the end of the request.
    func abandon() {
        if request == nil { UnfinishedHeads.ofThisThread.remove(self) }
        pending?.close()
        reply?.stream?.cancel()
        // With TLS, the session no longer exists.
        if stage == .new, engine.configuration.tls == nil, !client.wasCutOff {
            sendDirectly(engine.response(to: .headersTooLarge, minimalRequest))
        }
        log(ownStatus: 0)
    }

    private var minimalRequest: Request {
        Request(method: .get, target: target, headers: Headers(), peer: client.peer)
    }

    private func log(ownStatus: Int) {
        guard let accessLog = engine.configuration.accessLog, let startedAt else { return }
        var status = reply?.status ?? ownStatus
        if status == 0 { status = client.wasCutOff ? 408 : 499 }
        let isBodiless = request?.method == .head
        accessLog(
            AccessEntry(
                method: request?.method ?? .unknown,
                route: route === engine.notFound ? nil : route?.route.pattern,
                path: request?.path ?? Request.split(target).path, status: status,
                bytesSent: isBodiless ? 0 : (reply?.stream?.bytesSent ?? reply?.byteCount ?? 0),
                duration: .now - startedAt, peer: client.peer, userAgent: request?.headers["User-Agent"] ?? ""
            ))
    }
}

struct BodyPlan {
    /// In bytes; 0 without a body and for a chunked one.
    let length: Int
    let isChunked: Bool
    /// The client waits for a 100 before it sends the body, so it can be refused immediately.
    let expectsContinue: Bool
    /// True for both a length and chunks, an unknown coding, an invalid length, or a field that others may read as one
    /// of these. Such requests can be smuggled past proxies.
    let isAmbiguous: Bool

    init(_ headers: Headers, version: String) {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        length = lengths.first.flatMap { Int($0) } ?? 0
        isChunked = !codings.isEmpty
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
        let isOnlyChunked = codings.isEmpty || (codings.count == 1 && codings[0].lowercased() == "chunked")
        isAmbiguous =
            headers.hasSpacedName || headers.hasFoldedField || !isOnlyChunked
            || (isChunked && (!lengths.isEmpty || version == "HTTP/1.0"))
            || lengths.count > 1 || !Self.areReadable(lengths)
    }

    static func areReadable(_ lengths: [String]) -> Bool {
        lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int($0) != nil }
    }

    var hasBody: Bool { isChunked || length > 0 }

    /// True if a refused body should be read and dropped, to keep the connection open.
    var shouldDrain: Bool {
        length <= EngineLimits.drainLimit && !(expectsContinue && hasBody)
    }
}

/// Estimates how much of the connection's memory in libmicrohttpd a request needs.
///
/// The head of the answer must fit into the rest, otherwise libmicrohttpd closes the connection without an answer.
struct RequestMemory {
    let bytes: Int

    /// libmicrohttpd 0.9.75 keeps a record of seven words for each field and each cookie, aligned to 16 bytes.
    private static let record = 64

    /// - Parameter headerBytes: the bytes of the request line and all fields
    init(_ headers: Headers, headerBytes: Int) {
        // Cookies are copied, and each gets its own record. Commas separate them, too, as in RFC 2109.
        let cookies = headers.all("Cookie")
        let pairs = cookies.reduce(0) {
            $0 + $1.utf8.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } + 1
        }
        let copies = cookies.reduce(0) { $0 + $1.utf8.count + 16 }
        bytes = headerBytes + copies + Self.record * (headers.count + pairs)
    }
}
