import Foundation
import HTTPServer
import RoostServices

/// What is refused before any route is looked at, and the headers that every answer carries.
struct RequestFilter: Sendable {
    /// The header with the policy of an answer.
    static let policyHeader = "Content-Security-Policy"

    static let headers: [(String, String)] = [
        (policyHeader, policy(formsTo: "'none'")),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    /// The policy of a page with forms, which are sent to Roost alone.
    static let policyWithForms = policy(formsTo: "'self'")

    /// The policy of a page with a form that is sent on to another origin; nil where none is named.
    static func policy(formsAlsoTo origin: String) -> String? {
        guard let url = URL(string: origin), let scheme = url.scheme, let host = url.host(), !host.isEmpty
        else { return nil }
        return policy(formsTo: "'self' \(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? ""))
    }

    /// Strict: nothing but our own files, no inline script or style, no framing by others.
    private static func policy(formsTo places: String) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action \(places); "
            + "base-uri 'none'; frame-ancestors 'none'"
    }

    let forwarding: Forwarding
    let publicURL: PublicURL?

    /// Why a request is refused whatever it asks for, nil for a welcome one.
    func rejection(of request: Request) -> Failure? {
        if isMisdirected(request) {
            return Failure(421, "misdirected", "Not here", "This Roost does not answer to that name.")
        }
        if Self.isCrossSiteRead(request) {
            return Failure(403, "notAllowed", "Not allowed", "Another web site tried to read this.")
        }
        return nil
    }

    /// True for a request to a name that is not ours: somebody else's DNS points at us.
    func isMisdirected(_ request: Request) -> Bool {
        if let host = request.headers["Host"], !forwarding.isOurs(host) { return true }
        guard Forwarding.isForwarded(request), let host = forwarding.caller(of: request).host else {
            return false
        }
        return !forwarding.isOurs(host)
    }

    /// True when a page of another origin reads from us behind its reader's back: as a script, an image, a frame or a
    /// fetch, whose answer it cannot see, but whose time (a poll's!) it can, and which counts as somebody's look.
    /// Following a link is none of that (W3C Fetch Metadata Request Headers).
    static func isCrossSiteRead(_ request: Request) -> Bool {
        guard request.method.isSafe, let site = request.headers["Sec-Fetch-Site"], site != "same-origin",
            site != "none"
        else { return false }
        let isLink =
            request.headers["Sec-Fetch-Mode"] == "navigate"
            && (request.headers["Sec-Fetch-Dest"] ?? "document") == "document"
        return !isLink
    }

    /// True when a page of another origin makes the browser send this.
    ///
    /// Browsers name the origin of every cross-site write (Fetch standard, "append a request `Origin` header");
    /// programs send neither header, and carry no browser's authority.
    func isCrossSiteWrite(_ request: Request) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return true }
        guard let origin = request.headers["Origin"]?.lowercased() else { return false }
        if origin == publicURL?.origin { return false }
        guard let host = forwarding.caller(of: request).host?.lowercased() else { return true }
        return origin != "http://" + host && origin != "https://" + host
    }
}
