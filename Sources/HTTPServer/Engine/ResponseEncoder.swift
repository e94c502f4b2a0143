import Synchronization

/// Turns answers into what libmicrohttpd sends: default headers, conditional requests, compression.
struct ResponseEncoder: Sendable {
    private static let identifiers = Atomic<Int>(0)

    /// Distinguishes servers, whose default headers differ.
    let identifier: Int
    private let defaults: [Response.Header]
    private let log: @Sendable (String) -> Void

    init(defaults: [Response.Header], log: @escaping @Sendable (String) -> Void) {
        identifier = Self.identifiers.add(1, ordering: .relaxed).newValue
        self.defaults = defaults.filter(HeaderRules.isValid)
        self.log = log
    }

    func make(_ answer: HandlerResult, for request: Request) -> NativeResponse {
        switch answer {
        case .prepared(let prepared): prepared.reply(for: request, from: self)
        case .response(let response): make(response, for: request)
        }
    }

    /// The same for a task: a long body is compressed piece by piece, and in between others have their turn.
    func makeInPieces(_ answer: HandlerResult, for request: Request) async -> NativeResponse {
        guard case .response(let response) = answer, response.bytes.count > Gzip.pieceSize,
            (200..<600).contains(response.status), !Self.isNotModified(response, for: request),
            Self.wantsGzip(response, request)
        else { return make(answer, for: request) }
        return gzip(response, await Gzip.compressInPieces(response.bytes))
            ?? identity(response)
    }

    private func make(_ response: Response, for request: Request) -> NativeResponse {
        guard (200..<600).contains(response.status) else { return .reset }
        switch response.body {
        case .reset: return .reset
        case .stream(let stream):
            if request.method == .head { return headOfStream(response, stream) }
            return self.stream(response, stream, length: nil)
        case .truncated(let bytes, let length):
            return stream(response, ByteStream(cutAfter: bytes), length: max(length, bytes.count + 1))
        case .empty, .bytes:
            if Self.isNotModified(response, for: request) { return notModified(response) }
            let compressed = Self.wantsGzip(response, request) ? gzip(response, .fast) : nil
            return compressed ?? identity(response)
        }
    }

    private static func wantsGzip(_ response: Response, _ request: Request) -> Bool {
        isCompressible(response) && Gzip.isAccepted(request.headers["Accept-Encoding"])
    }

    func identity(_ response: Response) -> NativeResponse {
        NativeResponse(status: response.status, headers: headers(of: response), bytes: response.bytes)
    }

    /// Nil if compressing does not pay.
    func gzip(_ response: Response, _ compression: Compression) -> NativeResponse? {
        gzip(response, Gzip.compress(response.bytes, compression))
    }

    private func gzip(_ response: Response, _ bytes: [UInt8]?) -> NativeResponse? {
        guard let bytes else { return nil }
        var compressed = response
        compressed["Content-Encoding"] = "gzip"
        if let etag = response.etag { compressed.etag = EntityTag.weak(etag) }
        return NativeResponse(status: response.status, headers: headers(of: compressed), bytes: bytes)
    }

    func notModified(_ response: Response) -> NativeResponse {
        var headers = headers(of: response)
        headers.removeAll { HeaderRules.isSame($0.name, "Content-Type") }
        return NativeResponse(status: 304, headers: headers, bytes: [])
    }

    private func stream(_ response: Response, _ stream: ByteStream, length: Int?) -> NativeResponse {
        NativeResponse(
            status: response.status, headers: headers(of: response), stream: StreamSource(stream),
            length: length)
    }

    private func headOfStream(_ response: Response, _ stream: ByteStream) -> NativeResponse {
        NativeResponse(
            status: response.status, headers: headers(of: response), headOfStream: StreamSource(stream))
    }

    /// The whole answer as it stands on the wire, for the one case in which libmicrohttpd cannot send it.
    func wireFormat(of response: Response) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) Refused\r\n"
        for (name, value) in headers(of: response) where !HeaderRules.isSame(name, "Connection") {
            head += "\(name): \(value)\r\n"
        }
        head += "Content-Length: \(response.bytes.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + response.bytes
    }

    /// The response's own headers without what is the server's business, then the defaults.
    private func headers(of response: Response) -> [Response.Header] {
        var headers: [Response.Header] = []
        headers.reserveCapacity(response.headers.count + defaults.count + 1)
        for header in response.headers where !HeaderRules.isServersOwn(header) {
            guard HeaderRules.isValid(header) else {
                let name = header.name.debugDescription
                log("A header of an answer was not sent, since it holds forbidden characters: \(name)")
                continue
            }
            headers.append(header)
        }
        if Self.isCompressible(response) { Self.addVary(to: &headers) }
        for header in defaults where !headers.contains(where: { HeaderRules.isSame($0.name, header.name) }) {
            headers.append(header)
        }
        return headers
    }

    private static func addVary(to headers: inout [Response.Header]) {
        guard let index = headers.firstIndex(where: { HeaderRules.isSame($0.name, "Vary") }) else {
            return headers.append(("Vary", "Accept-Encoding"))
        }
        let value = headers[index].value
        guard value != "*", !value.lowercased().utf8.contains("accept-encoding".utf8) else { return }
        headers[index].value = value + ", Accept-Encoding"
    }

    static func isNotModified(_ response: Response, for request: Request) -> Bool {
        guard request.method == .get || request.method == .head, response.status == 200,
            let etag = response.etag
        else { return false }
        let named = request.headers.all("If-None-Match")
        return named.contains { EntityTag.matches($0, etag) }
    }

    /// By its type and size, and if it is not encoded already.
    static func isCompressible(_ response: Response) -> Bool {
        var type: String?
        for (name, value) in response.headers {
            if HeaderRules.isSame(name, "Content-Type") { type = value }
            if HeaderRules.isSame(name, "Content-Encoding") { return value == "gzip" }
        }
        guard let type, response.bytes.count >= Gzip.threshold else { return false }
        return MediaType(type).isCompressible
    }
}
