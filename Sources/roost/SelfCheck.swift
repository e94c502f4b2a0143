import Foundation
import RoostSupport

/// Asks the running server and its database for an answer, as a client would.
struct SelfCheck: Sendable {
    /// Such as "127.0.0.1:8080" or "0.0.0.0:8080".
    let address: String
    let database: Database

    /// Connecting blocks, so it has a thread of its own.
    private static let queue = DispatchQueue(label: "roost.self-check")

    /// Returns false if the server's loop or the database hangs. Errors are answers: a restart does not repair a full
    /// disk or a damaged file, and the server still shows what is wrong.
    func answers(within limit: Duration) async -> Bool {
        // Not a task group, which would wait for a database that hangs.
        let (outcomes, continuation) = AsyncStream.makeStream(of: Bool.self)
        let asking = Task {
            async let read: Void = readDatabase()
            let answers = await serverAnswers(within: limit)
            await read
            continuation.yield(answers)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.yield(false)
        }
        defer {
            asking.cancel()
            timer.cancel()
        }
        for await outcome in outcomes { return outcome }
        return false
    }

    private func readDatabase() async { try? await database.ask() }

    private func serverAnswers(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: connects(within: limit)) }
        }
    }

    /// True if the server sends anything or closes the connection in time. Over TLS it closes it, because this is not a
    /// handshake; a loop that hangs does neither.
    private func connects(within limit: Duration) -> Bool {
        guard let (host, port) = target, let found = Self.find(host, port) else { return false }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var timeout = timeval()
        timeout.tv_sec = Int(limit.components.seconds)
        timeout.tv_usec = Int(limit.components.attoseconds / 1_000_000_000_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return false }
        let request = Array(
            """
            GET /healthz HTTP/1.1\r
            Host: \(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)\r
            User-Agent: roost-watchdog\r
            Connection: close\r
            \r

            """.utf8)
        send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) >= 0 || errno == ECONNRESET
    }

    /// The host and port to connect to. A server that listens on every address is asked on loopback.
    private var target: (host: String, port: String)? {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let port = String(address[address.utf8.index(after: colon)...])
        switch String(address[..<colon]) {
        case "0.0.0.0": return ("127.0.0.1", port)
        case "[::]": return ("::1", port)
        case let host where host.hasPrefix("["): return (String(host.dropFirst().dropLast()), port)
        case let host: return (host, port)
        }
    }

    /// Returns the socket address, which the caller must free.
    private static func find(_ host: String, _ port: String) -> UnsafeMutablePointer<addrinfo>? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        return getaddrinfo(host, port, &hints, &found) == 0 ? found : nil
    }
}
