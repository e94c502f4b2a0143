import HTTPServer

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
