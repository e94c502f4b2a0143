import HTTPServer

/// Finds the client of a request behind reverse proxies.
///
/// Forwarding headers are believed only from peers that the operator trusts. If they are malformed or contradict each
/// other, the proxy itself counts as the client.
struct Forwarding: Sendable {
    private let trusted: [AddressRange]
    private let publicURL: PublicURL?

    init(trusted: [AddressRange] = [], publicURL: PublicURL? = nil) {
        self.trusted = trusted
        self.publicURL = publicURL
    }

    /// The client that sent this request, and the host name that it asked for.
    func caller(of request: Request) -> ClientAddress {
        let isForwarded = Self.isForwarded(request)
        let isBelieved = isForwarded && isTrusted(request.peer.description)
        let way = isBelieved ? forwardedClient(of: request) : ForwardedClient()
        let host = host(of: request, way)
        // The address line then says so, whatever the proxy forgot to tell.
        let isPublic = host.map { publicURL?.isAddressed(by: $0) ?? false } ?? false
        return ClientAddress(
            address: way.client ?? request.peer.description, host: host,
            isSecure: request.isSecure || way.isSecure == true
                || (isPublic && publicURL?.isSecure == true && way.isSecure == nil),
            isOnThisMachine: !isForwarded && Self.isFromThisMachine(request))
    }

    /// True for a proxy that the operator trusts.
    func isTrusted(_ peer: PeerAddress) -> Bool { isTrusted(peer.description) }

    /// True for a host name that is Roost's: no attacker can point such a name at this server (DNS rebinding).
    func isOurs(_ host: String) -> Bool {
        Host(host).isOurs || publicURL?.isNamed(by: host) == true
    }

    /// A forwarded name stands in the place of `Host` only if `Host` itself is welcome: many proxies pass on what a
    /// browser sent as `X-Forwarded-Host`, and a page on a stranger's name could send ours.
    private func host(of request: Request, _ way: ForwardedClient) -> String? {
        let own = request.headers["Host"]
        guard let forwarded = way.host else { return own }
        return own.map(isOurs) == false ? own : forwarded
    }

    private func isTrusted(_ text: String) -> Bool {
        guard !trusted.isEmpty, let address = NetworkAddress(text) else { return false }
        return isTrusted(address)
    }

    private func isTrusted(_ address: NetworkAddress) -> Bool { trusted.contains { $0.contains(address) } }

    /// nginx with nothing but `proxy_pass` adds no mark and names us as the host, but speaks HTTP/1.0: no browser does.
    private static func isFromThisMachine(_ request: Request) -> Bool {
        guard request.version != "HTTP/1.0", request.peer.isLoopback, let host = request.headers["Host"]
        else {
            return false
        }
        return Host(host).isLoopback
    }

    private static let marks = Headers.Names([
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port",
        "X-Forwarded-Server", "X-Forwarded", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP", "Via",
    ])

    /// A header says that the request came through a proxy.
    static func isForwarded(_ request: Request) -> Bool {
        request.headers.hasAny(of: marks)
    }
}

extension Forwarding {
    /// What the headers of a trusted proxy say; nil where they are silent or cannot be believed.
    private struct ForwardedClient {
        var client: String?
        var host: String?
        var isSecure: Bool?
    }

    /// A proxy writes one of the two families of headers and passes the other on as the client sent it: what they
    /// contradict each other in is not believed.
    private func forwardedClient(of request: Request) -> ForwardedClient {
        let common = ForwardedHops(commonHeadersOf: request.headers)
        let standard = ForwardedHops(standardHeaderOf: request.headers)
        guard let common, let standard else { return forwardedClient(common ?? standard ?? ForwardedHops()) }
        let (one, other) = (forwardedClient(common), forwardedClient(standard))
        return ForwardedClient(
            client: one.client == other.client ? one.client : nil,
            host: one.host == other.host ? one.host : nil,
            isSecure: one.isSecure == other.isSecure ? one.isSecure : nil)
    }

    private func forwardedClient(_ hops: ForwardedHops) -> ForwardedClient {
        ForwardedClient(client: client(hops.clients), host: hops.host, isSecure: hops.isSecure)
    }

    /// The rightmost address that is not a trusted proxy's; a client may have made up those to its left.
    private func client(_ hops: [NetworkAddress?]) -> String? {
        var nearest: NetworkAddress?
        for hop in hops.reversed() {
            guard let hop else { break }
            nearest = hop
            if !isTrusted(hop) { break }
        }
        return nearest?.description
    }
}

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
