import Foundation

@testable import RoostWeb

/// Sends requests that no regular HTTP client would send.
enum PlainSocket {
    struct Failure: Error {}

    /// Sends the request line with `Host` and `Connection: close`, and returns the whole answer as text.
    ///
    /// Uses its own thread, because the server's tasks need the few threads of Swift's pool.
    static func ask(_ address: String, _ requestLine: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try answer(address, requestLine) })
            }
        }
    }

    private static func answer(_ address: String, _ requestLine: String) throws -> String {
        let socket = try connected(to: address)
        defer { close(socket) }
        let request = Array("\(requestLine)\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure()
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }

    /// Sends a head and a body of this many bytes, stops once the server answers, and returns the answer.
    static func upload(_ address: String, _ head: String, bodyBytes: Int, isChunked: Bool) async throws
        -> String
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try uploaded(address, head, bodyBytes: bodyBytes, isChunked: isChunked) })
            }
        }
    }

    private static func uploaded(
        _ address: String, _ head: String, bodyBytes: Int, isChunked: Bool
    ) throws -> String {
        let socket = try connected(to: address)
        defer { close(socket) }
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bodyBytes)"
        let piece = [UInt8](repeating: 0x61, count: 32_768)
        var unsent = Array("\(head)\r\nHost: \(address)\r\nConnection: close\r\n\(framing)\r\n\r\n".utf8)[...]
        var (left, answer, buffer) = (bodyBytes, [UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            var state = pollfd(fd: socket, events: Int16(POLLIN | (unsent.isEmpty ? 0 : POLLOUT)), revents: 0)
            guard poll(&state, 1, 10_000) > 0 else { throw Failure() }
            if state.revents & Int16(POLLIN) != 0 {
                unsent = []
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += buffer[..<count]
            } else if !unsent.isEmpty {
                let count = unsent.withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
                unsent = count < 0 ? [] : unsent.dropFirst(count)
                guard count > 0, unsent.isEmpty, left > 0 else { continue }
                let bytes = piece[..<min(left, piece.count)]
                left -= bytes.count
                let last = left == 0 ? "0\r\n\r\n" : ""
                unsent =
                    isChunked
                    ? (Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n\(last)".utf8))[
                        ...] : bytes
            } else if state.revents != 0 {
                return String(decoding: answer, as: UTF8.self)
            }
        }
    }

    private static func connected(to address: String) throws -> Int32 {
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw Failure() }
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(socket)
            throw Failure()
        }
        return socket
    }
}
