import Glibc
import Synchronization

/// A server that answers each connection byte by byte as a script says: resets, drips and lies included.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ScriptedConnection) -> Void

    let port: UInt16
    private let host: String
    private let socket: Int32
    private let script: Script
    private let accepted = Mutex(0)

    /// On `host`, any of 127.0.0.0/8. Listens until `stop`.
    init(host: String = "127.0.0.1", _ script: @escaping Script) throws {
        self.host = host
        self.script = script
        (socket, port) = try Self.listener(host: host, backlog: 512)
        try Self.thread { [self] in acceptAll() }
    }

    var url: String { "http://\(host):\(port)" }
    var connections: Int { accepted.withLock { $0 } }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// A listening socket on a free port.
    static func listener(host: String, backlog: Int32) throws -> (socket: Int32, port: UInt16) {
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
        guard code == 0 else { throw ServerFailure(words: String(cString: strerror(errno))) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private func acceptAll() {
        while true {
            let client = accept(socket, nil, nil)
            guard client >= 0 else { break }
            let number = accepted.withLock { count in
                count += 1
                return count
            }
            let script = script
            do {
                try Self.thread { script(ScriptedConnection(socket: client, number: number)) }
            } catch {
                close(client)
            }
        }
        close(socket)
    }

    /// Scripts block, so each has a thread; the box's +1 ends on it.
    private static func thread(_ body: @escaping @Sendable () -> Void) throws {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw ServerFailure(words: String(cString: strerror(code)))
        }
        pthread_detach(thread)
    }
}

struct ServerFailure: Error {
    let words: String
}
