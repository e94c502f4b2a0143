import TextFormats

/// Whom a token stands for, as `/user` says. Kept in memory, fetched again at start and after connecting.
package struct AuthenticatedUser: Codable, Equatable, Hashable, Sendable {
    /// Letters, digits and hyphens; Enterprise adds underscores (`octocat_corp`).
    package let login: String
    package let name: String?
    package let avatarURL: String?

    enum CodingKeys: String, CodingKey {
        case login, name
        case avatarURL = "avatar_url"
    }

    /// Throws `ValidationError` for a login that is empty, too long or has other signs.
    package init(login: String, name: String? = nil, avatarURL: String? = nil) throws {
        try ValidationError.check(["login": login])
        guard login.utf8.allSatisfy(Self.isLoginByte) else {
            throw ValidationError(field: "login", why: "has other signs than letters, digits and hyphens")
        }
        self.login = login
        self.name = name.map(\.sanitized).flatMap { $0.isBlank || $0.utf8.count > 400 ? nil : $0 }
        self.avatarURL = avatarURL.flatMap { Self.isWebAddress($0) ? $0 : nil }
    }

    /// What goes into a page's address is an address, and of a sane length.
    private static func isWebAddress(_ text: String) -> Bool {
        text.utf8.count <= 2_000 && (text.hasPrefix("https://") || text.hasPrefix("http://"))
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            login: values.decode(String.self, forKey: .login),
            name: values.decodeIfPresent(String.self, forKey: .name),
            avatarURL: values.decodeIfPresent(String.self, forKey: .avatarURL))
    }

    private static func isLoginByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
