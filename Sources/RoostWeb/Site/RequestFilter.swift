import Foundation
package import HTTPServer

package struct RequestFilter: Sendable {
    package static let policyHeader = "Content-Security-Policy"

    package static let headers: [(String, String)] = [
        (policyHeader, policy(formsTo: "'none'")),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    /// Makes browsers use HTTPS alone for a public address with HTTPS (RFC 6797); they ignore it over plain HTTP.
    ///
    /// A certificate without a public address is not enough: the header counts for all ports of a host, and another
    /// program on the same machine may only answer plain HTTP.
    package static func headers(publicURL: PublicURL?) -> [(String, String)] {
        guard publicURL?.isSecure == true else { return headers }
        return headers + [("Strict-Transport-Security", "max-age=31536000")]
    }

    /// Allows forms that post to Roost itself.
    static let policyWithForms = policy(formsTo: "'self'")

    /// The same for a page that shows another page of Roost in a frame.
    package static let policyWithFrame = policy(formsTo: "'self'") + "; frame-src 'self'"

    /// Lets pages of Roost show this response in a frame.
    package static func allowFraming(of response: inout Response) {
        response[policyHeader] = policy(formsTo: "'none'", framedBy: "'self'")
        response["X-Frame-Options"] = "SAMEORIGIN"
    }

    /// The policy of a page whose form redirects to another origin; nil if the origin is invalid.
    package static func policy(formsAlsoTo origin: String) -> String? {
        guard let url = URL(string: origin), let scheme = url.scheme, let host = url.host(), !host.isEmpty
        else { return nil }
        return policy(formsTo: "'self' \(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? ""))
    }

    /// Allows only Roost's own files; no inline scripts or styles, no framing by other sites.
    private static func policy(formsTo targets: String, framedBy framers: String = "'none'") -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action \(targets); "
            + "base-uri 'none'; frame-ancestors \(framers)"
    }

    package let forwarding: Forwarding
    package let publicURL: PublicURL?

    /// Returns why a request is rejected before routing, or nil if it is accepted.
    package func rejection(of request: Request) -> Failure? {
        if isMisdirected(request) {
            return Failure(
                421, "misdirected", "Not here", Self.refusal(ofHost: request.headers["Host"] ?? ""))
        }
        if Self.isCrossSiteRead(request) {
            return Failure(403, "notAllowed", "Not allowed", "Another web site tried to read this.")
        }
        return nil
    }

    /// Names the setting, because the reader is often the operator.
    private static func refusal(ofHost header: String) -> String {
        let name = Host(header).name
        let isName = !name.isEmpty && name.utf8.count <= 253 && PublicURL("http://" + name) != nil
        let example = isName ? name : "NAME"
        return """
            This Roost isn’t set up for \(isName ? "the host name “\(name)”" : "that host name"). Its operator can allow \
            it with the setting host-names: start Roost with --host-names \(example), or set \
            ROOST_HOST_NAMES=\(example). Behind a reverse proxy, set --public-url instead.
            """
    }

    /// True if the host name is not Roost's, so someone else's DNS points at this server.
    func isMisdirected(_ request: Request) -> Bool {
        if let host = request.headers["Host"], !forwarding.isRebindingSafe(host) { return true }
        guard Forwarding.isForwarded(request), let host = forwarding.caller(of: request).host else {
            return false
        }
        return !forwarding.isRebindingSafe(host)
    }

    /// True if a page of another origin loads something from Roost as a script, an image, a frame or a fetch.
    ///
    /// It cannot read the response, but it can measure the time it takes (of a poll, for example), and the request
    /// would count as the user's own. Following a link is allowed (W3C Fetch Metadata Request Headers).
    static func isCrossSiteRead(_ request: Request) -> Bool {
        guard request.method.isSafe, let site = request.headers["Sec-Fetch-Site"], site != "same-origin",
            site != "none"
        else { return false }
        let isLink =
            request.headers["Sec-Fetch-Mode"] == "navigate"
            && (request.headers["Sec-Fetch-Dest"] ?? "document") == "document"
        return !isLink
    }

    /// True if a page of another origin makes the browser send this write.
    ///
    /// Browsers send the origin of every cross-site write (Fetch standard, "append a request `Origin` header").
    /// Programs send neither header, and no other site's page controls them.
    func isCrossSiteWrite(_ request: Request) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return true }
        guard let origin = request.headers["Origin"]?.lowercased() else { return false }
        if origin == publicURL?.origin { return false }
        guard let host = forwarding.caller(of: request).host?.lowercased() else { return true }
        return origin != "http://" + host && origin != "https://" + host
    }
}
