import Foundation
import Glibc

/// A raw socket client, which shows what a fault does to a connection and repairs nothing.
struct RawClient {
    /// "127.0.0.1:43121"
    let address: String

    struct Result: Sendable {
        var bytes: [UInt8] = []
        var end = End.timeout

        enum End: Sendable, Equatable {
            /// The other side closed the connection properly.
            case closed
            /// The other side sent RST.
            case reset
            case refused
            /// Neither had happened when the deadline passed.
            case timeout
            /// The test has received what it waited for.
            case satisfied
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        var status: Int? {
            text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9).prefix(3)) : nil
        }

        var head: String { text.components(separatedBy: "\r\n\r\n").first ?? "" }

        var body: [UInt8] {
            guard let start = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
            return Array(bytes[start.upperBound...])
        }

        func header(_ name: String) -> String? {
            for line in head.components(separatedBy: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                    return parts[1].trimmingCharacters(in: .whitespaces)
                }
            }
            return nil
        }
    }

    /// Sends one request and reads until the connection ends, the test has enough, or the deadline passes.
    ///
    /// - Parameter host: the name to ask for; nil for the address
    func get(
        _ target: String, host: String? = nil, headers: [String] = ["User-Agent: RoostTests/1"],
        method: String = "GET", body: String = "", within deadline: Duration = .seconds(60),
        until isEnough: @escaping @Sendable (Result) -> Bool = { _ in false }
    ) async -> Result {
        var lines =
            ["\(method) \(target) HTTP/1.1", "Host: \(host ?? address)", "Connection: close"] + headers
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        let target = address
        // Blocking reads need their own thread, not one of Swift's task pool.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Self.exchange(with: target, request, deadline, isEnough))
            }
        }
    }

    private static func exchange(
        with address: String, _ request: [UInt8], _ deadline: Duration, _ isEnough: (Result) -> Bool
    ) -> Result {
        var result = Result()
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { _ = close(descriptor) }
        guard connect(descriptor, to: address) else {
            result.end = .refused
            return result
        }
        _ = request.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        let end = ContinuousClock.now + deadline
        while ContinuousClock.now < end {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 50) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                result.end = count == 0 ? .closed : errno == ECONNRESET ? .reset : .timeout
                break
            }
            result.bytes += buffer.prefix(count)
            if isEnough(result) {
                result.end = .satisfied
                break
            }
        }
        return result
    }

    private static func connect(_ descriptor: Int32, to address: String) -> Bool {
        let parts = address.split(separator: ":")
        var socketAddress = sockaddr_in()
        socketAddress.sin_family = sa_family_t(AF_INET)
        socketAddress.sin_port = (UInt16(parts.last ?? "0") ?? 0).bigEndian
        inet_pton(AF_INET, String(parts.first ?? ""), &socketAddress.sin_addr)
        return withUnsafePointer(to: &socketAddress) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
