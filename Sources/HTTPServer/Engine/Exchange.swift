import CMicroHTTPD
import Glibc

/// One request and its answer, from the request line to the last byte.
///
/// Touched only by libmicrohttpd's callbacks for its connection: on one thread, one after the other.
final class Exchange {
    private let connection: OpaquePointer
    let client: ClientConnection
    private let engine: Engine
    private let target: String
    private let began: ContinuousClock.Instant?
    private var stage = Stage.new
    private var request: Request?
    private var route: BoundRoute?
    private var refusal: Response?
    /// Of the body: kept, or dropped since it was refused.
    private var bodyBytes = 0
    private var pending: PendingResponse?
    private var reply: NativeResponse?

    private enum Stage { case new, collecting, discarding, handling, answered }

    init(_ engine: Engine, _ client: ClientConnection, _ connection: OpaquePointer, target: String) {
        self.engine = engine
        self.client = client
        self.connection = connection
        self.target = target
        began = engine.configuration.accessLog == nil ? nil : .now
        client.beginReceiving(for: engine.limits.receiveTimeout)
        UnfinishedHeads.ofThisThread.add(self)
    }

    /// Called with the headers, with each part of the body, without bytes at its end, and after a suspension.
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
            return sendPast(engine.response(to: ServerFault.headersTooLarge, request))
        }
        let admission = Admission(engine, client).decide(&request, plan, headerBytes: headerBytes)
        self.request = request
        switch admission {
        case .admitted(let route):
            self.route = route
            stage = .collecting
            allowTime(for: plan.length)
        case .malformed(let response):
            refusal = response
            client.lingerAtClose()
            return queueRefusal()
        case .refused(let response, let route):
            self.route = route
            refusal = response
            stage = .discarding
            // libmicrohttpd closes after an answer that comes before the body; without a body there is no
            // need to.
            guard plan.isWorthDraining else {
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

    /// Answers in libmicrohttpd's place if the headers that have come so far hold no readable length.
    ///
    /// Of such a length 0.9.75 says its own 400 before we see the request: the head of its answer twice, or, where its
    /// memory does not suffice, nothing. What it sends after this goes nowhere.
    func refuseUnreadableLength() {
        guard stage == .new, !BodyPlan.areReadable(receivedHeaders().all("Content-Length")) else { return }
        var response = engine.response(to: .malformed(Admission.unclearLength), barely)
        response["Connection"] = "close"
        // A shutdown waits for this: stopped in the middle of an answer of its own, libmicrohttpd would read a null pointer.
        client.enter(.sending, for: engine.limits.sendTimeout)
        sendPast(response)
        client.endSending(over: mhdshim_tls_session(connection))
    }

    private func allowTime(for bodyBytes: Int) {
        guard bodyBytes > EngineLimits.bodyWithoutExtraTime else { return }
        client.enter(.receiving, for: engine.limits.receiveTimeout(forBodyOf: bodyBytes))
        request?.body.reserveCapacity(bodyBytes)
    }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        guard let limit = route?.route.bodyLimit, let request else { return .NO }
        bodyBytes += bytes.count
        if bodyBytes <= limit {
            engine.keep(bodyBytes: bytes.count)
            self.request?.body.append(contentsOf: bytes)
        } else {
            self.request?.body = []
            bodyBytes = 0
            refusal = engine.response(to: ServerFault.bodyTooLarge(limit: limit), request)
            stage = .discarding
        }
        return .YES
    }

    private func discard(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        bodyBytes += bytes.count
        guard bodyBytes > EngineLimits.drainLimit, let refusal else { return .YES }
        // libmicrohttpd takes no answer in the middle of a body, and a chunked one may never end.
        return sendPast(refusal)
    }

    /// Answers without libmicrohttpd where it cannot, and ends the connection.
    @discardableResult
    private func sendPast(_ refusal: Response) -> MHD_Result {
        let raw = engine.replies.wireFormat(of: refusal)
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
            return engine.replies.make(try handler(), for: request)
        } catch {
            return engine.replies.make(.response(engine.response(to: error, request)), for: request)
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

    /// After a resumption; libmicrohttpd may ask again before there is an answer.
    private func queueAnswer() -> MHD_Result {
        client.stopWaiting()
        return pending.map(suspend) ?? .NO
    }

    private func queueRefusal() -> MHD_Result {
        guard let refusal, let request else { return .NO }
        return queue(engine.replies.make(.response(refusal), for: request))
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

    /// Called once, whatever became of the request.
    func complete(_ reason: MHD_RequestTerminationCode) {
        if request == nil { UnfinishedHeads.ofThisThread.remove(self) }
        pending?.close()
        reply?.stream?.cancel()
        client.stopWaiting()
        let ownStatus = Int(mhdshim_status(connection))
        if stage == .new, reason == .REQUEST_TERMINATED_WITH_ERROR, ownStatus == 431 {
            // libmicrohttpd gave up a request for which it has no memory, and has none for saying so either.
            sendPast(engine.response(to: .headersTooLarge, barely))
        }
        // libmicrohttpd answered by itself, perhaps while the client still sends.
        if reply == nil, ownStatus != 0 { client.lingerAtClose() }
        client.becomeIdle(for: engine.limits.idleTimeout + engine.limits.receiveTimeout)
        log(ownStatus: ownStatus)
    }

    /// Called in place of `complete` where libmicrohttpd has closed the connection without a word.
    func abandon() {
        if request == nil { UnfinishedHeads.ofThisThread.remove(self) }
        pending?.close()
        reply?.stream?.cancel()
        // Its TLS session is gone already.
        if stage == .new, engine.configuration.tls == nil, !client.wasCutOff {
            sendPast(engine.response(to: .headersTooLarge, barely))
        }
        log(ownStatus: 0)
    }

    /// The request as far as it is known before its headers are.
    private var barely: Request {
        Request(method: .get, target: target, headers: Headers(), peer: client.peer)
    }

    private func log(ownStatus: Int) {
        guard let accessLog = engine.configuration.accessLog, let began else { return }
        var status = reply?.status ?? ownStatus
        if status == 0 { status = client.wasCutOff ? 408 : 499 }
        let isBodiless = request?.method == .head
        accessLog(
            AccessEntry(
                method: request?.method ?? .unknown,
                route: route === engine.notFound ? nil : route?.route.pattern,
                path: request?.path ?? Request.split(target).path, status: status,
                bytesSent: isBodiless ? 0 : (reply?.stream?.bytesSent ?? reply?.byteCount ?? 0),
                duration: .now - began, peer: client.peer, userAgent: request?.headers["User-Agent"] ?? ""))
    }
}

/// What a request's headers say about its body (RFC 9112 section 6).
struct BodyPlan {
    /// Bytes promised; 0 without a body, and for one that comes in chunks.
    let length: Int
    let isChunked: Bool
    /// The client waits for 100 before it sends: an answer in its place reaches it at once.
    let expectsContinue: Bool
    /// Both a length and chunks, a coding that we do not know, a length that is none, or a field that others may read as
    /// one of these: how requests are smuggled past proxies.
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

    /// Whether a refused body is read and dropped, so that the connection can go on.
    var isWorthDraining: Bool {
        length <= EngineLimits.drainLimit && !(expectsContinue && hasBody)
    }
}

/// What a request takes of the memory that libmicrohttpd keeps for its connection, reckoned from its headers.
///
/// Its answer's head must fit into the rest: libmicrohttpd closes the connection without a word where it does not.
struct RequestMemory {
    let bytes: Int

    /// libmicrohttpd 0.9.75 keeps a record of seven words for each field and each cookie, aligned to 16 bytes.
    private static let record = 64

    /// - Parameter headerBytes: of the request line and all fields
    init(_ headers: Headers, headerBytes: Int) {
        // Cookies are copied, and each gets a record of its own; commas part them, too, as in RFC 2109.
        let cookies = headers.all("Cookie")
        let pairs = cookies.reduce(0) {
            $0 + $1.utf8.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } + 1
        }
        let copies = cookies.reduce(0) { $0 + $1.utf8.count + 16 }
        bytes = headerBytes + copies + Self.record * (headers.count + pairs)
    }
}
