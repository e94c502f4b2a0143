/// Where a request comes from and what it was addressed to, as far as that can be believed.
package struct ClientAddress: Sendable, Equatable {
    /// "192.168.1.7": the client's, or the proxy's where the proxy does not say.
    ///
    /// It may be a loopback address although the client is far away; only `isOnThisMachine` tells.
    package let address: String
    /// As in the `Host` header that the browser sent: "roost.example.org", "192.168.1.20:8080".
    package let host: String?
    /// Between the browser and us, or the proxy, the connection is encrypted.
    package let isSecure: Bool
    /// A browser on this machine that asks Roost itself, not through a proxy.
    package let isOnThisMachine: Bool

    /// What a browser calls the place that it asked: "https://roost.example.org".
    package var origin: String? {
        host.map { (isSecure ? "https://" : "http://") + $0.lowercased() }
    }
}
