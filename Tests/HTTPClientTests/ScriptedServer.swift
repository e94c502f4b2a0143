import TestSupport

/// A server that answers each connection byte by byte as a script says: resets, drips and lies included.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ScriptedConnection) -> Void

    private let host: String
    private let listener: SocketListener

    /// On `host`, any of 127.0.0.0/8. Listens until `stop`.
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
    let words: String
}
