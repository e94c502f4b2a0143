import FoundationEssentials

/// One answer.
///
/// `Content-Length`, `Transfer-Encoding`, `Date` and `Connection` are the server's business; a header whose
/// name or value holds a control character such as CR or LF is logged and not sent.
package struct Response: Sendable {
    package typealias Header = (name: String, value: String)

    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        case stream(ByteStream)
        /// Promises `length` bytes, sends fewer, and closes: a simulator's fault.
        case truncated([UInt8], promising: Int)
        /// No answer: the connection is reset (RST): a simulator's fault.
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

    /// - Parameter bytes: the page in UTF-8
    package static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        content(bytes, type: "text/html; charset=utf-8", status: status)
    }

    package static func text(_ text: String, status: Int = 200) -> Response {
        content(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Keys sorted, dates as ISO 8601; throws what the encoder throws.
    package static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return content(Array(try encoder.encode(value)), type: "application/json", status: status)
    }

    /// 303, so that the browser asks with GET.
    package static func redirect(to address: String, status: Int = 303) -> Response {
        Response(status: status, headers: [("Location", address)])
    }

    package static func stream(
        _ stream: ByteStream, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .stream(stream))
    }

    /// Resets the connection in place of an answer.
    package static let abort = Response(status: 0, body: .reset)

    /// Sends `bytes`, having promised `promising` of them, and closes.
    package static func truncated(
        _ bytes: [UInt8], promising length: Int, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> Response {
        Response(
            status: status, headers: [("Content-Type", type)], body: .truncated(bytes, promising: length))
    }

    package static func content(_ bytes: [UInt8], type: String, status: Int = 200) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    /// The body's bytes; none if it is a stream or a fault.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// The first header of this name; setting replaces all of this name.
    package subscript(name: String) -> String? {
        get {
            headers.first { HeaderRules.isSame($0.name, name) }?.value
        }
        set {
            headers.removeAll { HeaderRules.isSame($0.name, name) }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    /// Strong or weak, with its quotes; a GET or HEAD whose `If-None-Match` names it is answered 304 by the
    /// server.
    package var etag: String? {
        get { self["ETag"] }
        set { self["ETag"] = newValue }
    }
}

/// Gives a deferred request its answer: once, from any thread; what comes later is ignored.
///
/// When the last copy goes away unused, the request is answered 500.
package struct Responder: Sendable {
    private let promise: Promise

    init(_ pending: PendingResponse) { promise = Promise(pending) }

    /// Only the first answer counts; false if there was one already, or the client is gone.
    @discardableResult
    package func respond(_ answer: HandlerResult) -> Bool { promise.pending.answer(answer) }

    @discardableResult
    package func respond(_ response: Response) -> Bool { respond(.response(response)) }

    @discardableResult
    package func respond(_ prepared: PreparedResponse) -> Bool { respond(.prepared(prepared)) }

    /// Has the answer made when libmicrohttpd's thread comes to send it: where many are told at once, its threads share
    /// the work, and all are sent before the first client asks again.
    ///
    /// - Parameter make: must not wait; it is not called for a client who has left
    @discardableResult
    package func respond(with make: @escaping @Sendable () -> PreparedResponse) -> Bool {
        promise.pending.answer { .prepared(make()) }
    }

    /// Whether an answer would still be sent.
    package var isOpen: Bool { promise.pending.isOpen }

    /// Notices that can no longer be answered.
    private final class Promise: Sendable {
        let pending: PendingResponse

        init(_ pending: PendingResponse) { self.pending = pending }

        deinit { if pending.isOpen { pending.fail(.thrown(ResponderDropped())) } }
    }
}

/// A deferred handler let go of its responder without an answer.
struct ResponderDropped: Error {}

/// A body that is made while it is sent: chunk by chunk, no faster than the client reads.
package struct ByteStream: Sendable {
    /// Hands every chunk to the closure, which returns when there is room for the next one.
    let run: @Sendable (_ write: @Sendable ([UInt8]) async throws -> Void) async throws -> Void

    /// An error of the sequence cuts the connection, so that the client does not take the answer for whole.
    package init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        run = { write in
            for try await chunk in chunks { try await write(chunk) }
        }
    }

    /// Sends the bytes and then fails, so that the connection is closed before the promised length.
    init(cutAfter bytes: [UInt8]) {
        run = { write in
            try await write(bytes)
            throw CancellationError()
        }
    }
}
