import CMicroHTTPD
import Synchronization

/// Encodes responses for libmicrohttpd: default headers, conditional requests, compression.
struct ResponseEncoder: Sendable {
    private static let identifiers = Atomic<Int>(0)

    /// Distinguishes servers, because their default headers differ.
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

    /// Like `make`, but compresses a long body in pieces, so that other tasks can run in between.
    func makeInPieces(_ answer: HandlerResult, for request: Request) async -> NativeResponse {
        guard case .response(let response) = answer, response.bytes.count > Gzip.pieceSize,
            (200..<600).contains(response.status), !Self.isNotModified(response, for: request),
            Self.shouldCompress(response, request)
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
            return self.stream(response, stream, length: stream.length)
        case .truncated(let bytes, let length):
            return stream(response, ByteStream(cutAfter: bytes), length: max(length, bytes.count + 1))
        case .empty, .bytes:
            if Self.isNotModified(response, for: request) { return notModified(response) }
            let compressed = Self.shouldCompress(response, request) ? gzip(response, .fast) : nil
            return compressed ?? identity(response)
        }
    }

    private static func shouldCompress(_ response: Response, _ request: Request) -> Bool {
        isCompressible(response) && Gzip.isAccepted(request.headers["Accept-Encoding"])
    }

    func identity(_ response: Response) -> NativeResponse {
        NativeResponse(status: response.status, headers: headers(of: response), bytes: response.bytes)
    }

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

    /// Returns the whole answer as bytes, for the cases in which libmicrohttpd cannot send it.
    func wireFormat(of response: Response) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) Refused\r\n"
        for (name, value) in headers(of: response) where !HeaderRules.isSame(name, "Connection") {
            head += "\(name): \(value)\r\n"
        }
        head += "Content-Length: \(response.bytes.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + response.bytes
    }

    /// Returns the response's headers, except for those that the server sets, followed by the defaults.
    private func headers(of response: Response) -> [Response.Header] {
        var headers: [Response.Header] = []
        headers.reserveCapacity(response.headers.count + defaults.count + 1)
        for header in response.headers where !HeaderRules.isServersOwn(header) {
            guard HeaderRules.isValid(header) else {
                let name = header.name.debugDescription
                log("A response header was not sent, because it contains forbidden characters: \(name)")
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

    /// True if the type and size make compression worthwhile, or the response is gzipped already.
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

/// A response object of libmicrohttpd.
///
/// `@unchecked Sendable` is safe: all properties are constants. libmicrohttpd does not change a queued object, and
/// counts references under the object's own lock. `deinit` releases our only reference, when no one can use this
/// pointer any more.
final class NativeResponse: @unchecked Sendable {
    let status: Int
    let byteCount: Int
    let stream: StreamSource?
    /// Nil to reset the connection instead of answering.
    let pointer: OpaquePointer?

    static let reset = NativeResponse(status: 0, byteCount: 0, pointer: nil)

    static func alreadySent(status: Int) -> NativeResponse {
        NativeResponse(status: status, byteCount: 0, pointer: nil)
    }

    private init(status: Int, byteCount: Int, pointer: OpaquePointer?, stream: StreamSource? = nil) {
        self.status = status
        self.byteCount = byteCount
        self.pointer = pointer
        self.stream = stream
    }

    deinit {
        if let pointer { MHD_destroy_response(pointer) }
    }

    convenience init(status: Int, headers: [Response.Header], bytes: [UInt8]) {
        let pointer = bytes.withUnsafeBufferPointer {
            // libmicrohttpd copies the bytes and does not write through the pointer.
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        self.init(status: status, byteCount: bytes.count, pointer: pointer)
        add(headers)
    }

    convenience init(status: Int, headers: [Response.Header], stream: StreamSource, length: Int?) {
        self.init(status: status, byteCount: 0, pointer: Self.pointer(stream, length), stream: stream)
        add(headers)
    }

    /// Does not start the stream. libmicrohttpd 0.9.75 would send a final chunk, which is not allowed here.
    convenience init(status: Int, headers: [Response.Header], headOfStream stream: StreamSource) {
        let pointer = Self.pointer(stream, nil)
        if let pointer { mhdshim_send_without_chunks(pointer) }
        self.init(status: status, byteCount: 0, pointer: pointer)
        add(headers)
    }

    private static func pointer(_ stream: StreamSource, _ length: Int?) -> OpaquePointer? {
        // Released in `streamFreed`, which libmicrohttpd calls when it frees the response.
        let retained = Unmanaged.passRetained(stream).toOpaque()
        let size = length.map(UInt64.init) ?? UInt64.max
        let pointer = MHD_create_response_from_callback(size, 16_384, streamRead, retained, streamFreed)
        if pointer == nil { Unmanaged<StreamSource>.fromOpaque(retained).release() }
        return pointer
    }

    private func add(_ headers: [Response.Header]) {
        guard let pointer else { return }
        for (name, value) in headers { MHD_add_response_header(pointer, name, value) }
    }
}

enum HeaderRules {
    /// The name must be a token. The value must not contain control characters except the tab, so that user input
    /// cannot end the line.
    static func isValid(_ header: Response.Header) -> Bool {
        !header.name.isEmpty && header.name.utf8.allSatisfy(isToken)
            && header.value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// True for a valid `Host` value: a name or an address and an optional port (RFC 9110 section 7.2, RFC 3986 section
    /// 3.2.2). It may be empty.
    static func isHost(_ text: String) -> Bool {
        let bytes = text.utf8[...]
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let host =
            isLiteral ? bytes.prefix { $0 != UInt8(ascii: "]") } : bytes.prefix { $0 != UInt8(ascii: ":") }
        var rest = bytes[host.endIndex...]
        if isLiteral, rest.popFirst() == nil { return false }
        if let colon = rest.popFirst() {
            guard colon == UInt8(ascii: ":"), rest.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return false
            }
        }
        return host.dropFirst(isLiteral ? 1 : 0).allSatisfy {
            isHostByte($0) || (isLiteral && $0 == UInt8(ascii: ":"))
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }

    /// True for headers that the server or libmicrohttpd sets. Handlers may set `Connection: close`.
    static func isServersOwn(_ header: Response.Header) -> Bool {
        if isSame(header.name, "Connection") { return !isSame(header.value, "close") }
        return ["Content-Length", "Transfer-Encoding", "Date"].contains { isSame($0, header.name) }
    }

    static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
