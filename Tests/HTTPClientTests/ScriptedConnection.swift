import Glibc

/// An accepted connection of a `ScriptedServer`, which its script uses on its own thread.
///
/// Every read and write gives up after ten seconds, so that no thread long outlives its test.
final class ScriptedConnection {
    /// A request as received.
    struct Received {
        let line: String
        let headers: [(name: String, value: String)]
        let body: [UInt8]

        subscript(name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
        var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    /// 1 for the first accepted connection.
    let number: Int
    private let socket: Int32
    private var buffer: [UInt8] = []

    init(socket: Int32, number: Int) {
        self.socket = socket
        self.number = number
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    deinit {
        close(socket)
    }

    /// The next request, or nil once the client has closed.
    func request() -> Received? {
        while true {
            if let end = headEnd {
                let lines = String(decoding: buffer[..<end], as: UTF8.self).components("\r\n")
                let headers = lines.dropFirst().map { line -> (name: String, value: String) in
                    let parts = line.components(":")
                    return (parts[0], String(parts.dropFirst().joined(separator: ":").drop { $0 == " " }))
                }
                let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap {
                    Int($0.value)
                }
                let total = end + 4 + (length ?? 0)
                if buffer.count >= total {
                    defer { buffer.removeFirst(total) }
                    return Received(line: lines[0], headers: headers, body: Array(buffer[(end + 4)..<total]))
                }
            }
            guard fill() else { return nil }
        }
    }

    /// False when the client is gone.
    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a complete answer with its length.
    func answer(_ status: String = "200 OK", headers: [String] = [], _ body: [UInt8] = Array("ok".utf8)) {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    func answer(_ status: String = "200 OK", headers: [String] = [], text: String) {
        answer(status, headers: headers, Array(text.utf8))
    }

    /// Waits at most ten seconds for the client to close, discards what it sends, and returns whether it closed.
    func waitUntilClosed() -> Bool {
        while fill() { buffer = [] }
        return errno != EAGAIN
    }

    /// Turns the deinit's close into a reset.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    private var headEnd: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard buffer.count >= mark.count else { return nil }
        return (0...(buffer.count - mark.count)).first { buffer[$0..<($0 + mark.count)].elementsEqual(mark) }
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        errno = 0
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }
}

extension String {
    /// Splits at every occurrence, like Foundation's method but without importing it.
    func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
