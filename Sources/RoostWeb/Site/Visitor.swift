import HTTPServer
import RoostServices

/// Who asks, as far as a request proves it.
enum Visitor: Sendable {
    case nobody
    /// A browser on this machine: until people can sign in, it is the first owner.
    case local(User)
    case bearer(User, APIToken.Scope)

    var user: User? {
        switch self {
        case .nobody: nil
        case .local(let user), .bearer(let user, _): user
        }
    }

    /// True when the visitor may change things.
    var mayWrite: Bool {
        switch self {
        case .nobody: false
        case .local: true
        case .bearer(_, let scope): scope == .write
        }
    }
}

/// Who may use a route; every route says so in the routes list.
package enum Audience: Sendable {
    /// Anybody, without a session.
    case everyone
    /// The holder of a display's secret link.
    case display
    /// A user of Roost.
    case member
}

extension Request {
    /// True for a browser on this machine that asks Roost itself: a reverse proxy's requests come from loopback too,
    /// but carry the marks of forwarding, and are strangers'.
    ///
    /// nginx with nothing but `proxy_pass` adds no mark and names us as the host, but speaks HTTP/1.0: no browser does.
    var isFromThisMachine: Bool {
        guard version != "HTTP/1.0", peer.isLoopback, let host = headers["Host"], Host(host).isLoopback else {
            return false
        }
        return ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"].allSatisfy {
            headers[$0] == nil
        }
    }

    /// The token of `Authorization: Bearer TOKEN` (RFC 6750).
    var bearerToken: String? {
        guard let value = headers["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
        return String(parts[1])
    }
}
