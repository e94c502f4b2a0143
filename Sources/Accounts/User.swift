package import Foundation
package import RoostSupport

/// A person who uses Roost. The stand-in owner is one too, until the first real owner takes his place.
package struct User: Equatable, Hashable, Sendable, Identifiable {
    /// What a person may do: an owner looks after Roost itself as well.
    package enum Role: String, Codable, Sendable, CaseIterable {
        case owner, member
    }

    package let userId: UserID
    /// What one signs in with; unique whatever its case.
    package let username: String
    /// There is no mail server: only another name to sign in with. Unique where given.
    package let email: String?
    /// What others see; the user name where there is none.
    package let displayName: String?
    package let role: Role
    /// The server's word to the user.
    package let message: String
    package let createdAt: Date?
    package let updatedAt: Date?
    /// Names the picture's bytes; nil for a person without one.
    package let avatar: String?
    /// The join link that let this person in, while it is remembered.
    package let joinedWith: Int64?
    /// True while nobody has been named owner yet.
    package let isStandIn: Bool
    /// Another member has a name that looks the same, from a time when Roost did not refuse that.
    let showsUsername: Bool

    package var id: UserID { userId }

    /// What a page calls this person; the same as the database's `shown_name`.
    package var name: String {
        (displayName ?? username) + (showsUsername ? " (@\(username))" : "")
    }

    /// "@ada", for a place that shows the user name next to `name`; nil if `name` says it already.
    package var handle: String? { Self.handle(username, for: name) }

    package static func handle(_ username: String, for name: String) -> String? {
        name == username || name.hasSuffix(" (@\(username))") ? nil : "@\(username)"
    }

    package init(
        userId: UserID, username: String, email: String? = nil, displayName: String? = nil, role: Role,
        message: String = "", createdAt: Date?, updatedAt: Date? = nil, avatar: String? = nil,
        joinedWith: Int64? = nil, isStandIn: Bool = false, showsUsername: Bool = false
    ) {
        self.userId = userId
        self.username = username
        self.email = email
        self.displayName = displayName
        self.role = role
        self.message = message
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.avatar = avatar
        self.joinedWith = joinedWith
        self.isStandIn = isStandIn
        self.showsUsername = showsUsername
    }

    /// At most two letters for a round mark: "Ada Lovelace" is AL.
    package var initials: String {
        let words = (displayName ?? username).split { !$0.isLetter && !$0.isNumber }
        return words.prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}

extension User: Codable {
    private enum CodingKeys: String, CodingKey {
        case userId, username, email, displayName, role, message, createdAt, updatedAt, avatar, joinedWith
        case isStandIn
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userId: try values.decode(JSONUserID.self, forKey: .userId).id,
            username: try values.decode(String.self, forKey: .username),
            email: try values.decodeIfPresent(String.self, forKey: .email),
            displayName: try values.decodeIfPresent(String.self, forKey: .displayName),
            role: try values.decode(Role.self, forKey: .role),
            message: try values.decode(String.self, forKey: .message),
            createdAt: try values.decodeIfPresent(Date.self, forKey: .createdAt),
            updatedAt: try values.decodeIfPresent(Date.self, forKey: .updatedAt),
            avatar: try values.decodeIfPresent(String.self, forKey: .avatar),
            joinedWith: try values.decodeIfPresent(Int64.self, forKey: .joinedWith),
            isStandIn: try values.decode(Bool.self, forKey: .isStandIn))
    }

    /// Writes the id as a string and an e-mail address that is missing as null; other optionals are left out.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(JSONUserID(userId), forKey: .userId)
        try values.encode(username, forKey: .username)
        try values.encode(email, forKey: .email)
        try values.encodeIfPresent(displayName, forKey: .displayName)
        try values.encode(role, forKey: .role)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(createdAt, forKey: .createdAt)
        try values.encodeIfPresent(updatedAt, forKey: .updatedAt)
        try values.encodeIfPresent(avatar, forKey: .avatar)
        try values.encodeIfPresent(joinedWith, forKey: .joinedWith)
        try values.encode(isStandIn, forKey: .isStandIn)
    }
}
