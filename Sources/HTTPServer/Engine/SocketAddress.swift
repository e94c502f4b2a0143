import CMicroHTTPD
import Glibc

struct SocketAddress {
    private var storage: sockaddr_storage
    private let length: socklen_t

    init(copying address: UnsafePointer<sockaddr>) {
        storage = sockaddr_storage()
        let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
        length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// "127.0.0.1:8080" or "[::1]:8080"
    var description: String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let flags = NI_NUMERICHOST | NI_NUMERICSERV
        _ = withSockaddr {
            getnameinfo($0, $1, &host, socklen_t(host.count), &port, socklen_t(port.count), flags)
        }
        let address = Self.text(host)
        return (family == AF_INET6 ? "[\(address)]:" : "\(address):") + Self.text(port)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address that a bound socket listens on.
    static func ofSocket(_ socket: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length) == 0 ? SocketAddress(copying: $0) : nil
            }
        }
    }

    /// Resolves "host:port"; throws `ServerError.invalidAddress`.
    static func resolve(_ text: String) throws -> [SocketAddress] {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else {
            throw ServerError.invalidAddress(text)
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            throw ServerError.invalidAddress(text)
        }
        guard !host.isEmpty else { throw ServerError.invalidAddress(text) }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(String(host), String(port), &hints, &found) == 0 else {
            throw ServerError.invalidAddress(text)
        }
        defer { freeaddrinfo(found) }
        return sequence(first: found) { $0?.pointee.ai_next }.prefix { $0 != nil }
            .compactMap { $0?.pointee.ai_addr.map { SocketAddress(copying: $0) } }
    }
}

struct ListenSocket {
    let socket: Int32
    let address: String

    private static let backlog: Int32 = 4_096

    init(_ text: String) throws {
        var lastError = ServerError.invalidAddress(text)
        for candidate in try SocketAddress.resolve(text) {
            do {
                socket = try Self.open(candidate, text)
                address = SocketAddress.ofSocket(socket)?.description ?? text
                return
            } catch let error as ServerError {
                lastError = error
            }
        }
        throw lastError
    }

    private static func open(_ address: SocketAddress, _ text: String) throws -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(address.family, type, 0)
        guard socket >= 0 else { throw failure(text) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isListening = address.withSockaddr { bind(socket, $0, $1) == 0 } && listen(socket, backlog) == 0
        guard isListening else {
            let error = failure(text)
            close(socket)
            throw error
        }
        return socket
    }

    private static func failure(_ address: String) -> ServerError {
        switch errno {
        case EADDRINUSE: .addressInUse(address)
        case EACCES, EPERM: .notPermitted(address)
        case EADDRNOTAVAIL: .system("Cannot listen on \(address): this machine does not have that address.")
        default: .system("Cannot listen on \(address): \(String(cString: strerror(errno))).")
        }
    }
}
