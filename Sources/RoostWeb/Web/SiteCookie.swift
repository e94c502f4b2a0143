import HTTPServer

/// Roost's secret cookies: hidden from scripts and other sites, and under TLS from plain connections.
enum SiteCookie: String {
    case session = "roost_session"
    /// Of a visitor without a session, whose forms' tokens are derived from it.
    case guest = "roost_visit"
    /// Of a browser on which somebody has signed in; see `DeviceCookie`.
    case device = "roost_device"
    /// The code of the join or reset link that the browser opened last: signing in with it has its own count of wrong
    /// passwords.
    case link = "roost_link"
    /// The key of a paired screen.
    case display = "roost_display"
    /// Of a screen that shows a code: the secret that it fetches its key with.
    case pairing = "roost_pairing"

    /// Browsers drop a cookie after 400 days at the latest; the server ends sessions long before.
    private static let lifetime = 400 * 86_400

    /// The prefix makes browsers refuse the cookie from plain connections and, where it goes to all paths, from
    /// neighbouring host names (RFC 6265bis).
    func name(isSecure: Bool) -> String {
        guard isSecure else { return rawValue }
        return (path == "/" ? "__Host-" : "__Secure-") + rawValue
    }

    /// The header that sets the cookie, or removes it for nil.
    func header(_ value: String?, isSecure: Bool) -> Response.Header {
        (
            "Set-Cookie",
            "\(name(isSecure: isSecure))=\(value ?? ""); Path=\(path); Max-Age=\(value == nil ? 0 : age); "
                + "HttpOnly; SameSite=\(isScreens ? "Strict" : "Lax")" + (isSecure ? "; Secure" : "")
        )
    }

    /// No link of another site leads to a screen's page.
    private var isScreens: Bool { self == .display || self == .pairing }
    private var path: String { isScreens ? "/display" : "/" }

    /// In seconds.
    private var age: Int {
        switch self {
        case .guest, .link: 86_400
        // Longer than its code and the time in which the key may be fetched.
        case .pairing: 3_600
        case .session, .device, .display: Self.lifetime
        }
    }
}

/// The secrets that prove who has signed in on a browser before: one for each user, the newest first.
struct DeviceCookie: Sendable, Equatable {
    /// People who share a browser; the earliest makes room.
    private static let limit = 4

    let secrets: [String]

    /// Reads what the browser sent, without anything that cannot be one of Roost's secrets.
    init(of request: Request, isSecure: Bool) {
        let value = request.cookies[SiteCookie.device.name(isSecure: isSecure)] ?? ""
        let parts = value.utf8.count <= 512 ? value.splitBytes(at: ".") : []
        secrets = Array(parts.filter(Self.isSecret).prefix(Self.limit).map(String.init))
    }

    private init(_ secrets: [String]) { self.secrets = secrets }

    /// Adds the secret of a user who has signed in here for the first time; nil adds nothing.
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
