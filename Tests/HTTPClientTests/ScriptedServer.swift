import TestSupport

/// A server that answers each connection byte by byte as scripted, with resets, delays and false lengths.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ScriptedConnection) -> Void

    private let host: String
    private let listener: SocketListener

    /// Listens until `stop` on `host`, any address in 127.0.0.0/8.
    init(host: String = "127.0.0.1", _ script: @escaping Script) throws {
        self.host = host
        listener = try SocketListener(host: host) { script(ScriptedConnection(socket: $0, number: $1)) }
    }

    var port: UInt16 { listener.port }
    var url: String { "http://\(host):\(port)" }
    var connections: Int { listener.connections }

    func stop() { listener.stop() }
}

struct ServerFailure: Error {
    let message: String
}
