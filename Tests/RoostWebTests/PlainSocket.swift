import Foundation

/// For requests that no HTTP client of ours would send.
enum PlainSocket {
    struct Failure: Error {}

    /// Sends the request line with `Host` and `Connection: close`, and answers all that comes back as text.
    ///
    /// On a thread of its own: the server's tasks need the few that Swift has.
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
