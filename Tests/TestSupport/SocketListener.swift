import Glibc
import Synchronization

/// Accepts connections on a free port and serves each on a thread of its own.
package final class SocketListener: Sendable {
    package let port: UInt16
    private let socket: Int32
    private let serve: @Sendable (_ connection: Int32, _ number: Int) -> Void
    private let state = Mutex(State())

    private struct State {
        var accepted = 0
        var isOpen = true
    }

    /// Listens until `stop`. `serve` closes its connection; the first has the number 1.
    package init(
        host: String = "127.0.0.1", backlog: Int32 = 512,
        serve: @escaping @Sendable (_ connection: Int32, _ number: Int) -> Void
    ) throws {
        self.serve = serve
        (socket, port) = try Self.listeningSocket(host: host, backlog: backlog)
        try BlockingThread.start { [self] in acceptAll() }
    }

    /// The number of connections, including those without a request.
    package var connections: Int { state.withLock { $0.accepted } }

    /// Once it is closed, its descriptor may be reused by another test's socket.
    package func stop() {
        state.withLock { state in
            if state.isOpen { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// A listening IPv4 socket on a free port that does not accept connections yet.
    package static func listeningSocket(
        host: String, backlog: Int32
    ) throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, host, &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) | listen(socket, backlog) | getsockname(socket, $0, &length)
            }
        }
        guard code == 0 else { throw SystemFailure(code: errno) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private func acceptAll() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else {
                // A client that has already left, or a signal, does not end the loop.
                if errno == ECONNABORTED || errno == EINTR { continue }
                break
            }
            let number = state.withLock { state in
                state.accepted += 1
                return state.accepted
            }
            do {
                try BlockingThread.start { [serve] in serve(connection, number) }
            } catch {
                close(connection)
            }
        }
        state.withLock { state in
            state.isOpen = false
            close(socket)
        }
    }
}
