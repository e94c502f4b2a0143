/// An HTTP/1.1 server over libmicrohttpd.
package final class Server: Sendable {
    package init(_ configuration: ServerConfiguration, router: Router) {}

    /// Binds, listens and serves; throws `ServerError`.
    package func start() throws {}

    /// "127.0.0.1:43121": where it really listens; "" before the start.
    package var address: String { "" }

    /// Open connections, idle ones included.
    package var connections: Int { 0 }

    /// Refuses new connections, lets handlers finish, ends long polls with 503, then cancels what still runs.
    package func stop(within limit: Duration = .seconds(4)) async {}
}
