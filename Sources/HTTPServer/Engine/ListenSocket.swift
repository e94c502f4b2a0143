import CMicroHTTPD
import Glibc

/// A socket that listens at an address, and the address in words.
struct ListenSocket {
    let socket: Int32
    let address: String

    private static let backlog: Int32 = 4_096

    /// Throws `ServerError`.
    init(_ text: String) throws {
        var lastError = ServerError.badAddress(text)
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
