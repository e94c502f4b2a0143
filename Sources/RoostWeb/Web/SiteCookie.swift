import HTTPServer
import RoostServices

/// Roost's secret cookies: hidden from scripts and other sites, and under TLS from plain connections.
enum SiteCookie: String {
    case session = "roost_session"
    /// Of a visitor without a session, whose forms' tokens are derived from it.
    case guest = "roost_visit"
    /// Of a browser on which somebody has signed in; see `DeviceCookie`.
    case device = "roost_device"

    /// Browsers drop a cookie after 400 days at the latest; the server ends sessions long before.
    private static let lifetime = 400 * 86_400

    /// The prefix makes browsers refuse the cookie from plain connections and from neighbouring host names (RFC
    /// 6265bis).
    func name(isSecure: Bool) -> String { isSecure ? "__Host-" + rawValue : rawValue }

    /// The header that sets the cookie, or removes it for nil.
    func header(_ value: String?, isSecure: Bool) -> Response.Header {
        let age = value == nil ? 0 : self == .guest ? 86_400 : Self.lifetime
        return (
            "Set-Cookie",
            "\(name(isSecure: isSecure))=\(value ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
                + (isSecure ? "; Secure" : "")
        )
    }
}
