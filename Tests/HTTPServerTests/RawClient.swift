import Glibc
import Synchronization

/// A client that sends exactly the given bytes over a blocking socket, with TLS if the server uses it.
final class RawClient: Sendable {
    enum Failure: Error, Equatable { case connect(Int32), reset, timeout, closed, garbled(String) }

    let socket: Int32
    let tls: TLSChannel?
    private let received = Mutex<[UInt8]>([])

    /// Bytes that have arrived and are not yet consumed.
    private var buffer: [UInt8] {
        get { received.withLock { $0 } }
        set { received.withLock { $0 = newValue } }
    }

    /// Connects to `address`, such as "127.0.0.1:8080" or "[::1]:8080", from the local IPv4 address `source`.
    init(
        _ address: String, from source: String? = nil, timeout: Int = 60, isTLS: Bool? = nil,
        versions: String = TLSChannel.standardVersions
    ) throws {
        let colon = address.lastIndex(of: ":") ?? address.startIndex
        let host = address[..<colon].filter { $0 != "[" && $0 != "]" }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        getaddrinfo(String(host), String(address[address.index(after: colon)...]), &hints, &found)
        defer { freeaddrinfo(found) }
        guard let info = found?.pointee else { throw Failure.connect(EINVAL) }
        socket = Glibc.socket(info.ai_family, info.ai_socktype, 0)
        var wait = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let authority = isTLS ?? Transport.isTLS(address) ? try TestIdentity.shared.value.authority : nil
        tls = try authority.map { [socket] in
            try TLSChannel(socket: socket, authority: $0, versions: versions)
        }
        if let source { Self.bind(socket, source) }
        // All properties are set, so `deinit` closes the socket if this throws.
        guard connect(socket, info.ai_addr, info.ai_addrlen) == 0 else { throw Failure.connect(errno) }
    }

    private static func bind(_ socket: Int32, _ source: String) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, source, &address.sin_addr)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit {
        tls?.end()
        close(socket)
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = try bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return try tls?.send(rest)
                    ?? Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Self.failure() }
            sent += count
        }
    }

    /// Closes the sending half.
    func finishSending() {
        try? tls?.finish()
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Sends a request with `Host` and reads the answer.
    func ask(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> RawResponse {
        try sendRequest(method, target, headers, body: body)
        return try response(toHead: method == "HEAD")
    }

    func sendRequest(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try send(Array((head + "\r\n").utf8) + (body ?? []))
    }

    func get(_ target: String, _ headers: [(String, String)] = []) throws -> RawResponse {
        try ask("GET", target, headers)
    }

    /// Reads the next answer on the connection.
    func response(toHead: Bool = false) throws -> RawResponse {
        let lines = try head().split(separator: "\r\n").map(String.init)
        guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1])
        else {
            throw Failure.garbled(lines.joined(separator: "|"))
        }
        var response = RawResponse(status: status)
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            let value = halves.count < 2 ? "" : String(halves[1].drop { $0 == " " })
            response.headers.append((String(halves[0]), value))
        }
        if status == 100 || status == 204 || status == 304 || toHead { return response }
        if response["Transfer-Encoding"] == "chunked" {
            response.body = try chunks()
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try take(length)
        } else {
            response.body = try rest()
        }
        return response
    }

    private func head() throws -> String {
        var count = 0
        while true {
            if let end = Self.find([13, 10, 13, 10], in: buffer, from: max(0, count - 3)) {
                return String(decoding: try take(end + 4), as: UTF8.self)
            }
            count = buffer.count
            try fill()
        }
    }

    func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            while Self.find([13, 10], in: buffer, from: 0) == nil { try fill() }
            let lineEnd = Self.find([13, 10], in: buffer, from: 0) ?? 0
            let line = String(decoding: try take(lineEnd + 2).dropLast(2), as: UTF8.self)
            guard let size = Int(line, radix: 16) else { throw Failure.garbled(line) }
            let chunk = try take(size + 2)
            if size == 0 { return body }
            body += chunk.dropLast(2)
        }
    }

    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        return received.withLock { received in
            defer { received.removeFirst(count) }
            return Array(received[..<count])
        }
    }

    /// Reads until the text has arrived, without consuming it.
    func wait(for text: String) throws {
        while Self.find(Array(text.utf8), in: buffer, from: 0) == nil { try fill() }
    }

    /// Reads everything until the server closes the connection.
    func rest() throws -> [UInt8] {
        while true {
            do {
                try fill()
            } catch Failure.closed {
                defer { buffer = [] }
                return buffer
            }
        }
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = try chunk.withUnsafeMutableBytes {
            try tls?.receive($0) ?? recv(socket, $0.baseAddress, $0.count, 0)
        }
        if count == 0 { throw Failure.closed }
        guard count > 0 else { throw Self.failure() }
        received.withLock { $0 += chunk[..<count] }
    }

    private static func failure() -> Failure {
        switch errno {
        case ECONNRESET, EPIPE: .reset
        case EAGAIN: .timeout
        default: .garbled(String(cString: strerror(errno)))
        }
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= needle.count, start <= bytes.count - needle.count else { return nil }
        return (start...(bytes.count - needle.count)).first {
            bytes[$0..<($0 + needle.count)].elementsEqual(needle)
        }
    }
}
