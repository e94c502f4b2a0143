import Glibc
import Synchronization

/// An HTTP server for one test on a free port of 127.0.0.1.
///
/// It answers as its script says and records its requests.
package final class ScriptedUpstream: Sendable {
    package struct Request: Sendable {
        package let method: String
        /// As sent: path and query.
        package let target: String
        /// Below the API's root.
        package let path: String
        /// The query as sent, still percent-encoded.
        package let query: [String: String]
        /// Names in lower case.
        package let headers: [String: String]
        package var body: String
    }

    package struct Response: Sendable {
        package var status: Int
        package var headers: [String]
        package var body: String
        /// Used instead of `body` for binary data.
        package var bytes: [UInt8]?
        /// Used instead of `body`: sent one by one as they come, until nil. May block.
        package var pieces: (@Sendable (Int) -> String?)?
        /// Closes the connection without an answer, or after its pieces without an end.
        package var hangsUp: Bool

        package init(
            status: Int = 200, headers: [String] = [], body: String = "", bytes: [UInt8]? = nil,
            hangsUp: Bool = false, pieces: (@Sendable (Int) -> String?)? = nil
        ) {
            self.pieces = pieces
            self.status = status
            self.headers = headers
            self.body = body
            self.bytes = bytes
            self.hangsUp = hangsUp
        }
    }

    package typealias Script = @Sendable (Request) -> Response

    private let listener: SocketListener
    private let conversation: Conversation

    /// State that its threads share.
    private final class Conversation: Sendable {
        let script: Mutex<Script>
        let asked = Mutex<[Request]>([])

        init(_ script: @escaping Script) { self.script = Mutex(script) }
    }

    package init(_ script: @escaping Script) throws {
        let conversation = Conversation(script)
        self.conversation = conversation
        listener = try SocketListener { client, _ in Self.serve(client, in: conversation) }
    }

    package var port: UInt16 { listener.port }

    package var url: String { "http://127.0.0.1:\(port)/api/v3" }

    /// All requests so far, oldest first.
    package var requests: [Request] { conversation.asked.withLock { $0 } }

    /// The number of connections, including those without a request.
    package var connections: Int { listener.connections }

    package func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }

    /// Replaces the script.
    package func turn(to script: @escaping Script) { conversation.script.withLock { $0 = script } }

    package func stop() { listener.stop() }

    /// A body has a length; without one a request ends with its empty line.
    private static func serve(_ client: Int32, in conversation: Conversation) {
        defer { close(client) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            while !isWhole(buffer) {
                let count = recv(client, &chunk, chunk.count, 0)
                guard count > 0 else { return }
                buffer += chunk[..<count]
            }
            let request = request(in: String(decoding: buffer, as: UTF8.self))
            buffer = []
            conversation.asked.withLock { $0.append(request) }
            let answer = conversation.script.withLock { $0 }(request)
            if let pieces = answer.pieces {
                guard send(pieces, of: answer, to: client) else { return }
            } else {
                guard !answer.hangsUp, send(answer, to: client) else { return }
            }
        }
    }

    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return false }
        let head = request(in: String(decoding: bytes[..<end], as: UTF8.self))
        return bytes.count - end >= head.headers["content-length"].flatMap { Int($0) } ?? 0
    }

    private static func request(in text: String) -> Request {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        let target = words.count > 1 ? words[1].split(separator: "?", maxSplits: 1) : []
        var query: [String: String] = [:]
        for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let path = String((target.first ?? "").dropFirst("/api/v3".count))
        return Request(
            method: String(words.first ?? ""), target: words.count > 1 ? String(words[1]) : "", path: path,
            query: query, headers: headers, body: parts.count > 1 ? String(parts[1]) : "")
    }

    private static func send(_ answer: Response, to client: Int32) -> Bool {
        let body = answer.bytes ?? Array(answer.body.utf8)
        let length = answer.status == 304 ? [] : ["Content-Length: \(body.count)"]
        let head = ["HTTP/1.1 \(answer.status) Scripted"] + length + answer.headers
        return send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, to: client)
    }

    private static func send(_ pieces: (Int) -> String?, of answer: Response, to client: Int32) -> Bool {
        let head = ["HTTP/1.1 \(answer.status) Scripted", "Transfer-Encoding: chunked"] + answer.headers
        guard send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8), to: client) else {
            return false
        }
        var number = 0
        while let piece = pieces(number) {
            let chunk = String(piece.utf8.count, radix: 16) + "\r\n" + piece + "\r\n"
            guard send(Array(chunk.utf8), to: client) else { return false }
            number += 1
        }
        return !answer.hangsUp && send(Array("0\r\n\r\n".utf8), to: client)
    }

    private static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
