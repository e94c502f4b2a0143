import Foundation
import HTTPServer

/// Refuses requests before routing, and holds the headers of every response.
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

    /// The same for a page that shows another page of Roost in a frame.
    static let policyWithFrame = policy(formsTo: "'self'") + "; frame-src 'self'"

    /// Lets pages of Roost show this answer in a frame.
    static func allowFraming(of response: inout Response) {
        response[policyHeader] = policy(formsTo: "'none'", framedBy: "'self'")
        response["X-Frame-Options"] = "SAMEORIGIN"
    }

    /// The policy of a page with a form that is sent on to another origin; nil where none is named.
    static func policy(formsAlsoTo origin: String) -> String? {
        guard let url = URL(string: origin), let scheme = url.scheme, let host = url.host(), !host.isEmpty
        else { return nil }
        return policy(formsTo: "'self' \(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? ""))
    }

    /// Strict: Roost's own files only, no inline script or style, no framing by other sites.
    private static func policy(formsTo places: String, framedBy framers: String = "'none'") -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action \(places); "
            + "base-uri 'none'; frame-ancestors \(framers)"
    }

    let forwarding: Forwarding
    let publicURL: PublicURL?

    /// Why a request is refused, whatever it asks for; nil if it is not.
    func rejection(of request: Request) -> Failure? {
        if isMisdirected(request) {
            return Failure(421, "misdirected", "Not here", "This Roost does not answer to that name.")
        }
        if Self.isCrossSiteRead(request) {
            return Failure(403, "notAllowed", "Not allowed", "Another web site tried to read this.")
        }
        return nil
    }

    /// True for a request to a host name that is not Roost's: somebody else's DNS points at this server.
    func isMisdirected(_ request: Request) -> Bool {
        if let host = request.headers["Host"], !forwarding.isOurs(host) { return true }
        guard Forwarding.isForwarded(request), let host = forwarding.caller(of: request).host else {
            return false
        }
        return !forwarding.isOurs(host)
    }

    /// True when a page of another origin loads something from Roost as a script, an image, a frame or a fetch.
    ///
    /// It cannot see the answer, but it can measure its time (a poll's, for example), and the request counts as the
    /// user's demand. Following a link is allowed (W3C Fetch Metadata Request Headers).
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
