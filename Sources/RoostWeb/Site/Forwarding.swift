package import HTTPServer
package import TextFormats

/// Finds the client of a request behind reverse proxies.
///
/// Only forwarding headers from peers that the operator trusts are used. If they are malformed or contradict each
/// other, the proxy itself counts as the client.
package struct Forwarding: Sendable {
    private let trusted: [AddressRange]
    private let publicURL: PublicURL?
    /// Further names of this server, in lower case.
    private let hostNames: Set<String>

    package init(
        trusted: [AddressRange] = [], publicURL: PublicURL? = nil, hostNames: Set<String> = []
    ) {
        self.trusted = trusted
        self.publicURL = publicURL
        self.hostNames = hostNames
    }

    package func caller(of request: Request) -> ClientAddress {
        let isForwarded = Self.isForwarded(request)
        let isFromTrustedProxy = isForwarded && isTrusted(request.peer)
        let reported = isFromTrustedProxy ? forwardedClient(of: request) : ForwardedClient()
        let host = host(of: request, reported)
        // Then the browser uses the public URL's scheme, even if the proxy does not report it.
        let isPublic = host.map { publicURL?.isAddressed(by: $0) ?? false } ?? false
        return ClientAddress(
            address: reported.client ?? request.peer.description, host: host,
            isSecure: request.isSecure || reported.isSecure == true
                || (isPublic && publicURL?.isSecure == true && reported.isSecure == nil),
            isOnThisMachine: !isForwarded && Self.isFromThisMachine(request))
    }

    package func isTrusted(_ peer: IPAddress) -> Bool { trusted.contains { $0.contains(peer) } }

    /// True for a host name that no attacker can point at this server (DNS rebinding), or that the operator allows.
    package func isRebindingSafe(_ host: String) -> Bool {
        let name = Host(host)
        return name.isRebindingSafe || hostNames.contains(name.name) || publicURL?.isNamed(by: host) == true
    }

    /// Uses a forwarded host name only if `Host` itself is Roost's: many proxies pass on the browser's own
    /// `X-Forwarded-Host`, and a page on an attacker's domain could send Roost's name in it.
    private func host(of request: Request, _ reported: ForwardedClient) -> String? {
        let own = request.headers["Host"]
        guard let forwarded = reported.host else { return own }
        return own.map(isRebindingSafe) == false ? own : forwarded
    }

    /// nginx with only `proxy_pass` adds no forwarding header and sends a loopback `Host`, but it speaks HTTP/1.0,
    /// which no browser does.
    private static func isFromThisMachine(_ request: Request) -> Bool {
        guard request.version != "HTTP/1.0", request.peer.isLoopback, let host = request.headers["Host"]
        else {
            return false
        }
        return Host(host).isLoopback
    }

    private static let headerNames = Headers.Names([
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port",
        "X-Forwarded-Server", "X-Forwarded", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP", "Via",
    ])

    /// Whether the request has a header of a proxy.
    package static func isForwarded(_ request: Request) -> Bool {
        request.headers.hasAny(of: headerNames)
    }
}

extension Forwarding {
    /// Nil for values that are missing or contradictory.
    private struct ForwardedClient {
        package var client: String?
        package var host: String?
        package var isSecure: Bool?
    }

    /// A proxy writes one of the two families of headers and passes the other on from the client, so values that
    /// contradict each other are dropped.
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

    /// The rightmost address that is not a trusted proxy's. A client can forge those to its left.
    private func client(_ hops: [IPAddress?]) -> String? {
        var nearest: IPAddress?
        for hop in hops.reversed() {
            guard let hop else { break }
            nearest = hop
            if !isTrusted(hop) { break }
        }
        return nearest?.description
    }
}

package struct ClientAddress: Sendable, Equatable {
    /// The client's address, "192.168.1.7", or the proxy's if it does not report its client.
    ///
    /// It may be a loopback address even if the client is on another machine: check `isOnThisMachine`.
    package let address: String
    /// The `Host` header that the browser sent: "roost.example.org", "192.168.1.20:8080".
    package let host: String?
    /// True if the browser's connection, to Roost or to the proxy, is encrypted.
    package let isSecure: Bool
    /// True if the client is on this machine and does not use a proxy.
    package let isOnThisMachine: Bool

    /// The origin as browsers write it: "https://roost.example.org".
    package var origin: String? {
        host.map { (isSecure ? "https://" : "http://") + $0.lowercased() }
    }
}
