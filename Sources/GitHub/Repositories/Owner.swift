import TextFormats

/// Whose repository it is.
package struct Owner: Codable, Equatable, Hashable, Sendable {
    /// GitHub's two kinds; a repository of any other is refused.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case user = "User"
        case organization = "Organization"
    }

    package let login: String
    package let type: Kind
    /// As GitHub names it; pages show it through `PictureCache`.
    package let avatarURL: String?

    /// Throws `ValidationError` when the login is empty or too long.
    package init(login: String, type: Kind, avatarURL: String? = nil) throws {
        let login = login.sanitized
        try ValidationError.check(["login": login])
        self.login = login
        self.type = type
        self.avatarURL = avatarURL.flatMap { $0.utf8.count <= 2_048 ? $0 : nil }
    }

    /// As the database has it: the other initialiser judged it before it was stored.
    init(stored login: String, type: Kind, avatarURL: String?) {
        self.login = login
        self.type = type
        self.avatarURL = avatarURL
    }

    private enum CodingKeys: String, CodingKey { case login, type, avatarURL }

    /// As strict as the other initialiser.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            login: values.decode(String.self, forKey: .login),
            type: values.decode(Kind.self, forKey: .type),
            avatarURL: values.decodeIfPresent(String.self, forKey: .avatarURL))
    }
}
