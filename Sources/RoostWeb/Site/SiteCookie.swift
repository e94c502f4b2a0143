package import HTTPServer

/// Roost's secret cookies. Scripts and other sites cannot read them, and under TLS they are not sent over plain
/// connections.
package enum SiteCookie: String {
    case session = "roost_session"
    /// For a visitor without a session, whose form tokens are derived from it.
    case guest = "roost_visit"
    /// For a browser in which someone has signed in; see `DeviceCookie`.
    case device = "roost_device"
    /// The code of the join or reset link that the browser opened last. Sign-ins with it have a separate count of wrong
    /// passwords.
    case link = "roost_link"
    case display = "roost_display"
    /// For a display that shows a pairing code: the secret with which it fetches its key.
    case pairing = "roost_pairing"

    /// Browsers drop a cookie after 400 days at most. The server ends sessions much earlier.
    private static let lifetime = 400 * 86_400

    /// The prefix makes browsers reject the cookie from plain connections and, if its path is "/", from neighbouring
    /// host names (RFC 6265bis).
    package func name(isSecure: Bool) -> String {
        guard isSecure else { return rawValue }
        return (path == "/" ? "__Host-" : "__Secure-") + rawValue
    }

    /// Returns the header that sets the cookie, or removes it if the value is nil.
    package func header(_ value: String?, isSecure: Bool) -> Response.Header {
        (
            "Set-Cookie",
            "\(name(isSecure: isSecure))=\(value ?? ""); Path=\(path); Max-Age=\(value == nil ? 0 : age); "
                + "HttpOnly; SameSite=\(isForDisplays ? "Strict" : "Lax")" + (isSecure ? "; Secure" : "")
        )
    }

    /// Other sites have no reason to link to a display's page.
    private var isForDisplays: Bool { self == .display || self == .pairing }
    private var path: String { isForDisplays ? "/display" : "/" }

    /// In seconds.
    private var age: Int {
        switch self {
        case .guest, .link: 86_400
        // Covers the code's lifetime and the time for fetching the key.
        case .pairing: 3_600
        case .session, .device, .display: Self.lifetime
        }
    }
}

/// Secrets that prove who has signed in with a browser before: one for each user, the newest first.
struct DeviceCookie: Sendable, Equatable {
    /// The number of people who may share a browser; a new one replaces the oldest.
    private static let limit = 4

    let secrets: [String]

    /// Reads the cookie, skipping parts that cannot be one of Roost's secrets.
    init(of request: Request, isSecure: Bool) {
        let value = request.cookies[SiteCookie.device.name(isSecure: isSecure)] ?? ""
        let parts = value.utf8.count <= 512 ? value.splitBytes(at: ".") : []
        secrets = Array(parts.filter(Self.isSecret).prefix(Self.limit).map(String.init))
    }

    private init(_ secrets: [String]) { self.secrets = secrets }

    /// Adds the secret of a user who signs in with this browser for the first time. Nil adds nothing.
    func adding(_ secret: String?) -> DeviceCookie {
        guard let secret else { return self }
        return DeviceCookie(Array(([secret] + secrets).prefix(Self.limit)))
    }

    var value: String { secrets.joined(separator: ".") }

    /// 32 bytes as base64url.
    private static func isSecret(_ text: Substring) -> Bool {
        text.utf8.count == 43
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
