import TextFormats

/// A response.
///
/// The server sets `Content-Length`, `Transfer-Encoding`, `Date` and `Connection`. A header whose name or value
/// contains a control character, such as CR or LF, is logged and not sent.
package struct Response: Sendable {
    package typealias Header = (name: String, value: String)

    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        case stream(ByteStream)
        /// Declares `length` bytes, sends fewer, and closes the connection. A simulated fault.
        case truncated([UInt8], promising: Int)
        case reset
    }

    package var status: Int
    package var headers: [Header]
    package var body: Body

    package init(status: Int = 200, headers: [Header] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func html(_ text: String, status: Int = 200) -> Response {
        content(Array(text.utf8), type: "text/html; charset=utf-8", status: status)
    }

    package static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        content(bytes, type: "text/html; charset=utf-8", status: status)
    }

    package static func text(_ text: String, status: Int = 200) -> Response {
        content(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Encodes JSON with sorted keys and ISO 8601 dates. Throws the encoder's errors.
    package static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        content(
            try StableJSON.bytes(of: value, dates: .iso8601), type: "application/json", status: status)
    }

    /// The default status 303 makes the browser use GET.
    package static func redirect(to address: String, status: Int = 303) -> Response {
        Response(status: status, headers: [("Location", address)])
    }

    package static func stream(
        _ stream: ByteStream, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .stream(stream))
    }

    package static let abort = Response(status: 0, body: .reset)

    package static func truncated(
        _ bytes: [UInt8], promising length: Int, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(
            status: status, headers: [("Content-Type", type)], body: .truncated(bytes, promising: length))
    }

    package static func content(_ bytes: [UInt8], type: String, status: Int = 200) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// The first header of this name. Setting it replaces all headers of this name.
    package subscript(name: String) -> String? {
        get {
            headers.first { HeaderRules.isSame($0.name, name) }?.value
        }
        set {
            headers.removeAll { HeaderRules.isSame($0.name, name) }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    /// Strong or weak, with its quotes. A GET or HEAD whose `If-None-Match` matches it is answered 304.
    package var etag: String? {
        get { self["ETag"] }
        set { self["ETag"] = newValue }
    }
}

/// Answers a deferred request once, on any thread. Later answers are ignored.
///
/// If the last copy is released without an answer, the request is answered 500.
package struct Responder: Sendable {
    private let promise: Promise

    init(_ pending: PendingResponse) { promise = Promise(pending) }

    /// Returns false if there was an answer already or the client has left.
    @discardableResult
    package func respond(_ answer: HandlerResult) -> Bool { promise.pending.answer(answer) }

    @discardableResult
    package func respond(_ response: Response) -> Bool { respond(.response(response)) }

    @discardableResult
    package func respond(_ prepared: PreparedResponse) -> Bool { respond(.prepared(prepared)) }

    /// Lets libmicrohttpd's thread make the answer when it sends it. If many clients are answered at once, the threads
    /// share the work, and all are answered before the first client asks again.
    ///
    /// - Parameter make: must not block; not called if the client has left
    @discardableResult
    package func respond(with make: @escaping @Sendable () -> PreparedResponse) -> Bool {
        promise.pending.answer { .prepared(make()) }
    }

    package var isOpen: Bool { promise.pending.isOpen }

    private final class Promise: Sendable {
        let pending: PendingResponse

        init(_ pending: PendingResponse) { self.pending = pending }

        deinit { if pending.isOpen { pending.fail(.thrown(ResponderDropped())) } }
    }
}

struct ResponderDropped: Error {}

/// A body that is produced while it is sent, in chunks and no faster than the client reads.
package struct ByteStream: Sendable {
    /// Passes every chunk to `write`, which returns when there is room for the next one.
    let run: @Sendable (_ write: @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    /// In bytes; nil sends it in chunks.
    let length: Int?

    /// An error in the sequence cuts the connection, so that the client does not take the body for complete.
    ///
    /// - Parameter length: of all chunks together, if it is known
    package init<Chunks: AsyncSequence & Sendable>(
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
