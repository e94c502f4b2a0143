import TextFormats

/// A response.
///
/// The server sets `Content-Length`, `Transfer-Encoding`, `Date` and `Connection`. A header whose name or value
/// contains a control character, such as CR or LF, is logged and not sent.
public struct Response: Sendable {
    /// A header field, sent as it is.
    public typealias Header = (name: String, value: String)

    /// What follows the headers.
    public enum Body: Sendable {
        case empty
        /// Compressed if it is text and the client accepts gzip.
        case bytes([UInt8])
        case stream(ByteStream)
        /// Declares `length` bytes, sends fewer, and closes the connection. A simulated fault.
        case truncated([UInt8], promising: Int)
        /// Closes the connection without any answer. A simulated fault.
        case reset
    }

    /// 200 to 599.
    public var status: Int
    /// In the order in which they are sent.
    public var headers: [Header]
    public var body: Body

    /// Makes a response from its parts. `content`, `html`, `text` and `json` also set the content type.
    public init(status: Int = 200, headers: [Header] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a page; the text is sent as it is, without escaping.
    public static func html(_ text: String, status: Int = 200) -> Response {
        content(Array(text.utf8), type: "text/html; charset=utf-8", status: status)
    }

    /// Makes a page from UTF-8, such as a template's output.
    public static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        content(bytes, type: "text/html; charset=utf-8", status: status)
    }

    /// Makes a response of plain text.
    public static func text(_ text: String, status: Int = 200) -> Response {
        content(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Encodes JSON with sorted keys and ISO 8601 dates. Throws the encoder's errors.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        content(
            try StableJSON.bytes(of: value, dates: .iso8601), type: "application/json", status: status)
    }

    /// The default status 303 makes the browser use GET.
    public static func redirect(to address: String, status: Int = 303) -> Response {
        Response(status: status, headers: [("Location", address)])
    }

    /// Makes a response whose body is produced while it is sent.
    public static func stream(
        _ stream: ByteStream, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .stream(stream))
    }

    /// Closes the connection without any answer. A simulated fault.
    public static let abort = Response(status: 0, body: .reset)

    /// Makes a response that breaks off before its declared length. A simulated fault.
    public static func truncated(
        _ bytes: [UInt8], promising length: Int, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(
            status: status, headers: [("Content-Type", type)], body: .truncated(bytes, promising: length))
    }

    /// Makes a response of bytes with this content type.
    public static func content(_ bytes: [UInt8], type: String, status: Int = 200) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// The first header of this name. Setting it replaces all headers of this name.
    public subscript(name: String) -> String? {
        get {
            headers.first { HeaderRules.isSame($0.name, name) }?.value
        }
        set {
            headers.removeAll { HeaderRules.isSame($0.name, name) }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    /// Strong or weak, with its quotes. A GET or HEAD whose `If-None-Match` matches it is answered 304.
    public var etag: String? {
        get { self["ETag"] }
        set { self["ETag"] = newValue }
    }
}

/// Answers a deferred request once, on any thread. Later answers are ignored.
///
/// If the last copy is released without an answer, the request is answered 500.
public struct Responder: Sendable {
    private let promise: Promise

    init(_ pending: PendingResponse) { promise = Promise(pending) }

    /// Returns false if there was an answer already or the client has left.
    @discardableResult
    public func respond(_ answer: HandlerResult) -> Bool { promise.pending.answer(answer) }

    /// Answers with a response, like `respond(_:)`.
    @discardableResult
    public func respond(_ response: Response) -> Bool { respond(.response(response)) }

    /// Answers with a prepared response, like `respond(_:)`.
    @discardableResult
    public func respond(_ prepared: PreparedResponse) -> Bool { respond(.prepared(prepared)) }

    /// Lets libmicrohttpd's thread make the answer when it sends it. If many clients are answered at once, the threads
    /// share the work, and all are answered before the first client asks again.
    ///
    /// - Parameter make: must not block; not called if the client has left
    @discardableResult
    public func respond(with make: @escaping @Sendable () -> PreparedResponse) -> Bool {
        promise.pending.answer { .prepared(make()) }
    }

    /// False once there is an answer or the client has left.
    public var isOpen: Bool { promise.pending.isOpen }

    private final class Promise: Sendable {
        let pending: PendingResponse

        init(_ pending: PendingResponse) { self.pending = pending }

        deinit { if pending.isOpen { pending.fail(.thrown(ResponderDropped())) } }
    }
}

struct ResponderDropped: Error {}

/// A body that is produced while it is sent, in chunks and no faster than the client reads.
public struct ByteStream: Sendable {
    /// Passes every chunk to `write`, which returns when there is room for the next one.
    let run: @Sendable (_ write: @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    /// In bytes; nil sends it in chunks.
    let length: Int?

    /// An error in the sequence cuts the connection, so that the client does not take the body for complete.
    ///
    /// - Parameter length: of all chunks together, if it is known
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil
    ) where Chunks.Element == [UInt8] {
        self.length = length
        run = { write in
            for try await chunk in chunks { try await write(chunk) }
        }
    }

    /// Sends the bytes and then fails, so that the connection is closed before the declared length.
    init(cutAfter bytes: [UInt8]) {
        length = nil
        run = { write in
            try await write(bytes)
            throw CancellationError()
        }
    }
}
