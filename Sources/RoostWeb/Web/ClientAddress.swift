/// The client of a request and the host it asked for, as far as they can be trusted.
package struct ClientAddress: Sendable, Equatable {
    /// The client's address, "192.168.1.7", or the proxy's if the proxy does not name its client.
    ///
    /// It may be a loopback address although the client is on another machine: check `isOnThisMachine`.
    let address: String
    /// As in the `Host` header that the browser sent: "roost.example.org", "192.168.1.20:8080".
    let host: String?
    /// The browser's connection, to Roost or to the proxy, is encrypted.
    let isSecure: Bool
    /// The client is on this machine and asks Roost itself, not through a proxy.
    let isOnThisMachine: Bool

    /// The origin as a browser names it: "https://roost.example.org".
    var origin: String? {
        host.map { (isSecure ? "https://" : "http://") + $0.lowercased() }
    }
}
